// Package dev is the wing of development: policy holds the rules of the house as tests, mutants a table of faults
// that the tests must see, testkit the tools of tests, oracle comparisons with other tools. No command links it.
package dev

// Package policy holds the rules of the house that a compiler does not check: who may import whom,
// that every deviation from known hardware behaviour is listed, that comments and documents name their subjects, and
// that the project's text speaks of the project alone. It has tests only; its folder lines counts sources.
package policy

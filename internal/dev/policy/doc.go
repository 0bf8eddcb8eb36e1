// Package policy holds the rules of the house that a compiler does not check: who may import whom, that every deviation
// from known hardware behaviour is listed, that exported names are described, that comments and documents name their
// subjects, and sources that exist, and that no source names a path of the machine it was written on. It has tests only;
// the commands in its folders count lines and list exported names.
package policy

package benchmarks

import _ "embed" // for SuitesTOML

// SuitesFile is the name of SuitesTOML, for messages.
const SuitesFile = "benchmarks/suites.toml"

// SuitesTOML is the text of the suites; internal/measure/bench reads it.
//
//go:embed suites.toml
var SuitesTOML string

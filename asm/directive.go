package asm

import (
	"cmp"
	"slices"

	"arcv2dsp/internal/term/spelling"
)

// directive is one pseudo-operation.
type directive struct {
	run  func(*assembler) // reads the arguments; the cursor is behind the name
	cond bool             // also looked at where a conditional is not taken
}

// givenUp is the panic of a directive that cannot go on: the error is reported, and the rest of the statement is passed.
type givenUp struct{}

// needed gives the directive up where a step of it failed.
func needed(ok bool) {
	if !ok {
		panic(givenUp{})
	}
}

// need is what a step of a directive gives.
func need[T any](v T, ok bool) T {
	needed(ok)
	return v
}

// giveUp reports an error and gives the directive up.
func (a *assembler) giveUp(off int, format string, args ...any) {
	a.errorAt(off, format, args...)
	panic(givenUp{})
}

// giveUpIf gives the directive up where something holds.
func (a *assembler) giveUpIf(when bool, off int, format string, args ...any) {
	if when {
		a.giveUp(off, format, args...)
	}
}

// perform executes a directive.
func (a *assembler) perform(d *directive) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(givenUp); !ok {
				panic(r)
			}
			a.skipStatement()
		}
	}()
	d.run(a)
}

// findDirective finds a directive by its name with the dot, in any case.
func (a *assembler) findDirective(name string) *directive {
	if d := directives[name]; d != nil {
		return d
	}
	for i := 0; i < len(name); i++ {
		if 'A' <= name[i] && name[i] <= 'Z' {
			var lower [32]byte
			if len(name) > len(lower) {
				return nil
			}
			for k := 0; k < len(name); k++ {
				lower[k] = toLower(name[k])
			}
			return directives[string(lower[:len(name)])]
		}
	}
	return nil
}

// directives is the registry of all directives. It cannot be a plain initialisation: they read
// statements, which look directives up.
var directives = make(map[string]*directive, 256)

func init() {
	t := directives
	for _, group := range []map[string]func(*assembler){
		dataDirectives(), alignDirectives(), sectionDirectives(), symbolDirectives(), macroDirectives(),
		textDirectives(), debugDirectives(), cfiDirectives(), arcDirectives(),
	} {
		for name, run := range group {
			t[name] = &directive{run: run}
		}
	}
	for name, run := range condDirectives() {
		t[name] = &directive{run: run, cond: true}
	}
}

// unknownDirective reports a name that begins with a dot and is nothing known.
func (a *assembler) unknownDirective(name string, off int) {
	names := make([]string, 0, len(directives))
	for n := range directives {
		names = append(names, n)
	}
	if near := spelling.Nearest(name, names); near != "" {
		a.errorAt(off, "unknown directive %s, did you mean %s", name, near)
		return
	}
	a.errorAt(off, "unknown directive %s", name)
}

// textDirectives steer the reading of the text or are accepted for compatibility.
func textDirectives() map[string]func(*assembler) {
	ignore := (*assembler).skipStatement
	stabs := func(a *assembler) { a.notTaken("stabs debug information is left out: use -g or .loc") }
	return map[string]func(*assembler){
		".include": (*assembler).include,
		".end": func(a *assembler) {
			a.skipStatement()
			for len(a.frames) > 1 {
				a.conds = a.conds[:a.frame().conds]
				a.popText()
			}
			a.i = len(a.s)
			a.switched = true
		},
		".err":     func(a *assembler) { a.errorAt(a.stmt, ".err encountered") },
		".error":   func(a *assembler) { a.message(".error encountered", a.errorAt) },
		".warning": func(a *assembler) { a.message(".warning encountered", a.warnAt) },
		".fail": func(a *assembler) {
			if n, ok := a.absolute("a value"); ok {
				if n >= 500 {
					a.warnAt(a.stmt, ".fail %d encountered", n)
				} else {
					a.errorAt(a.stmt, ".fail %d encountered", n)
				}
			}
		},
		".abort": func(a *assembler) {
			a.errorAt(a.stmt, ".abort encountered")
			panic(tooManyErrors{})
		},
		".print": func(a *assembler) {
			if text, ok := a.quoted(); ok {
				a.printed = append(a.printed, text)
			} else {
				a.skipStatement()
			}
		},
		".mri": func(a *assembler) {
			if n, ok := a.absolute("0 or 1"); ok && n != 0 {
				a.errorAt(a.stmt, ".mri: the syntax of the MRI assembler is not supported")
			}
		},
		".stabs": stabs, ".stabn": stabs, ".stabd": stabs,
		".line": (*assembler).lineDirective, ".ln": (*assembler).lineDirective,
		".linefile": (*assembler).linefileDirective, ".appfile": (*assembler).linefileDirective,
		".appline": (*assembler).lineDirective,

		".list": ignore, ".nolist": ignore, ".eject": ignore, ".psize": ignore, ".title": ignore,
		".sbttl": ignore, ".lflags": ignore, ".vtable_entry": ignore, ".vtable_inherit": ignore,
		".func": ignore, ".endfunc": ignore,
		".gnu_attribute": ignore, ".bundle_align_mode": ignore, ".bundle_lock": ignore,
		".bundle_unlock": ignore, ".llen": ignore, ".name": ignore, ".noformat": ignore, ".format": ignore,
		".page": ignore, ".plen": ignore, ".spc": ignore, ".ttl": ignore, ".subtitle": ignore,
	}
}

// notTaken passes a statement that other assemblers make something of, and says so once.
func (a *assembler) notTaken(text string) {
	if !slices.Contains(a.told, text) {
		a.told = append(a.told, text)
		a.warnAt(a.stmt, "%s", text)
	}
	a.skipStatement()
}

// message reports the text of a directive, or one for a directive that says nothing.
func (a *assembler) message(silent string, report func(int, string, ...any)) {
	text := ""
	if !a.atEnd() {
		text = need(a.quoted())
	}
	report(a.stmt, "%s", cmp.Or(text, silent))
}

func (a *assembler) lineDirective() {
	if n, ok := a.absolute("a line number"); ok {
		a.markLine(a.stmt, a.logicalFile(), int(n))
	}
}

func (a *assembler) linefileDirective() {
	a.skipBlanks()
	if a.s[a.i] == '"' { // .appfile "name"
		if name, ok := a.quoted(); ok {
			a.markLine(a.stmt, name, 1)
		}
		return
	}
	n := need(a.absolute("a line number"))
	if name, ok := a.quoted(); ok {
		a.markLine(a.stmt, name, int(n))
	}
	a.skipStatement() // flags of the preprocessor
}

// logicalFile is the file name that the present line counts for.
func (a *assembler) logicalFile() string {
	src := &a.sources[a.frame().src]
	if n := len(src.marks); n > 0 {
		return src.marks[n-1].file
	}
	return src.name
}

package asm

import (
	"fmt"
	"strconv"
	"strings"
)

func opensLoop(word string) bool {
	switch word {
	case ".rept", ".rep", ".irp", ".irpc", ".irep", ".irepc":
		return true
	}
	return false
}

// rept is .rept count ... .endr.
func (a *assembler) rept() {
	at := a.i
	count, ok := a.absolute("the repeat count")
	body, line, closed := a.collectLoop()
	if !ok || !closed {
		return
	}
	if count < 0 {
		a.errorAt(at, "repeat count %d is negative", count)
		return
	}
	if count*int64(len(body)) > maxExpansion || count > maxExpansion {
		a.errorAt(at, "the repeated text is longer than %d MB", maxExpansion>>20)
		return
	}
	a.loop(strings.Repeat(body, int(count)), body, line)
}

// collectLoop reads the body of a loop; the cursor is then behind .endr.
func (a *assembler) collectLoop() (body string, line int, ok bool) {
	a.skipStatement()
	body, line, ok = a.collect(opensLoop, ".endr")
	a.switched = true
	return body, line, ok
}

// loop goes on with the expansion of a loop whose lines are those of body again and again.
func (a *assembler) loop(text, body string, line int) {
	if text == "" || a.tooDeep() {
		return
	}
	a.spend(text)
	a.pushSource(source{
		name: a.sources[a.frame().src].name, text: text, what: "loop expanded",
		from: a.here(a.stmt), first: line, period: strings.Count(body, "\n"),
	}, frameLoop)
}

// irp is .irp name, values ... .endr.
func (a *assembler) irp() {
	name, ok := a.name("the loop variable")
	var values []string
	if ok {
		a.optionalComma()
		for !a.atEnd() {
			values = append(values, a.macroArg())
			a.optionalComma()
		}
		if len(values) == 0 {
			values = []string{""}
		}
	}
	a.each(name, values, ok)
}

// irpc is .irpc name, characters ... .endr.
func (a *assembler) irpc() {
	name, ok := a.name("the loop variable")
	var values []string
	if ok {
		a.optionalComma()
		text := a.macroArg()
		for i := range len(text) {
			values = append(values, text[i:i+1])
		}
		if len(values) == 0 {
			values = []string{""}
		}
	}
	a.each(name, values, ok)
}

// each expands a loop over values.
func (a *assembler) each(name string, values []string, ok bool) {
	at := a.i
	body, line, closed := a.collectLoop()
	if !ok || !closed {
		return
	}
	m := &macro{params: []param{{name: name}}}
	pieces := a.pieces(body, m)
	var b strings.Builder
	for _, v := range values {
		for i := range pieces {
			switch p := &pieces[i]; p.arg {
			case pieceText:
				b.WriteString(p.text)
			case pieceCount:
				b.WriteString(strconv.Itoa(a.expansions))
			case 0:
				b.WriteString(v)
			default: // LOCAL names
				fmt.Fprintf(&b, ".LL%04x", a.locals+p.arg)
			}
		}
		a.locals += m.locals + 1
		if b.Len() > maxExpansion {
			a.errorAt(at, "the repeated text is longer than %d MB", maxExpansion>>20)
			return
		}
	}
	a.expansions++
	a.loop(b.String(), body, line)
}

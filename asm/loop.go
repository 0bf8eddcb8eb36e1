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
	body, closed := a.collectLoop()
	if !ok || !closed {
		return
	}
	if count < 0 {
		a.errorAt(at, "repeat count %d is negative", count)
		return
	}
	if count*int64(len(body.text)) > maxExpansion || count > maxExpansion {
		a.errorAt(at, "the repeated text is longer than %d MB", maxExpansion>>20)
		return
	}
	a.loop(strings.Repeat(body.text, int(count)), body, a.index.repetition(body))
}

// collectLoop reads the body of a loop; the cursor is then behind .endr.
func (a *assembler) collectLoop() (body collected, ok bool) {
	a.skipStatement()
	body, ok = a.collect(opensLoop, ".endr")
	a.switched = true
	return body, ok
}

// loop goes on with the expansion of a loop whose lines are those of body again and again.
func (a *assembler) loop(text string, body collected, from *origin) {
	if text == "" || a.tooDeep() {
		return
	}
	a.spend(text)
	a.pushSource(source{
		name: a.sources[a.frame().src].name, text: text, what: "loop expanded",
		from: a.here(a.stmt), first: body.line, period: strings.Count(body.text, "\n"), origin: from,
	}, frameLoop)
}

// irp is .irp name, values ... .endr.
func (a *assembler) irp() {
	name, ok := a.name("the loop variable")
	var values []string
	var places []place
	if ok {
		a.optionalComma()
		for !a.atEnd() {
			place := a.index.places(1)
			values = append(values, a.placedArg(place, 0))
			places = append(places, place...)
			a.optionalComma()
		}
		if len(values) == 0 {
			values = []string{""}
		}
	}
	a.each(name, values, places, ok)
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
	a.each(name, values, nil, ok)
}

// each expands a loop over values, which stand at places as far as those are known.
func (a *assembler) each(name string, values []string, places []place, ok bool) {
	at := a.i
	body, closed := a.collectLoop()
	if !ok || !closed {
		return
	}
	m := &macro{params: []param{{name: name}}, alt: a.altmacro}
	pieces := m.pieces(body.text)
	var b strings.Builder
	origin := a.index.expansion()
	for k, v := range values {
		for i := range pieces {
			switch p := &pieces[i]; p.arg {
			case pieceText:
				origin.add(b.Len(), body.at, p.off)
				b.WriteString(p.text)
			case pieceCount:
				origin.nowhere(b.Len())
				b.WriteString(strconv.Itoa(a.expansions))
			case 0:
				if k < len(places) {
					origin.add(b.Len(), places[k], 0)
				} else {
					origin.nowhere(b.Len())
				}
				b.WriteString(v)
			default: // LOCAL names
				origin.nowhere(b.Len())
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
	a.loop(b.String(), body, origin)
}

// Exceptions that stop the program in their handler, or that the user is told of: the user chooses which.

package debug

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp"
)

// Handling is the answer of the debugger to an exception.
type Handling struct {
	Vector uint8
	Name   string // one word
	Title  string // as in messages
	Stop   bool   // the program stops, at the first instruction of the handler if it is entered
	Print  bool   // the user is told
	Pass   bool   // the handler is entered; a setting of the machine
}

// exceptions are those that concern the user. The machine stops at them while it runs forwards only: the
// past is not searched for them.
type exceptions struct {
	chosen map[uint8]Handling
	told   func(text string)
}

// OnException names who is told of exceptions that do not stop the program.
func (d *Debugger) OnException(tell func(text string)) { d.exceptions.told = tell }

// Exceptions returns the exceptions of the core, by vector, as they are handled unless somebody asks for more.
func Exceptions() []Handling {
	var list []Handling
	for _, v := range arcv2dsp.Vectors() {
		title := arcv2dsp.VectorName(v)
		list = append(list, Handling{Vector: v, Name: ExceptionWord(v), Title: title, Pass: true})
	}
	return list
}

// ExceptionWord is the name of an exception in one word.
func ExceptionWord(vector uint8) string {
	return strings.ReplaceAll(arcv2dsp.VectorName(vector), " ", "")
}

// Handlings returns how all exceptions are handled, by vector.
func (d *Debugger) Handlings() []Handling {
	list := Exceptions()
	for i := range list {
		h := &list[i]
		h.Pass = d.m.ExceptionAction(h.Vector) != arcv2dsp.StopBefore
		if chosen, ok := d.exceptions.chosen[h.Vector]; ok {
			h.Stop, h.Print = chosen.Stop, chosen.Print
		}
		if !h.Pass {
			h.Stop, h.Print = true, true
		}
	}
	return list
}

// Handle changes whether an exception stops the program and is told.
func (d *Debugger) Handle(h Handling) error {
	switch passes := d.m.ExceptionAction(h.Vector) != arcv2dsp.StopBefore; {
	case passes && !h.Pass:
		return errors.New("exceptions reach their handler; only memory_exception_interrupt=0 and invalid_instruction_interrupt=0 keep theirs from it")
	case !passes && (h.Pass || !h.Stop):
		return errors.New("the properties of the machine end the run at it")
	}
	if d.exceptions.chosen == nil {
		d.exceptions.chosen = map[uint8]Handling{}
	}
	h.Print = h.Print || h.Stop
	d.exceptions.chosen[h.Vector] = h
	return nil
}

// FindHandling returns the exception with a name, the beginning of one, or a vector.
func (d *Debugger) FindHandling(text string) (Handling, error) {
	var found []Handling
	var names []string
	n, err := strconv.ParseUint(text, 0, 8)
	for _, h := range d.Handlings() {
		names = append(names, h.Name)
		name, word := strings.ToLower(h.Name), strings.ToLower(text)
		switch {
		case err == nil && uint8(n) == h.Vector, name == word:
			return h, nil
		case strings.HasPrefix(name, word):
			found = append(found, h)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return Handling{}, fmt.Errorf("no exception %q: there are %s", text, strings.Join(names, ", "))
}

// armExceptions makes the machine stop at the exceptions that concern the user, or no longer.
func (d *Debugger) armExceptions(on bool) {
	for v, h := range d.exceptions.chosen {
		switch {
		case d.m.ExceptionAction(v) == arcv2dsp.StopBefore: // a setting of the machine
		case on && (h.Stop || h.Print):
			d.m.OnException(v, arcv2dsp.StopInside)
		default:
			d.m.OnException(v, arcv2dsp.PassException)
		}
	}
}

// raised decides about an exception whose handler was entered.
func (d *Debugger) raised(e arcv2dsp.Exception) (stop Stop, over bool) {
	text := Placed(d.m, e)
	if d.exceptions.chosen[e.Vector].Stop {
		return Stop{Stop: arcv2dsp.Stop{Reason: arcv2dsp.StopHandler, Exception: e}, Text: text}, true
	}
	if d.exceptions.told != nil {
		d.exceptions.told(text)
	}
	return Stop{}, false
}

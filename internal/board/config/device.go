package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Device is one memory-mapped device of nsim_mem-dev.
type Device struct {
	Name string // instance, such as uart0
	Kind DeviceKind
	Base uint32
	IRQ  uint32
	Pins []PinChange // of a DWGPIO: the levels from outside at port A, by rising cycles
	Hz   uint32      // of a DWRTC: units a second, 0 for 1
}

// DeviceKind is a kind of device, as nsim_mem-dev names it.
type DeviceKind string

// The kinds of devices.
const (
	DWUART  DeviceKind = "dwuart"
	DWGPIO  DeviceKind = "dwgpio"
	DWTimer DeviceKind = "dwtimer"
	DWWDT   DeviceKind = "dwwdt"
	DWRTC   DeviceKind = "dwrtc"
)

// PinChange is the level of pins from a cycle on.
type PinChange struct {
	Cycle uint64
	Pins  uint32
}

// deviceRow describes a kind of device.
type deviceRow struct {
	kind DeviceKind
	// key is the setting that only this kind has, and value the form of its value; empty for a kind without one.
	key, value string
}

// deviceRows has a row for each kind.
var deviceRows = []deviceRow{
	{kind: DWUART},
	{kind: DWGPIO, key: "pins", value: "CYCLE:PINS/..."},
	{kind: DWTimer},
	{kind: DWWDT},
	{kind: DWRTC, key: "hz", value: "N"},
}

// deviceHelp is the help of nsim_mem-dev.
func deviceHelp() string {
	var kinds []string
	for _, r := range deviceRows {
		text := string(r.kind)
		if r.key != "" {
			text += fmt.Sprintf(" (%s=%s)", r.key, r.value)
		}
		kinds = append(kinds, text)
	}
	return "device: name,kind=KIND,base=ADDRESS,irq=NUMBER; " + strings.Join(kinds, ", ")
}

// deviceKinds lists the kinds.
func deviceKinds() (list []string) {
	for _, r := range deviceRows {
		list = append(list, string(r.kind))
	}
	return list
}

// deviceKeys lists the settings of a device.
func deviceKeys() string {
	list := []string{"kind", "base", "irq"}
	for _, r := range deviceRows {
		if r.key != "" {
			list = append(list, fmt.Sprintf("%s (%s)", r.key, r.kind))
		}
	}
	return strings.Join(list, ", ")
}

// deviceList collects "name,kind=..,base=..,irq=.." entries; a name given again replaces the former
// entry.
type deviceList struct{ p *[]Device }

func (v deviceList) set(text string) error {
	name, rest, _ := strings.Cut(text, ",")
	d := Device{Name: name}
	if name == "" || strings.Contains(name, "=") {
		return fmt.Errorf("%q does not start with the name of a device", text)
	}
	var keys []string
	for field := range strings.SplitSeq(rest, ",") {
		key, val, ok := strings.Cut(field, "=")
		if !ok {
			return fmt.Errorf("%q in %q is not key=value", field, text)
		}
		var err error
		switch key {
		case "kind":
			d.Kind = DeviceKind(val)
		case "base":
			d.Base, err = parseUint(val)
		case "irq":
			d.IRQ, err = parseUint(val)
		case "pins":
			d.Pins, err = parsePins(val)
		case "hz":
			d.Hz, err = parseUint(val)
		default:
			return fmt.Errorf("a device has no %q, there is %s", key, deviceKeys())
		}
		if err != nil {
			return err
		}
		keys = append(keys, key)
	}
	if !slices.Contains(deviceKinds(), string(d.Kind)) {
		return fmt.Errorf("device kind %q is not simulated, %s are", d.Kind, strings.Join(deviceKinds(), ", "))
	}
	for _, r := range deviceRows {
		if r.key != "" && r.kind != d.Kind && slices.Contains(keys, r.key) {
			return fmt.Errorf("%s is a setting of a %s, %s is a %s", r.key, r.kind, d.Name, d.Kind)
		}
	}
	if d.Base&3 != 0 {
		return fmt.Errorf("base %#x of %s is not a multiple of 4", d.Base, d.Name)
	}
	if d.IRQ != 0 && (d.IRQ < 16 || d.IRQ > 255) {
		return fmt.Errorf("irq %d of %s is not 16 to 255", d.IRQ, d.Name)
	}
	at := slices.IndexFunc(*v.p, func(o Device) bool { return o.Name == d.Name })
	if at >= 0 {
		(*v.p)[at] = d
	} else {
		*v.p = append(*v.p, d)
	}
	return nil
}

func (v deviceList) String() string {
	var list []string
	for _, d := range *v.p {
		text := fmt.Sprintf("%s,kind=%s,base=%#x,irq=%d", d.Name, d.Kind, d.Base, d.IRQ)
		sep := ",pins="
		for _, p := range d.Pins {
			text += fmt.Sprintf("%s%d:%#x", sep, p.Cycle, p.Pins)
			sep = "/"
		}
		if d.Hz != 0 {
			text += fmt.Sprintf(",hz=%d", d.Hz)
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// parsePins reads CYCLE:PINS/CYCLE:PINS, by rising cycles.
func parsePins(text string) ([]PinChange, error) {
	var list []PinChange
	for change := range strings.SplitSeq(text, "/") {
		at, pins, ok := strings.Cut(change, ":")
		cycle, err := strconv.ParseUint(at, 0, 63)
		if !ok || err != nil {
			return nil, fmt.Errorf("%q in pins=%s is not CYCLE:PINS", change, text)
		}
		v, err := parseUint(pins)
		if err != nil {
			return nil, err
		}
		if n := len(list); n > 0 && list[n-1].Cycle >= cycle {
			return nil, fmt.Errorf("the cycles of pins=%s do not rise", text)
		}
		list = append(list, PinChange{Cycle: cycle, Pins: v})
	}
	return list, nil
}

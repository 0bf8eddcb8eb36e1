package config

import (
	"fmt"
	"maps"
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

	Aux    bool              // its registers are auxiliary registers of the core
	Silent bool              // of a DWUART: nothing is connected to it
	Size   uint32            // of a Bank: bytes
	Reads  map[uint32]uint32 // of a Bank: words that read as they stand here, by offset
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
	Bank    DeviceKind = "bank"
)

// PinChange is the level of pins from a cycle on.
type PinChange struct {
	Cycle uint64
	Pins  uint32
}

// deviceRow describes a kind of device.
type deviceRow struct {
	kind DeviceKind
	own  []deviceKey // settings that only this kind has
}

// deviceKey is a setting of a device.
type deviceKey struct {
	name string
	form string // of its value
	set  func(d *Device, value string) error
	text func(d *Device) string // the value, "" for the one without a setting
}

// everyDevice are the settings of every kind.
var everyDevice = []deviceKey{
	{name: "kind", form: "KIND",
		set:  func(d *Device, value string) error { d.Kind = DeviceKind(value); return nil },
		text: func(d *Device) string { return string(d.Kind) }},
	{name: "base", form: "ADDRESS",
		set:  func(d *Device, value string) (err error) { d.Base, err = parseUint(value); return err },
		text: func(d *Device) string { return fmt.Sprintf("%#x", d.Base) }},
	{name: "irq", form: "NUMBER",
		set:  func(d *Device, value string) (err error) { d.IRQ, err = parseUint(value); return err },
		text: func(d *Device) string { return strconv.FormatUint(uint64(d.IRQ), 10) }},
	{name: "space", form: "aux",
		set: func(d *Device, value string) error {
			d.Aux = value == "aux"
			return word{&value, []string{"memory", "aux"}}.set(value)
		},
		text: func(d *Device) string { return wordIf(d.Aux, "aux") }},
}

// wordIf is a word of a setting that is on.
func wordIf(on bool, word string) string {
	if on {
		return word
	}
	return ""
}

// deviceRows has a row for each kind.
var deviceRows = []deviceRow{
	{kind: DWUART, own: []deviceKey{{name: "line", form: "none",
		set: func(d *Device, value string) error {
			d.Silent = value == "none"
			return word{&value, []string{"console", "none"}}.set(value)
		},
		text: func(d *Device) string { return wordIf(d.Silent, "none") }}}},
	{kind: DWGPIO, own: []deviceKey{{name: "pins", form: "CYCLE:PINS/...",
		set:  func(d *Device, value string) (err error) { d.Pins, err = parsePins(value); return err },
		text: func(d *Device) string { return pinsText(d.Pins) }}}},
	{kind: DWTimer},
	{kind: DWWDT},
	{kind: DWRTC, own: []deviceKey{{name: "hz", form: "N",
		set: func(d *Device, value string) (err error) { d.Hz, err = parseUint(value); return err },
		text: func(d *Device) string {
			if d.Hz == 0 {
				return ""
			}
			return strconv.FormatUint(uint64(d.Hz), 10)
		}}}},
	{kind: Bank, own: []deviceKey{
		{name: "size", form: "BYTES",
			set:  func(d *Device, value string) (err error) { d.Size, err = parseSize(value); return err },
			text: func(d *Device) string { return fmt.Sprintf("%#x", d.Size) }},
		{name: "reads", form: "OFFSET:VALUE/...",
			set:  func(d *Device, value string) (err error) { d.Reads, err = parseReads(value); return err },
			text: func(d *Device) string { return readsText(d.Reads) }}}},
}

// keysOf are the settings of a kind, those of every kind first.
func keysOf(kind DeviceKind) []deviceKey {
	list := slices.Clone(everyDevice)
	for _, r := range deviceRows {
		if r.kind == kind {
			list = append(list, r.own...)
		}
	}
	return list
}

// deviceHelp is the help of nsim_mem-dev.
func deviceHelp() string {
	var every, kinds []string
	for _, k := range everyDevice {
		every = append(every, k.name+"="+k.form)
	}
	for _, r := range deviceRows {
		text := string(r.kind)
		var own []string
		for _, k := range r.own {
			own = append(own, k.name+"="+k.form)
		}
		if own != nil {
			text += " (" + strings.Join(own, ", ") + ")"
		}
		kinds = append(kinds, text)
	}
	return "device: name," + strings.Join(every, ",") + "; " + strings.Join(kinds, ", ")
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
	var list []string
	for _, k := range everyDevice {
		list = append(list, k.name)
	}
	for _, r := range deviceRows {
		for _, k := range r.own {
			list = append(list, fmt.Sprintf("%s (%s)", k.name, r.kind))
		}
	}
	return strings.Join(list, ", ")
}

// deviceKeyNamed finds a setting, and the kind that alone has it, "" for one of every kind.
func deviceKeyNamed(name string) (key deviceKey, kind DeviceKind, ok bool) {
	named := func(k deviceKey) bool { return k.name == name }
	if i := slices.IndexFunc(everyDevice, named); i >= 0 {
		return everyDevice[i], "", true
	}
	for _, r := range deviceRows {
		if i := slices.IndexFunc(r.own, named); i >= 0 {
			return r.own[i], r.kind, true
		}
	}
	return deviceKey{}, "", false
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
	owner := map[DeviceKind]string{} // kinds, by settings given that only they have
	for field := range strings.SplitSeq(rest, ",") {
		key, val, ok := strings.Cut(field, "=")
		if !ok {
			return fmt.Errorf("%q in %q is not key=value", field, text)
		}
		k, kind, ok := deviceKeyNamed(key)
		if !ok {
			return fmt.Errorf("a device has no %q, there is %s", key, deviceKeys())
		}
		if err := k.set(&d, val); err != nil {
			return err
		}
		if kind != "" {
			owner[kind] = key
		}
	}
	if !slices.Contains(deviceKinds(), string(d.Kind)) {
		return fmt.Errorf("device kind %q is not simulated, %s are", d.Kind, strings.Join(deviceKinds(), ", "))
	}
	for _, r := range deviceRows {
		if key, ok := owner[r.kind]; ok && r.kind != d.Kind {
			return fmt.Errorf("%s is a setting of a %s, %s is a %s", key, r.kind, d.Name, d.Kind)
		}
	}
	if d.Kind == Bank && (d.Size == 0 || d.Size > maxBank || d.Size&3 != 0) {
		return fmt.Errorf("bank %s has %d bytes: a multiple of 4 up to %d", d.Name, d.Size, maxBank)
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
	for i := range *v.p {
		d := &(*v.p)[i]
		text := d.Name
		for _, k := range keysOf(d.Kind) {
			if value := k.text(d); value != "" {
				text += "," + k.name + "=" + value
			}
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// maxBank bounds a bank of registers.
const maxBank = 1 << 20

// pinsText is the inverse of parsePins.
func pinsText(pins []PinChange) string {
	var list []string
	for _, p := range pins {
		list = append(list, fmt.Sprintf("%d:%#x", p.Cycle, p.Pins))
	}
	return strings.Join(list, "/")
}

// parseReads reads OFFSET:VALUE/OFFSET:VALUE.
func parseReads(text string) (map[uint32]uint32, error) {
	reads := map[uint32]uint32{}
	for pair := range strings.SplitSeq(text, "/") {
		at, value, ok := strings.Cut(pair, ":")
		if !ok {
			return nil, fmt.Errorf("%q in reads=%s is not OFFSET:VALUE", pair, text)
		}
		offset, err := parseUint(at)
		if err != nil {
			return nil, err
		}
		if offset&3 != 0 {
			return nil, fmt.Errorf("offset %#x in reads=%s is not a multiple of 4", offset, text)
		}
		if reads[offset], err = parseUint(value); err != nil {
			return nil, err
		}
	}
	return reads, nil
}

// readsText is the inverse of parseReads.
func readsText(reads map[uint32]uint32) string {
	var list []string
	for _, at := range slices.Sorted(maps.Keys(reads)) {
		list = append(list, fmt.Sprintf("%#x:%#x", at, reads[at]))
	}
	return strings.Join(list, "/")
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

package config

import (
	"fmt"
	"slices"
	"strings"
)

// Memory is a memory of a board outside the core.
type Memory struct {
	Name string
	Base uint32
	Size uint32 // bytes, a multiple of the page size
	ROM  bool   // programs cannot write it

	// First and Next are the wait states of the first word of an access and of each word that follows in a burst.
	First, Next uint8
	Waits       WaitOrigin
}

// WaitOrigin says where wait states are from.
type WaitOrigin string

// Where wait states are from: a user gave them, they follow from a published figure, or nothing is known.
const (
	WaitsGiven     WaitOrigin = "given"
	WaitsPublished WaitOrigin = "published"
	WaitsAssumed   WaitOrigin = "assumed"
)

// memoryHelp is the help of memory.
const memoryHelp = "memory of the board outside the core: name,base=ADDRESS,size=BYTES,first=N,next=N with the wait states of the first " +
	"and of each following word of an access; kind=rom for one that programs cannot write, size=0 or the word none alone for none; waits=published or " +
	"assumed says where wait states are from"

// noMemory stands for no memory outside the core.
const noMemory = "none"

// coreMemoryNames are the names that memories of the core have.
var coreMemoryNames = []string{"iccm", "iccm1", "dccm", "xccm", "yccm", "ram", noMemory}

// memoryList collects "name,base=..,size=.." entries; a name given again replaces the former entry.
type memoryList struct{ p *[]Memory }

func (v memoryList) set(text string) error {
	if text == noMemory {
		*v.p = nil
		return nil
	}
	m, err := parseMemory(text)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(*v.p, func(o Memory) bool { return o.Name == m.Name })
	switch {
	case m.Size == 0 && at >= 0:
		*v.p = slices.Delete(slices.Clone(*v.p), at, at+1)
	case m.Size == 0:
	case at >= 0:
		(*v.p)[at] = m
	default:
		*v.p = append(*v.p, m)
	}
	return nil
}

func parseMemory(text string) (Memory, error) {
	name, rest, _ := strings.Cut(text, ",")
	m := Memory{Name: name, Waits: WaitsGiven}
	switch {
	case name == "" || strings.ContainsAny(name, "= "):
		return m, fmt.Errorf("%q does not start with the name of a memory", text)
	case slices.Contains(coreMemoryNames, name):
		return m, fmt.Errorf("%s is a memory of the core, which has properties of its own", name)
	}
	sized := false
	for field := range strings.SplitSeq(rest, ",") {
		key, val, ok := strings.Cut(field, "=")
		if !ok {
			return m, fmt.Errorf("%q in %q is not key=value", field, text)
		}
		if err := m.field(key, val); err != nil {
			return m, err
		}
		sized = sized || key == "size"
	}
	switch {
	case !sized:
		return m, fmt.Errorf("memory %s has no size", name)
	case (m.Base|m.Size)&(memoryPage-1) != 0:
		return m, fmt.Errorf("memory %s at %#x with %#x bytes: both are multiples of %d", name, m.Base, m.Size, memoryPage)
	case uint64(m.Base)+uint64(m.Size) > 1<<32:
		return m, fmt.Errorf("memory %s at %#x with %#x bytes does not fit the address space", name, m.Base, m.Size)
	}
	return m, nil
}

// memoryPage is what addresses and sizes of memories are multiples of.
const memoryPage = 4096

// field sets what one key says.
func (m *Memory) field(key, val string) (err error) {
	switch key {
	case "base":
		return address(&m.Base).set(val)
	case "size":
		m.Size, err = parseSize(val)
		return err
	case "first":
		return upTo(&m.First, 255).set(val)
	case "next":
		return upTo(&m.Next, 255).set(val)
	case "kind":
		m.ROM = val == "rom"
		return word{&val, []string{"ram", "rom"}}.set(val)
	case "waits":
		m.Waits = WaitOrigin(val)
		return word{&val, []string{string(WaitsGiven), string(WaitsPublished), string(WaitsAssumed)}}.set(val)
	}
	return fmt.Errorf("a memory has no %q, there is base, size, first, next, kind, waits", key)
}

func (v memoryList) String() string {
	if len(*v.p) == 0 {
		return noMemory
	}
	var list []string
	for _, m := range *v.p {
		text := fmt.Sprintf("%s,base=%#x,size=%#x,first=%d,next=%d", m.Name, m.Base, m.Size, m.First, m.Next)
		if m.ROM {
			text += ",kind=rom"
		}
		list = append(list, text+",waits="+string(m.Waits))
	}
	return strings.Join(list, " ")
}

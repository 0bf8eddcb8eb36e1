package elfarc

import (
	"testing"
)

// FuzzRead: no bytes make the object reader panic, and what it accepts as an object can be written and
// read again.
func FuzzRead(f *testing.F) {
	for _, big := range []bool{false, true} {
		b, err := sample(big).Bytes()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(data)
		if err != nil {
			return
		}
		out, err := file.Bytes()
		if err != nil {
			return
		}
		if _, err := Read(out); err != nil {
			t.Fatalf("cannot read what was written: %v", err)
		}
	})
}

// FuzzReadArchive: no bytes make the archive reader panic.
func FuzzReadArchive(f *testing.F) {
	b, err := sample(false).Bytes()
	if err != nil {
		f.Fatal(err)
	}
	a, err := (&Archive{Members: []*Member{{Name: "a.o", Data: b}, {Name: "a_rather_long_name.o", Data: b}}}).Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(a)
	f.Add([]byte(archiveMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ReadArchive(data)
		if err != nil {
			return
		}
		for _, m := range a.Members {
			if len(m.Data) > len(data) {
				t.Fatal("member larger than its archive")
			}
		}
	})
}

// FuzzDecodeAttrs: attributes that decode, encode to attributes that decode the same.
func FuzzDecodeAttrs(f *testing.F) {
	f.Add(Attrs{{Tag: TagCPUBase, Num: 3}, {Tag: TagCPUName, Str: "em4"}, {Tag: TagAtrVersion, Num: 1}}.Encode(false))
	f.Fuzz(func(t *testing.T, data []byte) {
		attrs, err := DecodeAttrs(data, false)
		if err != nil {
			return
		}
		again, err := DecodeAttrs(attrs.Encode(false), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range again {
			if attrs.Get(a.Tag) != a {
				t.Fatalf("tag %d: %v became %v", a.Tag, attrs.Get(a.Tag), a)
			}
		}
	})
}

package disasm_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"arcv2dsp/asm/disasm"
	"arcv2dsp/internal/elfarc"
	"arcv2dsp/isa"
)

func TestCmp(t *testing.T) {
	names, _ := filepath.Glob(os.Getenv("ELFS"))
	bad := 0
	for _, n := range names {
		data, _ := os.ReadFile(n)
		f, err := elfarc.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		l := disasm.Listing{Relocs: os.Getenv("REL") != ""}
		l.Features = disasm.FileFeatures(f)
		cpu := "cpu=em4,dsp"
		if l.Features.Has(isa.HS) {
			cpu = "cpu=hs4xd,dsp"
		}
		l.Decoder = isa.NewDecoder(l.Features)
		var buf bytes.Buffer
		l.File(&buf, n, f)
		arg := "-d"
		if l.Relocs {
			arg = "-dr"
		}
		want, err := exec.Command("arc-linux-gnu-objdump", arg, "-M", cpu, n).Output()
		if err != nil {
			t.Fatal(err)
		}
		g, w := strings.Split(buf.String(), "\n"), strings.Split(string(want), "\n")
		for i := range max(len(g), len(w)) {
			a, b := "", ""
			if i < len(g) {
				a = g[i]
			}
			if i < len(w) {
				b = w[i]
			}
			if a != b {
				bad++
				fmt.Printf("%s:%d\n  got  %q\n  want %q\n", filepath.Base(n), i, a, b)
				break
			}
		}
	}
	fmt.Println(len(names), "files", bad, "differ")
}

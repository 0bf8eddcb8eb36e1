package link

import (
	"os"
	"strings"
	"testing"
	"fmt"
)

func TestTry(t *testing.T) {
	args := strings.Fields(os.Getenv("TRY"))
	if len(args) == 0 { t.Skip() }
	var o Options
	var ins []Input
	out := "/tmp/link/try.elf"
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-T": i++; b, _ := os.ReadFile(args[i]); o.Script = &Script{Name: args[i], Text: string(b)}
		case a == "-o": i++; out = args[i]
		case a == "--gc-sections": o.GCSections = true
		case a == "-M": o.Map = os.Stdout
		default:
			b, err := os.ReadFile(a)
			if err != nil { t.Fatal(err) }
			ins = append(ins, Input{Name: a, Data: b})
		}
	}
	im, err := Link(o, ins)
	if err != nil { t.Fatal(err) }
	for _, w := range im.Warnings { fmt.Println("warning:", w) }
	b, err := im.Bytes()
	if err != nil { t.Fatal(err) }
	os.WriteFile(out, b, 0o755)
}

package mlir_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/network/mlir"
)

// printed runs mlir-opt on pieces of text, each a module of its own, and returns what it prints of those that it takes. The name
// @fN of a function tells the piece.
func printed(t *testing.T, pieces []string) map[string]string {
	t.Helper()
	cmd := exec.Command(gnutools.MLIROpt(t), "--split-input-file", "--allow-unregistered-dialect")
	cmd.Stdin = strings.NewReader(strings.Join(pieces, "\n// -----\n"))
	var faults bytes.Buffer
	cmd.Stderr = &faults
	out, _ := cmd.Output() // the status tells that some pieces were refused
	require.NotEmpty(t, out, faults.String())
	taken := map[string]string{}
	name := regexp.MustCompile(`@f[0-9]+`)
	for part := range strings.SplitSeq(string(out), "// -----") {
		if n := name.FindString(part); n != "" {
			taken[n] = part
		}
	}
	return taken
}

// typeMaker writes quantized types, most of them with one mistake at the most.
type typeMaker struct{ *rand.Rand }

func (m typeMaker) pick(of ...string) string { return of[m.IntN(len(of))] }

// seldom is a text that few types have.
func (m typeMaker) seldom(n int, text, usual string) string {
	if m.IntN(n) == 0 {
		return text
	}
	return usual
}

func (m typeMaker) storage() (text string, lo, hi int64) {
	bits := []int{8, 8, 8, 16, 4, 5, 1, 2, 32, 31, 33, 0}[m.IntN(12)]
	signed := m.IntN(2) == 0
	lo, hi = 0, 1<<min(bits, 40)-1
	text = fmt.Sprintf("u%d", bits)
	if signed {
		lo, hi = -1<<min(max(bits, 1)-1, 40), 1<<min(max(bits, 1)-1, 40)-1
		text = fmt.Sprintf("i%d", bits)
	}
	if m.IntN(3) == 0 {
		a, b := lo+m.Int64N(4)-m.Int64N(2)*m.Int64N(2), hi-m.Int64N(4)+m.Int64N(2)*m.Int64N(2)
		text += fmt.Sprintf("<%d%s%d>", a, m.seldom(20, ",", ":"), b)
		lo, hi = a, b
	}
	return m.seldom(30, m.pick("f32", "index", "x8", "8"), text), lo, hi
}

func (m typeMaker) scale() string {
	text := m.pick("1.0", "0.5", "2.0e-3", "1.5E+2", "127.25", "0.0078125", "3.0e-30", "1.", "1.0e38", "9.9e-41")
	return m.seldom(15, m.pick("1", "-1.0", "0.0", "-0.5e3", "1e3", ".5", "one", "0x1p3"), text)
}

func (m typeMaker) zero(lo, hi int64) string {
	if m.IntN(2) == 0 {
		return ""
	}
	zero := lo
	if hi > lo {
		zero += m.Int64N(hi - lo + 1)
	}
	return ":" + m.seldom(20, fmt.Sprint(hi+1), fmt.Sprint(zero))
}

func (m typeMaker) text() string {
	storage, lo, hi := m.storage()
	expressed := m.seldom(20, m.pick("i8", "index", "f31"), m.pick("f32", "f32", "f16", "bf16", "f64"))
	comma := m.seldom(40, "", ",")
	switch m.IntN(6) {
	case 0:
		text := "!quant.any<" + storage
		if m.IntN(3) > 0 {
			text += ":" + expressed
		}
		return text + ">"
	case 1:
		return fmt.Sprintf("!quant.calibrated<%s<%s:%s>>", expressed, m.pick("-1.0", "0.0", "-3.5e2", "2.0"), m.pick("1.0", "0.5", "7.25", "-2.0"))
	case 2, 3:
		n := 1 + m.IntN(4)
		var list []string
		for range n {
			list = append(list, m.scale()+m.zero(lo, hi))
		}
		return fmt.Sprintf("!quant.uniform<%s:%s:%s%s {%s}>", storage, expressed, m.seldom(20, "-1", fmt.Sprint(m.IntN(4))), comma, strings.Join(list, m.pick(",", ", ")))
	}
	return fmt.Sprintf("!quant.uniform<%s:%s%s %s%s>", storage, expressed, comma, m.scale(), m.zero(lo, hi))
}

// TestRandomTypesBesideMLIR: random quantized types are printed and refused as by mlir-opt.
func TestRandomTypesBesideMLIR(t *testing.T) {
	count := level.Count(5000, 1000, 200)
	m := typeMaker{rand.New(rand.NewPCG(28, 5000))}
	texts := make([]string, count)
	pieces := make([]string, count)
	for i := range texts {
		texts[i] = m.text()
		pieces[i] = fmt.Sprintf("func.func private @f%d(%s)", i, texts[i])
	}
	taken, refused := printed(t, pieces), 0
	for i, text := range texts {
		want, ok := taken[fmt.Sprintf("@f%d", i)]
		module, err := mlir.Parse("t.mlir", pieces[i])
		if !ok {
			refused++
			require.Error(t, err, "mlir-opt refuses %s", text)
			continue
		}
		require.NoError(t, err, "mlir-opt takes %s", text)
		require.Contains(t, want, strings.TrimSpace(module.String()))
	}
	require.Greater(t, refused, count/10)
	require.Less(t, refused, count/2)
}

// TestCastsBesideMLIR: what mlir-opt refuses is refused, and what it takes is taken, unless shapes or elements differ: release 19
// does not look at them, later ones refuse such casts.
func TestCastsBesideMLIR(t *testing.T) {
	m := typeMaker{rand.New(rand.NewPCG(28, 200))}
	const count = 200
	var pieces, texts []string
	var agree []bool
	for i := range count {
		shape := m.pick("%s", "tensor<%s>", "tensor<2x3x%s>", "tensor<?x3x%s>", "tensor<*x%s>", "vector<4x%s>", "tensor<4x%s>")
		other := m.seldom(4, m.pick("%s", "tensor<2x3x%s>", "tensor<?x3x%s>", "tensor<*x%s>", "vector<4x%s>"), shape)
		row := [][3]string{ // a type, its storage, its reals
			{"!quant.uniform<i8:f32, 2.0:1>", "i8", "f32"}, {"!quant.uniform<u8:f16, 0.5>", "i8", "f16"},
			{"!quant.uniform<i8:f32:1, {1.0,2.0,3.0}>", "i8", "f32"}, {"!quant.uniform<i16:f32, 1.0>", "i16", "f32"},
		}[m.IntN(4)]
		op := m.pick("qcast", "dcast", "scast")
		right := row[2]
		if op == "scast" {
			right = row[1]
		}
		plain := m.seldom(5, m.pick("f32", "f16", "i8", "i16", "u8"), right)
		from, to := fmt.Sprintf(shape, plain), fmt.Sprintf(other, row[0])
		if op == "dcast" || op == "scast" && m.IntN(2) == 0 {
			from, to = fmt.Sprintf(shape, row[0]), fmt.Sprintf(other, plain)
		}
		perAxis := strings.Contains(row[0], "{")
		agree = append(agree, shape == other && plain == right &&
			(!perAxis || strings.Contains(shape, "2x3") || strings.Contains(shape, "?x3") || strings.Contains(shape, "*")))
		pieces = append(pieces, fmt.Sprintf("func.func @f%d(%%arg0: %s) -> %s {\n  %%0 = \"quant.%s\"(%%arg0) : (%s) -> %s\n  return %%0 : %s\n}", i, from, to, op, from, to, to))
		texts = append(texts, fmt.Sprintf("%s %s to %s", op, from, to))
	}
	taken, counts := printed(t, pieces), map[string]int{}
	for i := range pieces {
		_, ok := taken[fmt.Sprintf("@f%d", i)]
		_, err := mlir.Parse("t.mlir", pieces[i])
		switch {
		case !ok:
			counts["refused"]++
			require.Error(t, err, "mlir-opt refuses %s", texts[i])
		case agree[i]:
			counts["taken"]++
			require.NoError(t, err, "mlir-opt takes %s", texts[i])
		default:
			counts["sides differ"]++
			require.Error(t, err, "the sides of %s differ", texts[i])
		}
	}
	require.Greater(t, min(counts["refused"], counts["taken"], counts["sides differ"]), 10, "%v", counts)
}

package timing

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
)

// TestDocIsFresh holds docs/timing.md against the tables; -update rewrites it.
func TestDocIsFresh(t *testing.T) {
	goldenfile.File(t, "../../../docs/timing.md", string(renderDoc(t)))
}

func renderDoc(t *testing.T) []byte {
	var b bytes.Buffer
	b.WriteString(docIntro)
	b.WriteString("\n## Reasons\n\n| reason | when |\n|---|---|\n")
	for _, r := range reasons {
		fmt.Fprintf(&b, "| %s | %s |\n", r.name, r.about)
	}
	b.WriteString(docModel)

	family := readTable(family)
	b.WriteString("\n## Numbers of the EM family\n\n")
	fmt.Fprintf(&b, "%s.\n\n", upperFirst(family.About))
	numberTable(&b, family, family.Core)
	b.WriteString("\n## Cores\n")
	for _, name := range Cores() {
		core, err := ReadTable(name)
		require.NoError(t, err)
		fmt.Fprintf(&b, "\n### %s\n\n%s.", core.Core, upperFirst(core.About))
		own := 0
		for _, n := range core.Numbers {
			if n.Core == name {
				own++
			}
		}
		if own == 0 {
			b.WriteString(" All numbers are those of the family.\n")
			continue
		}
		b.WriteString(" Numbers that differ from the family:\n\n")
		numberTable(&b, core, name)
	}
	b.WriteString("\n## How sure\n\n| confidence | numbers |\n|---|--:|\n")
	count := map[string]int{}
	for _, name := range append(Cores(), family.Core) {
		core := readTable(name)
		for _, n := range core.Numbers {
			if n.Core == name {
				count[n.Confidence]++
			}
		}
	}
	for _, c := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(&b, "| %s | %d |\n", c, count[c])
	}
	publishedTable(t, &b)
	return b.Bytes()
}

// publishedRow is a row of published.toml.
type publishedRow struct {
	What, Kind, Core, Program, Subject, Conditions, Source string
	Published, Half, Modelled, Instructions                float64
	Figures                                                int // that it stands for, 0 for one
}

// deviation is that of the model, in percent.
func (r *publishedRow) deviation() float64 { return 100 * (r.Modelled/r.Published - 1) }

// beyond is the absolute deviation from the nearest number that would have been printed so, in percent.
func (r *publishedRow) beyond() float64 {
	return 100 * max(0, math.Abs(r.Modelled-r.Published)-r.Half) / r.Published
}

// recomputed says how the model's cycles are got.
func (r *publishedRow) recomputed() string {
	if r.Program+r.Subject != "" {
		return "test, " + r.Core
	}
	return "by hand"
}

// maxError is the error that a row of the table of errors may have without an explanation, meanError the mean of all of
// them, in percent.
const maxError, meanError, leastFigures = 10, 3, 20

// roundedMost is the half unit of the last printed digit that a figure may have, as part of it, for its plain deviation to
// tell something.
const roundedMost = 0.05

// publishedTable holds published cycles against those of the model.
func publishedTable(t *testing.T, b *bytes.Buffer) {
	var f struct{ Row []publishedRow }
	_, err := toml.DecodeFile("published.toml", &f)
	require.NoError(t, err)
	kinds := map[string][]publishedRow{}
	for _, row := range f.Row {
		require.NotEmpty(t, row.Conditions, row.What)
		require.Positive(t, row.Half, row.What)
		kinds[row.Kind] = append(kinds[row.Kind], row)
	}
	require.Len(t, kinds, 4)
	figures, programs, exact, largest := 0, 0, 0, publishedRow{}
	var sum, sumPrograms, sumExact, largestExact float64
	for _, row := range kinds["independent"] {
		n := max(row.Figures, 1)
		figures += n
		sum += float64(n) * row.beyond()
		if row.Figures == 0 {
			programs++
			sumPrograms += row.beyond()
			if row.Half <= row.Published*roundedMost {
				exact++
				sumExact += math.Abs(row.deviation())
				largestExact = max(largestExact, math.Abs(row.deviation()))
			}
		}
		if row.beyond() > largest.beyondOr(0) {
			largest = row
		}
	}
	require.GreaterOrEqual(t, figures, leastFigures)
	require.LessOrEqual(t, sum/float64(figures), float64(meanError))
	require.LessOrEqual(t, sumPrograms/float64(programs), float64(meanError))
	require.LessOrEqual(t, largest.beyond(), float64(maxError))
	require.LessOrEqual(t, sumExact/float64(exact), float64(meanError))
	fmt.Fprintf(b, docErrors, figures, sum/float64(figures), programs, sumPrograms/float64(programs), largest.beyond(), largest.What,
		exact, sumExact/float64(exact), largestExact)
	for _, row := range kinds["independent"] {
		fmt.Fprintf(b, "| %s | %s | %.0f | %.0f | %+.1f %% | %.1f %% | %s | %s |\n", row.What, row.Conditions, row.Published, row.Modelled,
			row.deviation(), row.beyond(), row.recomputed(), row.Source)
	}
	b.WriteString(docOther)
	for _, kind := range []string{"other", "used"} {
		for _, row := range kinds[kind] {
			fmt.Fprintf(b, "| %s | %s | %.0f | %.0f | %+.1f %% | %s | %s |\n", row.What, row.Conditions, row.Published, row.Modelled,
				row.deviation(), row.recomputed(), row.Source)
		}
	}
	b.WriteString(docSimulators)
	for _, row := range kinds["simulator"] {
		fmt.Fprintf(b, "| %s | %s | %.0f | %.0f | %+.1f %% | %.0f | %+.1f %% | %s |\n", row.What, row.Conditions, row.Published, row.Instructions,
			100*(row.Instructions/row.Published-1), row.Modelled, row.deviation(), row.Source)
	}
}

// beyondOr is beyond, or another number where there is no row.
func (r *publishedRow) beyondOr(none float64) float64 {
	if r.Published == 0 {
		return none
	}
	return r.beyond()
}

const docErrors = `
## Table of errors

%d figures of silicon or of the vendor that no number of the model was taken from. **Mean error %.1f %%; of the %d programs alone
%.1f %%; largest %.1f %%: %s.** The error is the distance from the nearest number that would have been printed as the figure is;
the deviation is from the figure itself; over the %d programs whose figures have two digits or more its mean is %.1f %%, its
largest %.1f %%. *test* means that TestPublishedCycles of internal/measure/bench recomputes the row, *by
hand* that the program cannot be in the repository. The numbers of the model are not chosen to fit the rows.

The rows cover loops, loads, AGU ports, X/Y memory, and compiled kernels on EM cores without caches. No row covers interrupts,
exceptions, caches, external memory or HS cores: figures there have no stated error.

| what | conditions | published | modelled | deviation | error | recomputed | source |
|---|---|--:|--:|--:|--:|---|---|
`

const docOther = `
## Figures that are no measure of the model

Other code than the published one, a part of it, or a figure that a number of the model was taken from. They bound the model at
best: the published averages lie between two functions of the vendor's library, and person detection in the simulator lacks what stands in its
conditions.

| what | conditions | published | modelled | deviation | recomputed | source |
|---|---|--:|--:|--:|---|---|
`

const docSimulators = `
## Figures of instruction-set simulators

Published as cycles, most likely counted by a simulator that takes one cycle for each instruction, entries of interrupts included:
*int to task* ends in a return that restores 17 registers, and its 22 instructions with 17 registers do not fit in the published 24
cycles net of the measurement. Without the measurement itself the root mean square deviation over the ten rows is 7 to 9 % for
instructions and 43 to 56 % for cycles, and no set of costs comes near. That is an inference, no proof. ` + "`--timing one`" + ` counts as such simulators
do; no number of the model rests on these rows.

| what | conditions | published | instructions here | deviation | cycles here | deviation | source |
|---|---|--:|--:|--:|--:|--:|---|
`

// numberTable lists the numbers that the table of the given core states itself.
func numberTable(b *bytes.Buffer, t *Table, core string) {
	b.WriteString("| number | value | confidence | source |\n|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(t.Numbers)) {
		n := t.Numbers[name]
		if n.Core != core {
			continue
		}
		value := fmt.Sprint(n.Value)
		if n.Table != nil {
			value = strings.Trim(fmt.Sprint(n.Table), "[]")
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", name, value, n.Confidence, n.Source)
	}
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

const docIntro = `<!-- Generated from cpu/internal/timing/tables by go test ./cpu/internal/timing -update; do not edit. -->

# Cycle model

This page describes how the cycles are counted that ` + "`" + `--stat` + "`" + `, profiles and benchmarks show, and
gives the source of each number.

The model is approximate. The table of errors at the end holds it against cycle counts of silicon and of
the vendor that are public. Every number below has a source and a confidence:

* *documented*: public option help, build registers or pages of the vendor.
* *compiler*: the scheduling model of a compiler for the core.
* *assumed*: a decision of this project, listed in docs/validation.md where it is one of several
  possible.

Every instruction takes one issue cycle. Each further cycle has one of the reasons below. At every
instruction boundary and in every engine,

    sum of the stalls by reason = cycles - instructions

holds exactly.
`

const docModel = `
## Model

The pipeline is in order and issues one instruction per cycle. An instruction that needs a result
still on its way waits for it. The longest wait counts, with the reason of that wait.

* **Loads** deliver one cycle late (load_use). A base register that is written back is ready at
  once.
* **Multiplies** deliver according to mpy_option (columns 0 to 9 of the lists): with latency 1 the
  next instruction may use the product. Products of MACs and multiplies arrive mac_use cycles later
  if the field cycles of MULTIPLY_BUILD says so (property mac_cycles). An accumulator is forwarded
  to the next MAC without a stall. Reading r58 or r59 as a register after a MAC is a use.
* **Divide and square root** run beside the pipeline. An instruction that reads or overwrites their
  result, or needs the divider, waits. DIV also writes r59. The lists are indexed by div_rem_option
  and dsp_divsqrt_option: 1 radix-2, 2 radix-4.
* **Floating point** delivers late as well, and the unit takes an operation every cycle. Division
  and square root run beside the pipeline and share the divider. The lists of products are indexed
  by fpu_fast_mpy_option, those of quotients and roots by fpu_fast_div_option, those of FPX by
  compact and fast. The flags of a comparison, and an accumulator that is not named, are ready at
  once.
* **Branches and jumps** cost their penalty when taken, less with a delay slot, nothing when not
  taken. BRcc, BBIT and DBNZ are predicted taken when they lead backwards; the prediction bit of the
  encoding inverts that. A branch that is predicted taken and waits for its operands has its target
  fetched meanwhile, so the wait hides the penalty. LP whose condition fails branches to the loop
  end. The end of a zero-overhead loop costs nothing, whether it loops or falls through.
* **Fetch** runs ahead of the pipeline and is 32 bits wide: long immediates, and instructions across
  words, cost nothing. jli_s, ei_s and ldi read their table before they go on. An ei_s whose entry
  branches counts as a jump, whatever kind of branch the entry is.
* **enter_s and leave_s** move one register per cycle. **ex** and **scond** access memory twice.
  These cycles count as bank-conflict.
* **AGU ports**: X, Y and DCCM serve one read per cycle each. Further reads of the same bank by one
  instruction are conflicts. An access outside these memories costs xy_miss. A store goes to the
  write buffer of its bank. The buffer drains one store per cycle in which the storing instruction
  does not read the bank; a store stalls only when the buffer is full. An unaligned access costs a
  cycle unless the memory is interleaved: nsim_isa_xy_interleave decides for X and Y,
  nsim_isa_dccm_interleave for the DCCM. Loads and stores without ports take one cycle in either
  case.
* **Wait states** belong to a memory and count per load and store. The property memory sets those of a
  board's memories, for the first word and for each that follows in a burst; benchmark suites set them for the
  memory of kernels. A data cache in front of a memory meets them when it fills a line, and so does an instruction cache. Without
  an instruction cache each word of code costs those of a word in a burst, while operands arrive, and a taken branch begins a new
  burst. A core without a board has flat memory, which has none.
* **Caches** are modelled where the core has them: em6, em7d, em11d, and other cores by the
  properties icache and dcache; 0 takes them away. Every fetch, load and store outside the closely
  coupled memories then goes through a set-associative model of the configured size, line and ways
  with least-recently-used replacement. AGU ports do not. The registers that an interrupt saves and
  restores go through the data cache as well. A miss costs cache_fill_start plus cache_fill_word per
  word of the line, and the wait states of the memory behind. A dirty line that is replaced or flushed costs
  as much again, without wait states (DEVIATION 171); an operation on a line through an auxiliary
  register costs 13 cycles (DEVIATION 256). A cache that IC_CTRL or DC_CTRL turns off costs the wait states of the memory.
* **Exceptions and interrupts** cost their entry, the registers that the core saves itself, and the
  return. An instruction that ends in an exception takes its cycle without counting as executed, so
  that cycle is lost to the exception too; swi and trap_s count as executed.

## DMA

The micro-DMA controller works beside the core and takes no cycle from it (DEVIATION 262). It serves
one channel at a time, in turns. A turn takes

* a cycle in which a channel is chosen,
* a cycle for each word of a pointer and a descriptor that it reads,
* two cycles for each element,
* the wait states of each access.

So 64 words by a descriptor in memory take 1 + 5 + 2 * 64 cycles. The elements of a turn are in
memory from its last cycle on, for the instruction that begins then.
`

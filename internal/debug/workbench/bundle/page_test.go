package bundle

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/browser"
	"arcv2dsp/internal/dev/testkit/npm"
)

// patience is how long the page may take for what it is asked: the machine of tests is slow, and WebAssembly a sixth of that.
const patience = 2 * time.Minute

// shown opens a view of the page, which a fragment of its address names, when the simulator is there.
func shown(t *testing.T, fragment string) *browser.Page {
	t.Helper()
	npm.Needed(t)
	p := browser.OpenURL(t, served(t)+"/index.html"+fragment)
	p.Size(1280, 800)
	until(t, p, `document.documentElement.dataset.ready === "yes"`)
	require.NotContains(t, p.Text(`document.getElementById("status").textContent`), "does not start")
	return p
}

// until waits for a condition.
func until(t *testing.T, p *browser.Page, condition string) {
	t.Helper()
	for late := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		var is bool
		p.Eval("Boolean("+condition+")", &is)
		if is {
			return
		}
		require.True(t, time.Now().Before(late), "%s is not; %s; %v", condition, p.Text(`document.getElementById("status").textContent`), p.Console())
	}
}

// click clicks a button when that can be.
func click(t *testing.T, p *browser.Page, id string) {
	t.Helper()
	until(t, p, fmt.Sprintf(`!document.getElementById(%q).disabled`, id))
	p.Eval(fmt.Sprintf(`document.getElementById(%q).click()`, id), nil)
}

// choose opens a tab.
func choose(p *browser.Page, panel string) {
	p.Eval(fmt.Sprintf(`document.getElementById(%q).click()`, "tab-"+panel), nil)
}

// source is a fragment with a program.
func source(text string) string {
	return "#source=" + strings.NewReplacer("\n", "%0A", "\t", "%09", "#", "%23", " ", "%20").Replace(text)
}

const (
	firstNumber = `document.querySelector("#numbers b").textContent`
	place       = `document.getElementById("place").textContent`
	status      = `document.getElementById("status").textContent`
)

// still does something and expects that the page does not move by itself meanwhile.
func still(t *testing.T, p *browser.Page, do func()) {
	t.Helper()
	p.Eval(`globalThis.shift = 0; (globalThis.watch = new PerformanceObserver(list => { for (const e of list.getEntries()) shift += e.value; })).observe({ type: "layout-shift" })`, nil)
	do()
	var shift float64
	p.Eval("new Promise(done => setTimeout(() => { watch.disconnect(); done(shift); }, 200))", &shift)
	require.Zero(t, shift, "the page moves")
}

// TestProgram: the page runs the dot product, which gives 44, shows its timeline, and goes through it in the debugger: to a
// breakpoint, by steps, backwards, to the cursor and to the end.
func TestProgram(t *testing.T) {
	p := shown(t, "")
	still(t, p, func() {
		click(t, p, "run")
		until(t, p, firstNumber+` === "44"`)
	})
	require.Equal(t, "24", p.Text(`document.querySelectorAll("#numbers b")[1].textContent`))
	choose(p, "timeline")
	until(t, p, `document.querySelectorAll("#timeline .row").length === 20`)
	require.Contains(t, p.Text(`document.querySelectorAll("#timeline .row")[8].textContent`), "r4 is not there yet")
	p.Picture("timeline", 1280, 800)

	click(t, p, "debug")
	until(t, p, place+`.includes("line 5,")`)
	lines := `[...document.querySelectorAll("#program .cm-lineNumbers .cm-gutterElement")].slice(1)`
	p.Eval(`(() => {
		const at = `+lines+`[12].getBoundingClientRect();
		document.querySelector("#program .breakpoints").dispatchEvent(new MouseEvent("mousedown", { bubbles: true, clientX: at.left - 8, clientY: at.top + 5, button: 0 }));
	})()`, nil)
	until(t, p, `document.querySelectorAll("#program .breakpoints .dot").length === 2`) // one of them gives the gutter its width
	still(t, p, func() {
		click(t, p, "debug-continue")
		until(t, p, place+`.startsWith("at a breakpoint") && `+place+`.includes("line 13,")`)
		click(t, p, "debug-step")
		until(t, p, place+`.includes("line 11,")`)
	})
	require.Contains(t, p.Text(`document.getElementById("state-accumulators").textContent`), "guard0x000x00")
	require.Equal(t, "3", p.Text(`document.querySelector("#state-accumulators tr:nth-child(3) td:nth-child(2)").textContent`)) // 1*1 + 2*1
	click(t, p, "debug-back")
	until(t, p, place+`.includes("line 13,")`)
	require.Equal(t, "0", p.Text(`document.querySelector("#state-accumulators tr:nth-child(3) td:nth-child(2)").textContent`))
	p.Picture("debugger", 1280, 800)
	p.Eval(`document.querySelector("#program .breakpoints").dispatchEvent(new MouseEvent("mousedown", { bubbles: true, clientY: `+lines+`[12].getBoundingClientRect().top + 5, button: 0 }))`, nil)
	until(t, p, `document.querySelectorAll("#program .breakpoints .dot").length === 1`)
	click(t, p, "debug-continue")
	until(t, p, place+`.includes("ended with status 44")`)
	click(t, p, "debug-back")
	until(t, p, place+`.includes("line 15,")`)
	click(t, p, "stop")
	require.Empty(t, p.Console())
}

// TestFirstVisit: who opens the page for the first time gets a result without the module of kernels and networks, which comes when a view
// asks for it, again where the network has failed. The log has what that takes.
func TestFirstVisit(t *testing.T) {
	p := shown(t, "")
	now := func() (ms float64) {
		p.Eval(`performance.now()`, &ms)
		return ms
	}
	var loaded []string
	packed := `performance.getEntriesByType("resource").map(e => e.name.split("/").pop()).filter(name => name.endsWith(".gz"))`
	ready := now()
	click(t, p, "run")
	until(t, p, firstNumber+` === "44"`)
	first := now()
	var bytes int
	p.Eval(`performance.getEntriesByType("resource").reduce((sum, e) => sum + e.encodedBodySize, 0)`, &bytes)
	t.Logf("ready after %.0f ms, the first result after %.0f ms, %d bytes", ready, first, bytes)
	p.Eval(packed, &loaded)
	require.Equal(t, []string{programsFile}, loaded)
	p.Eval(`(() => { const real = fetch; globalThis.fetch = async () => { globalThis.fetch = real; throw new Error("no network"); }; })()`, nil)
	choose(p, "kernel")
	until(t, p, status+` === "no network"`) // and the next try succeeds
	before := now()
	click(t, p, "kernel-reset")
	until(t, p, `document.querySelector("#kernel-numbers b").textContent === "equal"`)
	t.Logf("the first kernel %.0f ms later", now()-before)
	p.Eval(packed, &loaded)
	require.Equal(t, []string{programsFile, wholeFile}, loaded)
	require.Empty(t, p.Console())
}

// TestEndless: a program that never ends and one that prints without end leave the page usable, and Stop ends them at once.
func TestEndless(t *testing.T) {
	for _, text := range []string{
		"\t.global __start\n__start:\tb __start\n",
		"\t.global __start\n__start:\tmov r8,4\n\tmov r0,1\n\tmov r1,text\n\tmov r2,40\n\tswi\n\tnop\n\tb __start\n\t.data\ntext:\t.rept 40\n\t.byte 'x'\n\t.endr\n",
	} {
		p := shown(t, source(text))
		click(t, p, "run")
		until(t, p, `!document.getElementById("stop").disabled`)
		time.Sleep(2 * time.Second)
		var late float64
		p.Eval(`new Promise(done => { const from = performance.now(); setTimeout(() => done(performance.now() - from), 10); })`, &late)
		require.Less(t, late, 2000.0, "the page hangs")
		before := time.Now()
		click(t, p, "stop")
		until(t, p, status+` === "Stopped."`)
		require.Less(t, time.Since(before), 5*time.Second)
		require.Empty(t, p.Console())
	}
}

// TestErrors: messages of the assembler stand at their lines, from a run and while one types.
func TestErrors(t *testing.T) {
	p := shown(t, source("\t.text\n\t.global __start\n__start:\n\tmov r0\n\tflag 1\n"))
	click(t, p, "run")
	until(t, p, `document.querySelector(".cm-lintRange-error")?.closest(".cm-line").textContent.includes("mov r0")`)
	until(t, p, `document.getElementById("text").textContent.includes("program.s:4:2: mov does not take these operands")`)
	require.Empty(t, p.Console())
}

// TestExamples runs every program that the page offers. What they give is calculated by hand: the sum of squares up to 256 has
// 128 in its last byte, the filter of the FIR example gives 32, the handler of the interrupt writes ten dots.
func TestExamples(t *testing.T) {
	p := shown(t, "")
	for _, example := range []struct{ name, begins, status, prints string }{
		{name: "ports", begins: "both operands on ports", status: "128"}, {name: "fir", begins: "FIR filter", status: "32"},
		{name: "interrupt", begins: "timer interrupt", prints: ".........."}, {name: "dot", begins: "Dot product", status: "44"},
	} {
		p.Eval(fmt.Sprintf(`(() => { const s = document.getElementById("example"); s.value = %q; s.dispatchEvent(new Event("change")); })()`, example.name), nil)
		until(t, p, fmt.Sprintf(`document.querySelector("#program .cm-line").textContent.includes(%q)`, example.begins))
		click(t, p, "run")
		until(t, p, `/^\d+$/.test(`+firstNumber+`)`)
		if example.status != "" {
			require.Equal(t, example.status, p.Text(firstNumber), example.name)
		}
		require.Equal(t, example.prints, p.Text(`document.getElementById("text").textContent`), example.name)
	}
	require.Empty(t, p.Console())
}

// TestKernel: a kernel shows cycles beside its lines and its result beside the golden one; a change of its source changes both.
func TestKernel(t *testing.T) {
	p := shown(t, "#kernel")
	first := `document.querySelector("#kernel-numbers b").textContent`
	until(t, p, first+` === "equal"`)
	var native, cycles struct{ Cycles uint64 }
	dir := t.TempDir()
	require.NoError(t, json.Unmarshal([]byte(npm.Tool(t, dir, npm.Command(t, dir), "kernels", "run", "--json", "mli_krn_relu_fx16")), &native))
	p.Eval(`({ cycles: Number(document.querySelectorAll("#kernel-numbers b")[1].textContent.replaceAll(",", "")) })`, &cycles)
	require.Equal(t, native, cycles)
	var costs int
	p.Eval(`document.querySelectorAll(".costs .cost").length`, &costs)
	require.Greater(t, costs, 5)
	p.Picture("kernel", 1280, 800)
	choose(p, "kernel-lines")
	p.Eval(`document.querySelector("#kernel-lines button").click()`, nil) // the hottest line, to which the cursor goes
	require.Contains(t, p.Text(`document.querySelector("#kernel .cm-activeLine").textContent`), "vmax2h")
	p.Eval(`(() => { document.execCommand("insertText", false, "\tadd r0,r0,0\n"); })()`, nil)
	click(t, p, "kernel-run")
	until(t, p, `document.querySelector("#kernel-numbers").textContent.includes("cycles, +512")`)
	require.Equal(t, "equal", p.Text(first))
	p.Eval(`document.execCommand("insertText", false, "\tmov r7,5\n")`, nil)
	click(t, p, "kernel-run")
	until(t, p, first+` === "differs"`)
	require.Contains(t, p.Text(`document.getElementById("kernel-result").textContent`), "elements differ")
	require.Empty(t, p.Console())
}

// TestNetwork: a network that is dropped shows the cycles that the command gives it, layer by layer, and leads to its kernels.
func TestNetwork(t *testing.T) {
	p := shown(t, "#network")
	dir := t.TempDir()
	command := npm.Command(t, dir)
	npm.Tool(t, dir, command, "model", "export", "keywords")
	data, err := os.ReadFile(filepath.Join(dir, "keywords.tflite"))
	require.NoError(t, err)
	c := exec.Command(command, "model", "bench", "--json", "--placed", "--core", "em9d", "keywords.tflite")
	c.Dir = dir
	out, err := c.Output()
	require.NoError(t, err)
	var results []struct {
		Cycles uint64
		Layers []struct{ Cycles uint64 }
	}
	require.NoError(t, json.Unmarshal(out, &results))
	p.Eval(fmt.Sprintf(`(() => {
		const transfer = new DataTransfer();
		transfer.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], "keywords.tflite"));
		document.querySelector("#network .drop").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
	})()`, base64.StdEncoding.EncodeToString(data)), nil)
	number := `Number(document.querySelector("#network-numbers b").textContent.replaceAll(",", ""))`
	until(t, p, number+` > 0`)
	var cycles uint64
	p.Eval(number, &cycles)
	require.Equal(t, results[0].Cycles, cycles)
	var layers []uint64
	p.Eval(`[...document.querySelectorAll("#network-layers tbody tr")].map(tr => Number(tr.cells[5].textContent.replaceAll(",", "")))`, &layers)
	require.Len(t, layers, len(results[0].Layers))
	for i, l := range results[0].Layers {
		require.Equal(t, l.Cycles, layers[i], "layer %d", i)
	}
	p.Picture("network", 1280, 800)
	p.Eval(`document.querySelector("#network-layers button.link").click()`, nil)
	until(t, p, `document.getElementById("kernel-name").value === "arcq_conv2d_s8" && document.querySelector("#kernel-numbers b").textContent === "equal"`)
	require.Empty(t, p.Console())
}

// TestShared: the address that Share makes has source, core and properties.
func TestShared(t *testing.T) {
	p := shown(t, source("; mine\n\t.global __start\n__start:\tmov r0,7\n\tflag 1\n"))
	p.Eval(`(() => { const c = document.getElementById("core"); c.value = "em5d"; c.dispatchEvent(new Event("change")); })()`, nil)
	click(t, p, "share")
	until(t, p, `location.hash.startsWith("#program=")`)
	address := p.Text(`location.href`)
	other := browser.OpenURL(t, address)
	until(t, other, `document.documentElement.dataset.ready === "yes"`)
	require.Equal(t, "; mine", other.Text(`document.querySelector(".cm-line").textContent`))
	require.Equal(t, "em5d", other.Text(`document.getElementById("core").value`))
	click(t, other, "run")
	until(t, other, firstNumber+` === "7"`)
	require.Empty(t, other.Console())
}

// long is a program of more than ten thousand instructions.
const long = "\t.global __start\n__start:\tmov r1,6000\n1:\tadd r0,r0,r1\n\tmpy r2,r0,r1\n\tadd r3,r2,1\n\tdbnz r1,1b\n\tflag 1\n"

// TestScroll: a timeline of ten thousand instructions scrolls at sixty frames a second as far as the page is concerned: a frame
// takes less processor time than that. Only rows in view are there.
func TestScroll(t *testing.T) {
	p := shown(t, source(long))
	choose(p, "timeline")
	click(t, p, "run")
	until(t, p, `document.querySelector("#timeline [aria-rowcount]")?.getAttribute("aria-rowcount") === "10000"`)
	const frames = 240
	before := p.Busy()
	p.Eval(fmt.Sprintf(`(async () => {
		const view = document.querySelector(".timeline");
		for (let i = 1; i <= %d; i++) {
			view.scrollTop = i * 800;
			await new Promise(requestAnimationFrame);
		}
	})()`, frames), nil)
	took := (p.Busy() - before) / frames
	t.Logf("%v for a frame", took)
	require.Less(t, took, time.Second/60)
	var rows int
	p.Eval(`document.querySelectorAll("#timeline .row").length`, &rows)
	require.Less(t, rows, 100)
	require.Empty(t, p.Console())
}

// TestLooks shows each view with contents at all widths, light and dark, and has axe look for what a screen reader or a
// keyboard misses.
func TestLooks(t *testing.T) {
	npm.Needed(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("npm")))
	npm.Tool(t, dir, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	axe, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	require.NoError(t, err)
	p := shown(t, "")
	p.Eval(string(axe), nil)
	look := func(name string) {
		browser.Readable(t, p, "workbench-"+name)
		for _, dark := range []bool{false, true} {
			p.Dark(dark)
			var faults []string
			p.Eval(`axe.run({ iframes: false }).then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + n.target + " " + n.failureSummary)))`, &faults)
			require.Empty(t, faults, "%s, dark %v", name, dark)
		}
		p.Size(1280, 800)
	}
	click(t, p, "run")
	until(t, p, firstNumber+` === "44"`)
	look("output")
	choose(p, "timeline")
	until(t, p, `document.querySelectorAll("#timeline .row").length > 10`)
	look("timeline")
	click(t, p, "debug")
	until(t, p, place+`.includes("line 5,")`)
	look("debugger")
	choose(p, "kernel")
	until(t, p, `document.querySelector("#kernel-numbers b").textContent === "equal"`)
	look("kernel")
	choose(p, "network")
	p.Eval(`(() => { const s = document.getElementById("network-name"); s.value = "keywords"; s.dispatchEvent(new Event("change")); })()`, nil)
	until(t, p, `document.querySelectorAll("#network-layers tr").length > 10`)
	look("network")
	choose(p, "network-memory")
	look("memory")
}

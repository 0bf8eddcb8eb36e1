package dap

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	protocol "github.com/google/go-dap"
	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
)

const (
	sortO0  = "../../../testdata/elf/small/sort-em4_dmips-O0.elf"
	hello   = "../../../testdata/guest/elf/hello.elf"
	illegal = "../../../testdata/guest/elf/illegal.elf"
	tasks   = "../../../testdata/guest/elf/tasks.elf"
	source  = "../../../cmd/arcsim/testdata/src"
)

// open makes programs as arcsim debug --dap does.
func open(a Arguments, out io.Writer, _ func(string)) (*Program, error) {
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: a.Core, Stdout: out, Stderr: out, Args: append([]string{a.Program}, a.Args...)})
	if err != nil {
		return nil, err
	}
	if err := m.LoadFile(a.Program); err != nil {
		_ = m.Close() // the first error counts
		return nil, err
	}
	d, err := debug.New(m, debug.Options{SourceDirs: a.SourceDirs})
	if err != nil {
		return nil, err
	}
	return &Program{Debugger: d, Close: func() { _, _ = d.Close(), m.Close() }}, nil
}

// client is the other end of a session.
type client struct {
	t      testing.TB
	conn   net.Conn
	r      *bufio.Reader
	seq    int
	events []protocol.EventMessage
	done   chan error
}

func connect(t testing.TB, opt Options) *client {
	t.Helper()
	ours, theirs := net.Pipe()
	c := &client{t: t, conn: ours, r: bufio.NewReader(ours), done: make(chan error, 1)}
	go func() {
		c.done <- Serve(context.Background(), theirs, opt)
		_ = theirs.Close() // a pipe
	}()
	t.Cleanup(func() { _ = ours.Close() })
	return c
}

// message reads the next one; events are kept.
func (c *client) message() protocol.Message {
	c.t.Helper()
	require.NoError(c.t, c.conn.SetReadDeadline(time.Now().Add(2*time.Minute)))
	m, err := protocol.ReadProtocolMessage(c.r)
	require.NoError(c.t, err)
	if e, ok := m.(protocol.EventMessage); ok {
		c.events = append(c.events, e)
	}
	return m
}

// ask sends a request and returns the answer to it.
func (c *client) ask(command string, arguments any) protocol.ResponseMessage {
	c.t.Helper()
	c.seq++
	data, err := json.Marshal(map[string]any{"seq": c.seq, "type": "request", "command": command, "arguments": arguments})
	require.NoError(c.t, err)
	require.NoError(c.t, protocol.WriteBaseMessage(c.conn, data))
	for {
		if r, ok := c.message().(protocol.ResponseMessage); ok {
			require.Equal(c.t, c.seq, r.GetResponse().RequestSeq)
			return r
		}
	}
}

// must is ask for what succeeds.
func must[R protocol.ResponseMessage](c *client, command string, arguments any) R {
	c.t.Helper()
	m := c.ask(command, arguments)
	require.True(c.t, m.GetResponse().Success, "%s: %s", command, m.GetResponse().Message)
	r, ok := m.(R)
	require.True(c.t, ok, "%T", m)
	return r
}

// refuse is ask for what fails; the reason must contain a text.
func (c *client) refuse(command string, arguments any, want string) {
	c.t.Helper()
	r := c.ask(command, arguments).GetResponse()
	require.False(c.t, r.Success, command)
	require.Contains(c.t, r.Message, want, command)
}

// event_ returns the next event of a kind.
func event_[E protocol.EventMessage](c *client) E {
	c.t.Helper()
	for {
		for i, e := range c.events {
			if want, ok := e.(E); ok {
				c.events = append(c.events[:i:i], c.events[i+1:]...)
				return want
			}
		}
		c.message()
	}
}

func (c *client) stopped(reason string) *protocol.StoppedEvent {
	c.t.Helper()
	e := event_[*protocol.StoppedEvent](c)
	require.Equal(c.t, reason, e.Body.Reason, "%+v", e.Body)
	return e
}

// launch starts a program up to its first instruction.
func launch(t testing.TB, a map[string]any) *client {
	t.Helper()
	return launchBy(t, open, a)
}

// launchBy launches a program that is made by open.
func launchBy(t testing.TB, open func(Arguments, io.Writer, func(string)) (*Program, error), a map[string]any) *client {
	t.Helper()
	c := connect(t, Options{Launch: open})
	must[*protocol.InitializeResponse](c, "initialize", map[string]any{"adapterID": "arcsim"})
	a["stopOnEntry"] = true
	must[*protocol.LaunchResponse](c, "launch", a)
	event_[*protocol.InitializedEvent](c)
	return c
}

func (c *client) configured() {
	c.t.Helper()
	must[*protocol.ConfigurationDoneResponse](c, "configurationDone", nil)
	c.stopped("entry")
}

func (c *client) top() protocol.StackFrame {
	c.t.Helper()
	return must[*protocol.StackTraceResponse](c, "stackTrace", map[string]any{"threadId": 1, "levels": 1}).Body.StackFrames[0]
}

func (c *client) eval(expr string) string {
	c.t.Helper()
	return must[*protocol.EvaluateResponse](c, "evaluate", map[string]any{"expression": expr}).Body.Result
}

// TestSession: breakpoints of all kinds, steps in both directions, variables, memory, the end. The results of the
// program are in testdata/elf/small/expected.tsv.
func TestSession(t *testing.T) {
	c := launch(t, map[string]any{"program": sortO0, "sourceDirectories": []string{source}, "stopOnExit": true})
	file := map[string]any{"path": "/elsewhere/src/sort.c"}
	bps := must[*protocol.SetBreakpointsResponse](c, "setBreakpoints", map[string]any{"source": file, "breakpoints": []map[string]any{
		{"line": 10, "hitCondition": "3"}, {"line": 100000},
	}}).Body.Breakpoints
	require.Len(t, bps, 2)
	require.True(t, bps[0].Verified)
	require.Equal(t, 10, bps[0].Line)
	require.False(t, bps[1].Verified)
	require.Contains(t, bps[1].Message, "no line 100000")
	c.configured()

	must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
	stop := c.stopped("breakpoint")
	require.Equal(t, []int{bps[0].Id}, stop.Body.HitBreakpointIds)
	frame := c.top()
	require.Equal(t, "insertion", frame.Name)
	require.Equal(t, 10, frame.Line)
	require.Equal(t, "3", c.eval("i"), "the third time")
	require.True(t, strings.HasSuffix(frame.Source.Path, "testdata/src/sort.c"), frame.Source.Path)

	scopes := must[*protocol.ScopesResponse](c, "scopes", map[string]any{"frameId": frame.Id}).Body.Scopes
	vars := map[string]protocol.Variable{}
	refs := map[string]int{}
	for _, s := range scopes {
		refs[s.Name] = s.VariablesReference
		for _, v := range must[*protocol.VariablesResponse](c, "variables", map[string]any{"variablesReference": s.VariablesReference}).Body.Variables {
			vars[s.Name+"/"+v.Name] = v
		}
	}
	for _, name := range []string{"Registers/r0", "Registers/status32", "Accumulators/acclo q31", "Address generation/ap0", "Timing/cycles", "Locals/i"} {
		require.Contains(t, vars, name)
	}
	require.Equal(t, "3", vars["Locals/i"].Value)
	require.Equal(t, "200", vars["Arguments/n"].Value)
	set := must[*protocol.SetVariableResponse](c, "setVariable", map[string]any{"variablesReference": refs["Locals"], "name": "i", "value": "7+1"})
	require.Equal(t, "8", set.Body.Value)
	require.Equal(t, "8", c.eval("i"))
	require.Equal(t, "0x8", c.eval("i,x"))
	must[*protocol.SetVariableResponse](c, "setVariable", map[string]any{"variablesReference": refs["Registers"], "name": "r5", "value": "0x1234"})
	require.Equal(t, "4660", c.eval("$r5"))

	// An array: elements in pieces.
	array := must[*protocol.EvaluateResponse](c, "evaluate", map[string]any{"expression": "a", "frameId": frame.Id}).Body
	require.Equal(t, 200, array.IndexedVariables)
	part := must[*protocol.VariablesResponse](c, "variables", map[string]any{"variablesReference": array.VariablesReference, "start": 198, "count": 10}).Body.Variables
	require.Len(t, part, 2)
	require.Equal(t, "[199]", part[1].Name)
	require.Equal(t, c.eval("a[199]"), part[1].Value)

	// Memory as it is written.
	must[*protocol.WriteMemoryResponse](c, "writeMemory", map[string]any{"memoryReference": array.MemoryReference, "data": "AQIDBA=="})
	mem := must[*protocol.ReadMemoryResponse](c, "readMemory", map[string]any{"memoryReference": array.MemoryReference, "count": 4}).Body
	require.Equal(t, "AQIDBA==", mem.Data)
	require.Equal(t, fmt.Sprint(0x04030201), c.eval("a[0]"))

	// Instructions around pc, as many as are asked for.
	list := must[*protocol.DisassembleResponse](c, "disassemble", map[string]any{
		"memoryReference": frame.InstructionPointerReference, "instructionOffset": -5, "instructionCount": 12,
	}).Body.Instructions
	require.Len(t, list, 12)
	require.Equal(t, frame.InstructionPointerReference, list[5].Address)

	// Steps forth and back meet at the same place.
	pc := c.eval("$pc")
	must[*protocol.StepInResponse](c, "stepIn", map[string]any{"threadId": 1, "granularity": "instruction"})
	c.stopped("step")
	require.NotEqual(t, pc, c.eval("$pc"))
	must[*protocol.StepBackResponse](c, "stepBack", map[string]any{"threadId": 1, "granularity": "instruction"})
	c.stopped("breakpoint")
	require.Equal(t, pc, c.eval("$pc"))

	// Function, instruction and data breakpoints.
	must[*protocol.SetBreakpointsResponse](c, "setBreakpoints", map[string]any{"source": file, "breakpoints": []any{}})
	must[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", map[string]any{"breakpoints": []map[string]any{{"name": "mix"}}})
	must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
	c.stopped("function breakpoint")
	trace := must[*protocol.StackTraceResponse](c, "stackTrace", map[string]any{"threadId": 1}).Body
	require.Equal(t, "mix", trace.StackFrames[0].Name)
	require.Equal(t, "run", trace.StackFrames[1].Name)
	must[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", map[string]any{"breakpoints": []any{}})
	must[*protocol.StepOutResponse](c, "stepOut", map[string]any{"threadId": 1})
	c.stopped("step")
	require.Equal(t, "run", c.top().Name)
	info := must[*protocol.DataBreakpointInfoResponse](c, "dataBreakpointInfo", map[string]any{"name": "checksum"}).Body
	require.NotNil(t, info.DataId)
	must[*protocol.SetDataBreakpointsResponse](c, "setDataBreakpoints", map[string]any{"breakpoints": []map[string]any{{"dataId": info.DataId, "accessType": "write"}}})
	must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
	c.stopped("data breakpoint")
	must[*protocol.SetDataBreakpointsResponse](c, "setDataBreakpoints", map[string]any{"breakpoints": []any{}})
	must[*protocol.SetInstructionBreakpointsResponse](c, "setInstructionBreakpoints", map[string]any{"breakpoints": []map[string]any{
		{"instructionReference": frame.InstructionPointerReference},
	}})
	must[*protocol.ReverseContinueResponse](c, "reverseContinue", map[string]any{"threadId": 1})
	c.stopped("instruction breakpoint")
	must[*protocol.SetInstructionBreakpointsResponse](c, "setInstructionBreakpoints", map[string]any{"breakpoints": []any{}})

	// Names, modules, sources.
	names := must[*protocol.CompletionsResponse](c, "completions", map[string]any{"text": "1 + chec", "column": 9}).Body.Targets
	require.Equal(t, "checksum", names[0].Label)
	require.Len(t, must[*protocol.ModulesResponse](c, "modules", nil).Body.Modules, 1)
	require.NotEmpty(t, must[*protocol.LoadedSourcesResponse](c, "loadedSources", nil).Body.Sources)

	// Stopped at the end, the program can still be taken back.
	must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
	c.stopped("exit")
	c.refuse("next", map[string]any{"threadId": 1}, "the program has ended")
	must[*protocol.StepBackResponse](c, "stepBack", map[string]any{"threadId": 1})
	c.stopped("step")
	must[*protocol.RestartResponse](c, "restart", nil)
	c.stopped("entry")
	must[*protocol.DisconnectResponse](c, "disconnect", nil)
	require.NoError(t, <-c.done)
}

// console is a prompt that knows two commands.
type console struct{}

func (console) Execute(_ context.Context, line string, out io.Writer) error {
	_, err := fmt.Fprintln(out, "executed "+line)
	return err
}

func (console) Complete(line string) (word string, list []string) {
	word = line[strings.LastIndexByte(line, ' ')+1:]
	return word, []string{word + "one ", word + "two "}
}

// TestConsole: behind -exec the debug console completes and executes commands of the prompt, else expressions.
func TestConsole(t *testing.T) {
	c := launchBy(t, func(a Arguments, out io.Writer, notice func(string)) (*Program, error) {
		p, err := open(a, out, notice)
		if err == nil {
			p.Prompt = console{}
		}
		return p, err
	}, map[string]any{"program": sortO0})
	c.configured()
	complete := func(text string) []protocol.CompletionItem {
		return must[*protocol.CompletionsResponse](c, "completions", map[string]any{"text": text, "column": len(text) + 1}).Body.Targets
	}
	require.Equal(t, []protocol.CompletionItem{{Label: "done", Start: 11, Length: 1}, {Label: "dtwo", Start: 11, Length: 1}}, complete("-exec info d"))
	require.Equal(t, []protocol.CompletionItem{{Label: "infone", Start: 6, Length: 3}, {Label: "inftwo", Start: 6, Length: 3}}, complete("-exec inf"))
	require.Equal(t, []protocol.CompletionItem{{Label: "checksum", Start: 4, Length: 4}}, complete("1 + chec"))
	got := must[*protocol.EvaluateResponse](c, "evaluate", map[string]any{"expression": "-exec info d", "context": "repl"}).Body.Result
	require.Equal(t, "executed info d", got)
}

// TestOutput: the output of the program arrives before its end, log points print and do not stop, and the end
// says the status.
func TestOutput(t *testing.T) {
	c := launch(t, map[string]any{"program": sortO0, "sourceDirectories": []string{source}})
	must[*protocol.SetBreakpointsResponse](c, "setBreakpoints", map[string]any{"source": map[string]any{"name": "sort.c"}, "breakpoints": []map[string]any{
		{"line": 10, "condition": "i == 3", "logMessage": "i is {i}, {nothing} {open"},
	}})
	c.configured()
	must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
	require.Contains(t, event_[*protocol.OutputEvent](c).Body.Output, "i is 3, {nothing: no symbol")
	require.Equal(t, 0x34, event_[*protocol.ExitedEvent](c).Body.ExitCode)
	event_[*protocol.TerminatedEvent](c)

	c = launch(t, map[string]any{"program": hello, "args": []string{"first", "second"}})
	c.configured()
	must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
	text := ""
	for !strings.Contains(text, "second\n") {
		e := event_[*protocol.OutputEvent](c)
		require.Equal(t, "stdout", e.Body.Category)
		text += e.Body.Output
	}
	require.Equal(t, 3, event_[*protocol.ExitedEvent](c).Body.ExitCode)
}

// TestWhileRunning: a run is paused, gets breakpoints, and is left by a client that disconnects.
func TestWhileRunning(t *testing.T) {
	c := launch(t, map[string]any{"program": "../../../testdata/guest/elf/spin.elf"})
	c.configured()
	must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
	c.refuse("stackTrace", map[string]any{"threadId": 1}, "the program is running")
	c.refuse("continue", map[string]any{"threadId": 1}, "the program is running")
	require.Len(t, must[*protocol.ThreadsResponse](c, "threads", nil).Body.Threads, 1)
	must[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", map[string]any{"breakpoints": []map[string]any{{"name": "nowhere"}}})
	c.refuse("evaluate", map[string]any{"expression": "1"}, "the program is running")
	must[*protocol.PauseResponse](c, "pause", map[string]any{"threadId": 1})
	c.stopped("pause")
	c.refuse("pause", map[string]any{"threadId": 1}, "the program stands")
	require.Equal(t, "1", c.eval("1"))
	must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
	must[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", map[string]any{"breakpoints": []map[string]any{{"name": "spin"}}})
	c.stopped("function breakpoint")
	must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
	c.stopped("function breakpoint")
	must[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", map[string]any{"breakpoints": []any{}})
	must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
	must[*protocol.DisconnectResponse](c, "disconnect", nil)
	require.NoError(t, <-c.done)
}

// TestThreads: tasks of a kernel are threads with stacks of their own.
func TestThreads(t *testing.T) {
	c := launch(t, map[string]any{"program": "../../../testdata/guest/elf/threads.elf"})
	c.configured()
	for range 40 {
		must[*protocol.StepInResponse](c, "stepIn", map[string]any{"threadId": 1, "granularity": "instruction"})
		c.stopped("step")
	}
	list := must[*protocol.ThreadsResponse](c, "threads", nil).Body.Threads
	require.NotEmpty(t, list)
	for _, th := range list {
		frames := must[*protocol.StackTraceResponse](c, "stackTrace", map[string]any{"threadId": th.Id}).Body.StackFrames
		require.NotEmpty(t, frames, th.Name)
	}
}

// TestAttached: a program serves one client after the other and stays where they leave it.
func TestAttached(t *testing.T) {
	console := &Console{}
	p, err := open(Arguments{Program: hello, Args: []string{"first"}}, console, nil)
	require.NoError(t, err)
	defer p.Close()
	opt := Options{Attached: p, Console: console}
	pc := ""
	for i := range 3 {
		c := connect(t, opt)
		must[*protocol.InitializeResponse](c, "initialize", map[string]any{"adapterID": "arcsim", "linesStartAt1": false})
		c.refuse("launch", map[string]any{"program": hello}, "attach to it")
		c.refuse("stackTrace", map[string]any{"threadId": 1}, "no program")
		must[*protocol.AttachResponse](c, "attach", map[string]any{})
		event_[*protocol.InitializedEvent](c)
		c.configured()
		if i > 0 {
			require.Equal(t, pc, c.eval("$pc"))
		}
		must[*protocol.StepInResponse](c, "stepIn", map[string]any{"threadId": 1})
		c.stopped("step")
		pc = c.eval("$pc")
		if i < 2 {
			must[*protocol.DisconnectResponse](c, "disconnect", nil)
			require.NoError(t, <-c.done)
			continue
		}
		must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
		require.Contains(t, event_[*protocol.OutputEvent](c).Body.Output, "hello.elf")
	}
}

// TestExceptions: the exceptions that the client chose stop the program in their handler, the others do not.
func TestExceptions(t *testing.T) {
	c := connect(t, Options{Launch: open})
	filters := must[*protocol.InitializeResponse](c, "initialize", map[string]any{"adapterID": "arcsim"}).Body.ExceptionBreakpointFilters
	require.Contains(t, filters, protocol.ExceptionBreakpointsFilter{
		Filter: "InstructionError", Label: "Instruction Error", Description: "Stop in the handler of this exception",
	})
	must[*protocol.LaunchResponse](c, "launch", map[string]any{"program": illegal})
	event_[*protocol.InitializedEvent](c)
	set := must[*protocol.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", map[string]any{"filters": []string{"InstructionError", "Boredom"}})
	require.True(t, set.Body.Breakpoints[0].Verified)
	require.Equal(t, `no exception "Boredom"`, set.Body.Breakpoints[1].Message)
	must[*protocol.ConfigurationDoneResponse](c, "configurationDone", nil)
	c.stopped("exception")
	require.Equal(t, "unhandled", c.top().Name, "the handler")
	info := must[*protocol.ExceptionInfoResponse](c, "exceptionInfo", map[string]any{"threadId": 1}).Body
	require.Equal(t, "InstructionError", info.ExceptionId)
	require.EqualValues(t, "always", info.BreakMode)
	require.Contains(t, info.Description, "illegal instruction 0x37ffffff, in <victim+0x4>")
	must[*protocol.RestartResponse](c, "restart", nil)
	c.stopped("exception")
	must[*protocol.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", map[string]any{"filters": []string{}})
	must[*protocol.RestartResponse](c, "restart", nil)
	c.stopped("exception") // at its end: nothing handled it
	info = must[*protocol.ExceptionInfoResponse](c, "exceptionInfo", map[string]any{"threadId": 1}).Body
	require.EqualValues(t, "unhandled", info.BreakMode)
}

// TestMalformed: bytes that are no message of the protocol are refused with a reason, and the session goes on.
func TestMalformed(t *testing.T) {
	c := launch(t, map[string]any{"program": hello})
	length := func(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }
	for _, text := range []string{
		length(`{`), length(`[]`), length(`{"seq":"x"}`), length(`{"seq":7,"type":"event","event":"stopped"}`), length(`{"seq":1,"type":"request"}`),
		length(`null`), "Content-Size: 3\r\n\r\n", "Content-Length: -3\r\n\r\n", "nothing\r\n\r\n",
	} {
		_, err := c.conn.Write([]byte(text))
		require.NoError(t, err)
		data, err := protocol.ReadBaseMessage(c.r)
		require.NoError(t, err)
		var r response
		require.NoError(t, json.Unmarshal(data, &r))
		require.False(t, r.Success)
		require.Contains(t, r.Message, "malformed message", text)
	}
	c.refuse("flyAway", nil, "flyAway is not supported")
	c.refuse("stackTrace", []int{1}, "malformed message: arguments")
	c.refuse("launch", map[string]any{"program": hello}, "a program already")
	c.refuse("next", map[string]any{"threadId": 1}, "the configuration is not done")
	c.configured()
	c.refuse("scopes", map[string]any{"frameId": 99}, "no frame 99")
	c.refuse("variables", map[string]any{"variablesReference": 99}, "no variables 99")
	c.refuse("next", map[string]any{"threadId": 77}, "does not run")
	c.refuse("readMemory", map[string]any{"memoryReference": "here", "count": 4}, `"here" is not an address`)
	c.refuse("readMemory", map[string]any{"memoryReference": "0", "offset": -1, "count": 4}, "outside the address space")
	c.refuse("readMemory", map[string]any{"memoryReference": "0", "count": 1 << 30}, "bytes are asked for")
	c.refuse("writeMemory", map[string]any{"memoryReference": "0", "data": "?"}, "not base64")
	c.refuse("disassemble", map[string]any{"memoryReference": "0", "instructionCount": 1 << 30}, "too many")
	c.refuse("evaluate", map[string]any{"expression": "1 +"}, "too early")
	c.refuse("exceptionInfo", map[string]any{"threadId": 1}, "did not stop for an exception")
	c.refuse("setBreakpoints", map[string]any{"source": map[string]any{}}, "no path")
	bad := must[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", map[string]any{"breakpoints": []map[string]any{
		{"name": "_start", "hitCondition": "~3"}, {"name": "_start", "condition": "1 +"}, {"name": "_start", "hitCondition": "% 2"},
	}}).Body.Breakpoints
	require.Contains(t, bad[0].Message, `hit condition "~3"`)
	require.NotEmpty(t, bad[1].Message)
	require.True(t, bad[2].Verified)
}

// TestSpeed: single steps, each with the stop that follows.
func TestSpeed(t *testing.T) {
	c := launch(t, map[string]any{"program": sortO0, "sourceDirectories": []string{source}})
	c.configured()
	const steps = 4000
	began := time.Now()
	for range steps {
		must[*protocol.StepInResponse](c, "stepIn", map[string]any{"threadId": 1, "granularity": "instruction"})
		c.stopped("step")
	}
	rate := steps / time.Since(began).Seconds()
	t.Logf("%.0f steps/s", rate)
	require.Greater(t, rate, 500.0, "2,000 on an idle machine")
}

// framed writes messages as the protocol does.
func framed(messages ...string) []byte {
	var b bytes.Buffer
	for _, m := range messages {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	return b.Bytes()
}

// asked is a request as a client writes it.
func asked(command, arguments string) string {
	return fmt.Sprintf(`{"seq":1,"type":"request","command":%q,"arguments":%s}`, command, arguments)
}

// beginning is how a client starts the program.
var beginning = []string{asked("initialize", `{}`), asked("launch", `{"program":"`+hello+`","stopOnEntry":true}`), asked("configurationDone", `{}`)}

// someArguments are such that any request finds what it needs.
const someArguments = `{"threadId":1,"frameId":1,"variablesReference":1,"memoryReference":"0x100","count":8,"instructionCount":4,"expression":"$pc",` +
	`"breakpoints":[{"line":1,"name":"_start"}],"source":{"path":"a.c"}}`

// survives lets a session read bytes, whatever they ask for; it must end.
func survives(t *testing.T, data []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	launchHello := func(a Arguments, out io.Writer, notice func(string)) (*Program, error) {
		a.Program = hello
		return open(a, out, notice)
	}
	_ = Serve(ctx, struct {
		io.Reader
		io.Writer
	}{bytes.NewReader(data), io.Discard}, Options{Launch: launchHello}) // what it says does not matter
	require.NoError(t, ctx.Err(), "the session does not end")
}

// FuzzSession: no sequence of bytes makes the session panic or hang.
func FuzzSession(f *testing.F) {
	for command := range handlers {
		f.Add(framed(append(slices.Clone(beginning), asked(command, someArguments))...))
	}
	f.Add([]byte("Content-Length: 99999999999\r\n\r\n"))
	f.Fuzz(survives)
}

// FuzzRequests: no messages to a program that stands at its start make the session panic or hang. Each line is a
// message; its frame is always right.
func FuzzRequests(f *testing.F) {
	for command := range handlers {
		f.Add([]byte(asked(command, someArguments) + "\n" + asked("next", `{"threadId":1}`) + "\n" + asked(command, someArguments)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		survives(t, framed(append(slices.Clone(beginning), strings.Split(string(data), "\n")...)...))
	})
}

// TestNoDebug: a program that runs without debugging stops nowhere, whatever was set.
func TestNoDebug(t *testing.T) {
	c := connect(t, Options{Launch: open})
	must[*protocol.InitializeResponse](c, "initialize", map[string]any{"adapterID": "arcsim"})
	must[*protocol.LaunchResponse](c, "launch", map[string]any{"program": sortO0, "sourceDirectories": []string{source}, "noDebug": true})
	event_[*protocol.InitializedEvent](c)
	set := must[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", map[string]any{"breakpoints": []map[string]any{{"name": "mix"}}})
	require.False(t, set.Body.Breakpoints[0].Verified)
	must[*protocol.ConfigurationDoneResponse](c, "configurationDone", nil)
	require.Equal(t, 0x34, event_[*protocol.ExitedEvent](c).Body.ExitCode)
	for _, e := range c.events {
		require.NotEqual(t, "stopped", e.GetEvent().Event)
	}

	c = connect(t, Options{Launch: open})
	must[*protocol.InitializeResponse](c, "initialize", map[string]any{"adapterID": "arcsim"})
	must[*protocol.LaunchResponse](c, "launch", map[string]any{"program": illegal, "noDebug": true})
	event_[*protocol.InitializedEvent](c)
	must[*protocol.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", map[string]any{"filters": []string{"InstructionError"}})
	must[*protocol.ConfigurationDoneResponse](c, "configurationDone", nil)
	c.stopped("exception") // at its end: nothing handled it
	info := must[*protocol.ExceptionInfoResponse](c, "exceptionInfo", map[string]any{"threadId": 1}).Body
	require.EqualValues(t, "unhandled", info.BreakMode)
}

// TestLogPointBackwards: a log point prints nothing while the program goes back over it.
func TestLogPointBackwards(t *testing.T) {
	c := launch(t, map[string]any{"program": sortO0, "sourceDirectories": []string{source}})
	c.configured()
	stop := func(functions ...map[string]any) {
		must[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", map[string]any{"breakpoints": functions})
	}
	stop(map[string]any{"name": "mix"})
	must[*protocol.ContinueResponse](c, "continue", map[string]any{"threadId": 1})
	c.stopped("function breakpoint")
	stop()
	must[*protocol.SetBreakpointsResponse](c, "setBreakpoints", map[string]any{"source": map[string]any{"name": "sort.c"}, "breakpoints": []map[string]any{
		{"line": 10, "logMessage": "passed"},
	}})
	must[*protocol.ReverseContinueResponse](c, "reverseContinue", map[string]any{"threadId": 1})
	c.stopped("entry")
	for _, e := range c.events {
		if out, ok := e.(*protocol.OutputEvent); ok {
			require.NotContains(t, out.Body.Output, "passed")
		}
	}
}

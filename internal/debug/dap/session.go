package dap

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	protocol "github.com/google/go-dap"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/debug/message"
	"arcv2dsp/internal/term/steps"
)

// Program is a program with a debugger.
type Program struct {
	Debugger *debug.Debugger
	Close    func()
	Prompt   Prompt // nil without one
}

// Prompt is the command line of the debugger, for the debug console of an editor.
type Prompt interface {
	Execute(ctx context.Context, line string, out io.Writer) error
	Complete(line string) (word string, list []string)
}

// Options are the surroundings of a session.
type Options struct {
	// Launch makes the program that the arguments of a launch request describe; it prints to out.
	Launch func(a Arguments, out io.Writer, notice func(text string)) (*Program, error)
	// Attached is the program that clients attach to, nil when there is none, and Console what it prints to.
	Attached *Program
	Console  *Console
}

// Arguments are those of launch and attach requests. Editors add some of their own.
type Arguments struct {
	Program       string   `json:"program"`
	Args          []string `json:"args"`
	Core          string   `json:"core"`
	TCF           string   `json:"tcf"`
	PropertyFiles []string `json:"propertyFiles"`
	Properties    []string `json:"properties"`
	HostIO        string   `json:"hostio"`
	FS            string   `json:"fs"`
	Memory        string   `json:"memory"`
	Base          string   `json:"base"`
	Stdin         string   `json:"stdin"`
	SourceDirs    []string `json:"sourceDirectories"`
	HistoryMemory string   `json:"historyMemory"`
	NoHistory     bool     `json:"noHistory"`
	StopOnEntry   bool     `json:"stopOnEntry"`
	StopOnExit    bool     `json:"stopOnExit"`
	NoDebug       bool     `json:"noDebug"`
}

// session is one client.
type session struct {
	*link
	opt     Options
	ctx     context.Context
	program *Program
	d       *debug.Debugger
	args    Arguments
	own     bool // the program was launched, and ends with the session
	zero    bool // lines of the client begin at 0

	ready bool // the client is done with breakpoints
	over  bool // the program has ended
	ended bool // so has the session

	ran    chan outcome // of the motion that is going on
	moving *motion      // nil while the program does not run
	cancel context.CancelFunc

	points  map[string][]*point // breakpoints by group
	handles []container         // of variables, since the last stop
	frames  []frameOf           // of stack traces, since the last stop
	last    debug.Stop
}

// Serve serves one client until it leaves.
func Serve(ctx context.Context, rw io.ReadWriter, opt Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{
		link: &link{r: bufio.NewReader(rw), w: rw}, opt: opt, ctx: ctx,
		ran: make(chan outcome, 1), points: map[string][]*point{},
	}
	defer s.close()
	type received struct {
		request
		err error
	}
	in := make(chan received)
	go func() {
		defer close(in)
		for {
			m, err := s.read()
			select {
			case in <- received{m, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && !errors.Is(err, message.ErrMalformed) {
				return
			}
		}
	}()
	for !s.ended {
		select {
		case m, ok := <-in:
			switch {
			case !ok || errors.Is(m.err, io.EOF):
				return s.err
			case errors.Is(m.err, message.ErrMalformed):
				s.answer(m.request, nil, m.err)
			case m.err != nil:
				return fmt.Errorf("protocol: %w", m.err)
			default:
				s.dispatch(m.request)
			}
		case o := <-s.ran:
			s.arrived(o)
		case <-ctx.Done():
			return nil
		}
		if s.err != nil {
			return s.err
		}
	}
	return nil
}

// close ends what runs and gives the program back.
func (s *session) close() {
	s.halt()
	if s.d == nil {
		return
	}
	for group := range s.points {
		s.clear(group)
	}
	s.d.OnProgress(nil)
	if s.own {
		s.program.Close()
	} else if s.opt.Console != nil {
		s.opt.Console.to(nil)
	}
}

// dispatch answers a request.
func (s *session) dispatch(m request) {
	h, known := handlers[m.Command]
	switch {
	case !known:
		s.answer(m, nil, fmt.Errorf("%s is not supported", m.Command))
		return
	case h.program && s.d == nil:
		s.answer(m, nil, errors.New("no program: launch or attach first"))
		return
	case s.moving != nil && h.running == refused:
		s.answer(m, nil, errors.New("the program is running"))
		return
	}
	var again *motion
	if s.moving != nil && h.running == interrupts {
		again = s.interrupt()
	}
	var body any
	var after func()
	err := steps.Run(func() { body, after = h.run(s, m.Arguments) })
	s.answer(m, body, err)
	if after != nil && err == nil {
		after()
	}
	if again != nil {
		s.begin(again)
	}
}

// whileRunning is what happens to a request while the program runs.
type whileRunning uint8

const (
	refused    whileRunning = iota
	allowed                 // it touches nothing that runs
	interrupts              // the run is interrupted for it
)

// handler answers a kind of request. Work that follows the answer is after.
type handler struct {
	program bool // needs one
	running whileRunning
	run     func(s *session, raw json.RawMessage) (body any, after func())
}

// reads makes a handler's function of one that takes arguments of a type.
func reads[A any](f func(s *session, a A) any) func(*session, json.RawMessage) (any, func()) {
	return readsThen(func(s *session, a A) (any, func()) { return f(s, a), nil })
}

func readsThen[A any](f func(s *session, a A) (any, func())) func(*session, json.RawMessage) (any, func()) {
	return func(s *session, raw json.RawMessage) (any, func()) {
		var a A
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &a); err != nil {
				steps.Check(fmt.Errorf("%w: arguments: %w", message.ErrMalformed, err))
			}
		}
		return f(s, a)
	}
}

// handlers are all requests that are answered. init breaks a circle: handlers dispatch.
var handlers map[string]handler

func init() {
	handlers = map[string]handler{
		"initialize":                {running: allowed, run: readsThen((*session).initialize)},
		"launch":                    {run: readsThen((*session).launch)},
		"attach":                    {run: readsThen((*session).attach)},
		"configurationDone":         {program: true, run: readsThen((*session).configured)},
		"disconnect":                {running: allowed, run: readsThen((*session).disconnect)},
		"terminate":                 {running: allowed, run: readsThen((*session).terminate)},
		"restart":                   {program: true, running: allowed, run: readsThen((*session).restart)},
		"setBreakpoints":            {program: true, running: interrupts, run: reads((*session).setBreakpoints)},
		"setFunctionBreakpoints":    {program: true, running: interrupts, run: reads((*session).setFunctionBreakpoints)},
		"setInstructionBreakpoints": {program: true, running: interrupts, run: reads((*session).setInstructionBreakpoints)},
		"setDataBreakpoints":        {program: true, running: interrupts, run: reads((*session).setDataBreakpoints)},
		"setExceptionBreakpoints":   {program: true, running: interrupts, run: reads((*session).setExceptionBreakpoints)},
		"dataBreakpointInfo":        {program: true, run: reads((*session).dataBreakpointInfo)},
		"breakpointLocations":       {program: true, running: allowed, run: reads((*session).breakpointLocations)},
		"continue":                  {program: true, run: readsThen((*session).goOn)},
		"next":                      {program: true, run: readsThen((*session).next)},
		"stepIn":                    {program: true, run: readsThen((*session).stepIn)},
		"stepOut":                   {program: true, run: readsThen((*session).stepOut)},
		"stepBack":                  {program: true, run: readsThen((*session).stepBack)},
		"reverseContinue":           {program: true, run: readsThen((*session).reverseContinue)},
		"pause":                     {program: true, running: allowed, run: reads((*session).pause)},
		"threads":                   {program: true, running: allowed, run: reads((*session).threads)},
		"stackTrace":                {program: true, run: reads((*session).stackTrace)},
		"scopes":                    {program: true, run: reads((*session).scopes)},
		"variables":                 {program: true, run: reads((*session).variables)},
		"setVariable":               {program: true, run: reads((*session).setVariable)},
		"setExpression":             {program: true, run: reads((*session).setExpression)},
		"evaluate":                  {program: true, run: reads((*session).evaluate)},
		"completions":               {program: true, run: reads((*session).completions)},
		"exceptionInfo":             {program: true, run: reads((*session).exceptionInfo)},
		"modules":                   {program: true, running: allowed, run: reads((*session).modules)},
		"loadedSources":             {program: true, running: allowed, run: reads((*session).loadedSources)},
		"source":                    {program: true, running: allowed, run: reads((*session).source)},
		"readMemory":                {program: true, run: reads((*session).readMemory)},
		"writeMemory":               {program: true, run: reads((*session).writeMemory)},
		"disassemble":               {program: true, run: reads((*session).disassemble)},
	}
}

// initial are the arguments of initialize that count. Absent ones have the protocol's defaults.
type initial struct {
	PathFormat    string `json:"pathFormat"`
	LinesStartAt1 *bool  `json:"linesStartAt1"`
}

func (s *session) initialize(a initial) (any, func()) {
	s.zero = a.LinesStartAt1 != nil && !*a.LinesStartAt1
	steps.Refuse(a.PathFormat != "" && a.PathFormat != "path", "paths are written as paths, not as %s", a.PathFormat)
	return protocol.Capabilities{
		SupportsConfigurationDoneRequest: true, SupportsFunctionBreakpoints: true, SupportsConditionalBreakpoints: true,
		SupportsHitConditionalBreakpoints: true, SupportsEvaluateForHovers: true, SupportsStepBack: true, SupportsSetVariable: true,
		SupportsCompletionsRequest: true, CompletionTriggerCharacters: []string{"$", ".", ">"}, SupportsModulesRequest: true,
		SupportsRestartRequest: true, SupportsExceptionInfoRequest: true, SupportTerminateDebuggee: true,
		SupportsDelayedStackTraceLoading: true, SupportsLoadedSourcesRequest: true, SupportsLogPoints: true, SupportsSetExpression: true,
		SupportsTerminateRequest: true, SupportsDataBreakpoints: true, SupportsReadMemoryRequest: true, SupportsWriteMemoryRequest: true,
		SupportsDisassembleRequest: true, SupportsBreakpointLocationsRequest: true, SupportsSteppingGranularity: true,
		SupportsInstructionBreakpoints: true, ExceptionBreakpointFilters: exceptionFilters(),
	}, nil
}

func (s *session) launch(a Arguments) (any, func()) {
	switch {
	case s.d != nil:
		steps.Check(errors.New("there is a program already"))
	case s.opt.Launch == nil:
		steps.Check(errors.New("this server has a program: attach to it"))
	case a.Program == "":
		steps.Check(errors.New(`"program" names no file`))
	}
	p := steps.Must(s.opt.Launch(a, s.link, s.note))
	s.take(p, a)
	s.own = true
	return nil, func() { s.event("initialized", nil) }
}

func (s *session) attach(a Arguments) (any, func()) {
	switch {
	case s.d != nil:
		steps.Check(errors.New("there is a program already"))
	case s.opt.Attached == nil:
		steps.Check(errors.New("no program to attach to: arcsim debug --dap=ADDRESS PROGRAM serves one"))
	}
	a.StopOnEntry = true // it stands where the last client left it
	s.take(s.opt.Attached, a)
	s.opt.Console.to(s.link)
	return nil, func() { s.event("initialized", nil) }
}

func (s *session) take(p *Program, a Arguments) {
	s.program, s.d, s.args = p, p.Debugger, a
	s.over = s.d.Last().Reason == arcv2dsp.StopExited
}

func (s *session) configured(struct{}) (any, func()) {
	steps.Refuse(s.ready, "the configuration was done before")
	s.ready = true
	return nil, func() {
		if s.args.StopOnEntry {
			s.stopped("entry", s.d.Last())
			return
		}
		s.begin(&motion{run: func(ctx context.Context) (debug.Stop, error) { return s.d.Launch(ctx), nil }, goesOn: true})
	}
}

func (s *session) disconnect(a protocol.DisconnectArguments) (any, func()) {
	return nil, func() { s.ended = true }
}

func (s *session) terminate(protocol.TerminateArguments) (any, func()) {
	return nil, func() {
		s.halt()
		s.event("terminated", protocol.TerminatedEventBody{})
	}
}

func (s *session) restart(json.RawMessage) (any, func()) {
	s.halt()
	steps.Must(s.d.Rerun())
	s.over = false
	s.forget()
	return nil, func() {
		if s.args.StopOnEntry {
			s.stopped("entry", s.d.Last())
			return
		}
		s.begin(&motion{run: func(ctx context.Context) (debug.Stop, error) { return s.d.Launch(ctx), nil }, goesOn: true})
	}
}

// Console takes the output of an attached program to the client there is, else nobody.
type Console struct {
	mu sync.Mutex
	w  io.Writer
}

func (c *Console) to(w io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.w = w
}

// Write implements io.Writer.
func (c *Console) Write(text []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.w == nil {
		return len(text), nil
	}
	return c.w.Write(text)
}

package main

import (
	"bytes"
	"cmp"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/measure/profile"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/serial"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/internal/term/watch"
	"arcv2dsp/loader"
)

// runOptions are the flags of run; nsimdrv fills the same ones from its own spelling.
type runOptions struct {
	core        string
	settings    []arcv2dsp.Setting
	lenient     bool
	engine      string
	hostio      string
	fs          string
	memory      string
	limits      arcv2dsp.Limits
	until, fail string // patterns in the output that end the run
	stat        bool
	trace       string
	traceFormat string
	setReg      []string
	printConfig bool
	json        bool
	out         string
	base        string
	saveTo      string
	restoreFrom string
	gdb         string // where nsimdrv waits for a debugger, "" to run without
	dprintf     []string
	uart        string
	devices     []string     // files of devices
	inputs      *watch.Files // of a command that watches them
	outputs     profile.Outputs
	energy      energyFlags
}

func newRunCmd(s cli.Streams) *cobra.Command {
	var o runOptions
	var set settingFlags
	var nsim bool
	cmd := pages.Command("run", func(cmd *cobra.Command, args []string) {
		cli.Refuse(nsim, "--nsim comes first: what follows it is a command line of nsimdrv")
		o.settings = set.list()
		runRun(cmd.Context(), &o, args, s)
	}, cli.Vars{"core": &o.core, "nsim": &nsim, "stat": &o.stat, "json": &o.json, "output": &o.out, "trace": &o.trace, "trace-format": &o.traceFormat,
		"profile": &o.outputs.Pprof, "folded": &o.outputs.Folded, "coverage": &o.outputs.Coverage, "annotate": &o.outputs.Annotated,
		"chrome": &o.outputs.Chrome, "vcd": &o.outputs.Waves, "vcd-signals": &o.outputs.Signals, "dprintf": &o.dprintf, "uart": &o.uart, "devices": &o.devices, "print-config": &o.printConfig, "save": &o.saveTo, "restore": &o.restoreFrom}, set.vars(), o.vars(), o.energy.vars())
	cli.EndAtProgram(cmd)
	cmd.Args = cobra.ArbitraryArgs // --print-config needs none
	return cmd
}

// vars are the flags about how a program runs, the same for all commands that run one to its end.
func (o *runOptions) vars() cli.Vars {
	return cli.Vars{"engine": &o.engine, "hostio": &o.hostio, "fs": &o.fs, "memory": &o.memory, "max-inst": &o.limits.Insts,
		"max-cycles": &o.limits.Cycles, "timeout": &o.limits.Timeout, "until": &o.until, "fail": &o.fail, "set-reg": &o.setReg,
		"base": &o.base}
}

// connect connects the UART, if it was asked for, until the command ends.
func (o *runOptions) connect(ctx context.Context, cfg *arcv2dsp.Config, s cli.Streams) io.Closer {
	if o.uart == "" {
		return io.NopCloser(nil)
	}
	line, err := serial.Open(ctx, o.uart, func(text string) { s.Warn("%s", text) })
	switch {
	case ctx.Err() != nil:
		steps.Check(&cli.ExitError{Status: statusInterrupted, Err: errors.New("interrupted")})
	case err != nil:
		steps.Check(cli.UsageError(fmt.Errorf("--uart: %w", err)))
	}
	cfg.UART = line
	return line
}

// maxDevices bounds a file of devices.
const maxDevices = 16 << 20

// config is the machine the options describe.
func (o *runOptions) config(args []string, s cli.Streams) (arcv2dsp.Config, error) {
	cfg := arcv2dsp.Config{
		Core: o.core, Settings: o.settings, Lenient: o.lenient, FileRoot: o.fs,
		Stdin: s.In, Stdout: s.Out, Stderr: s.Err,
		Notice: func(text string) { s.Warn("%s", text) },
	}
	if len(args) > 1 {
		cfg.Args = args
	}
	if o.limits.Timeout < 0 {
		return cfg, fmt.Errorf("--timeout %v: a time cannot be negative", o.limits.Timeout)
	}
	for _, flag := range [][2]string{{"--until", o.until}, {"--fail", o.fail}} {
		if _, err := regexp.Compile(flag[1]); err != nil {
			return cfg, fmt.Errorf("%s: %w", flag[0], err)
		}
	}
	cfg.Until = o.texts()
	for _, path := range o.devices {
		text, err := hostfile.Read(path, maxDevices)
		if err != nil {
			return cfg, cli.HostError(err)
		}
		list, err := devices(path, string(text))
		if err != nil {
			return cfg, err
		}
		cfg.Devices = append(cfg.Devices, list...)
	}
	var err error
	if cfg.HostIO, err = arcv2dsp.ParseHostIO(o.hostio); err != nil {
		return cfg, err
	}
	if cfg.Engine, err = arcv2dsp.ParseEngine(o.engine); err != nil {
		return cfg, err
	}
	cfg.Memory, err = cli.ParseBytes(o.memory)
	return cfg, err
}

// texts are the patterns in the output that end the run. One that says it failed counts first.
func (o *runOptions) texts() (list []arcv2dsp.Until) {
	if o.fail != "" {
		list = append(list, arcv2dsp.Until{Text: o.fail, Status: cli.Failed})
	}
	if o.until != "" {
		list = append(list, arcv2dsp.Until{Text: o.until})
	}
	return list
}

// ended says why a run ended and returns its exit status. A run that was to bring a text and ended well without it has
// failed.
func (o *runOptions) ended(m *arcv2dsp.Machine, stop arcv2dsp.Stop, ran arcv2dsp.Stats, s cli.Streams) int {
	explain(m, stop, ran, s)
	status := statusOf(stop)
	if o.until == "" || stop.Reason == arcv2dsp.StopOutput {
		return status
	}
	s.Warn("the output never had %q", o.until)
	return cmp.Or(status, cli.Failed)
}

func runRun(ctx context.Context, o *runOptions, args []string, s cli.Streams) {
	format := cli.Valid(arcv2dsp.ParseTraceFormat(o.traceFormat))
	cli.Refuse(o.trace != "" && o.outputs.Chrome+o.outputs.Waves != "", "--trace cannot be combined with --chrome or --vcd")
	o.energy.perCycle()
	cfg := cli.Valid(o.config(args, s))
	if o.gdb != "" && len(args) == 0 {
		args = []string{""}
	}
	cli.Refuse(len(args) == 0 && !o.printConfig, "no program: arcsim run [flags] PROGRAM [ARGUMENT...]")
	line := o.connect(ctx, &cfg, s)
	defer func() { _ = line.Close() }() // the other end has all
	m := newMachine(cfg)
	defer func() { _ = m.Close() }() // nothing is left to lose
	if len(args) > 0 {
		steps.Check(o.load(m, args[0]))
	}
	if o.printConfig {
		printConfig(m, o.json, s)
		return
	}
	o.follow(m.Core().Run)
	o.ready(m, s)
	o.execute(ctx, m, args[0], format, s)
}

// ready prepares a loaded program to start: it tells what the machine does not do, and sets registers.
func (o *runOptions) ready(m *arcv2dsp.Machine, s cli.Streams) {
	if list := m.Core().NotModelled(); len(list) > 0 {
		var names []string
		for _, text := range list {
			name, _, _ := strings.Cut(text, ":")
			names = append(names, name)
		}
		s.Warn("properties without effect (--print-config says why): %s", strings.Join(names, ", "))
	}
	for _, r := range o.setReg {
		setRegister(m, r)
	}
}

// follow takes over the settings of the run that properties give.
func (o *runOptions) follow(r arcv2dsp.RunOptions) {
	o.stat = o.stat || r.Stats
	if r.Trace && o.trace == "" {
		o.trace = cmp.Or(r.TraceOutput, "-")
	}
}

// configError is the error of making a machine: a file that cannot be read is the host's fault,
// everything else the user's.
func configError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return err
	}
	return cli.UsageError(err)
}

// newMachine makes a machine of what the user asks for. Close it.
func newMachine(cfg arcv2dsp.Config) *arcv2dsp.Machine {
	m, err := arcv2dsp.New(cfg)
	steps.Check(configError(err))
	return m
}

// load loads a program, or one made of a source; without a path none, for a debugger that brings its own.
func (o *runOptions) load(m *arcv2dsp.Machine, path string) error {
	o.inputs.Note(path)
	if path == "" {
		return m.Load(&loader.Image{Name: "no program", Symbols: &loader.Symbols{}})
	}
	if hasKind(path, sourceFiles) {
		data, err := readFile(path)
		if err != nil {
			return err
		}
		im, err := assembled(path, string(data), m.Core().Name, nil, o.inputs)
		if err != nil {
			return cli.FailedError(err)
		}
		return m.Load(im)
	}
	if o.base == "" {
		err := m.LoadFile(path)
		if errors.Is(err, loader.ErrNoFormat) {
			err = fmt.Errorf("%w; --base ADDRESS gives it", err)
		}
		return err
	}
	addr, err := strconv.ParseUint(o.base, 0, 32)
	if err != nil {
		return fmt.Errorf("--base %s is not an address", o.base)
	}
	data, err := readFile(path)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		return fmt.Errorf("%s: an ELF file says itself where it is loaded; --base is for raw binaries", path)
	}
	im, err := loader.ReadBinary(path, data, uint32(addr))
	if err != nil {
		return err
	}
	im.Entry, im.HasEntry = uint32(addr), true
	return m.Load(im)
}

// execute runs the loaded program and reports how that ended.
func (o *runOptions) execute(ctx context.Context, m *arcv2dsp.Machine, program string, format arcv2dsp.TraceFormat, s cli.Streams) {
	if o.restoreFrom != "" {
		steps.Check(m.RestoreFile(o.restoreFrom))
	}
	recording := o.record(m, program, s)
	defer recording.Discard()
	var trace *arcv2dsp.Trace
	if o.trace != "" {
		trace = m.StartTrace(steps.Must(recording.Create(o.trace)), format)
	}
	start := time.Now()
	before := m.Stats()
	stop, err := o.advance(ctx, m, s)
	elapsed := time.Since(start)
	steps.Check(err)
	if trace != nil {
		steps.Check(steps.In("trace", trace.Close()))
	}
	ran := m.Stats().Sub(before)
	status := o.ended(m, stop, ran, s)
	r := report{m: m, stop: stop, status: status, ran: ran, program: program, elapsed: elapsed}
	if per := o.energy.perCycle(); per != nil {
		r.energy = per.Of(m.Stats().Cycles)
	}
	switch {
	case o.stat:
		r.text(s.Err)
	case r.energy != nil && !o.json:
		s.Warn("%s", r.energy)
	}
	if o.json {
		r.writeJSON(o.out, s)
	}
	steps.Check(recording.Finish())
	if o.saveTo != "" {
		steps.Check(m.SaveFile(o.saveTo))
	}
	if status != 0 {
		steps.Check(&cli.ExitError{Status: status})
	}
}

// record begins to record a run as the options say.
func (o *runOptions) record(m *arcv2dsp.Machine, program string, s cli.Streams) *profile.Recording {
	r, err := profile.Record(m, program, o.outputs, s.Out, s.Warn)
	if errors.As(err, new(*profile.SignalError)) {
		err = cli.UsageError(steps.In("--vcd-signals", err))
	}
	steps.Check(err)
	return r
}

// advance runs the program, under a debugger if one was asked for.
func (o *runOptions) advance(ctx context.Context, m *arcv2dsp.Machine, s cli.Streams) (arcv2dsp.Stop, error) {
	if o.gdb != "" {
		return o.debugged(ctx, m, s)
	}
	if len(o.dprintf) > 0 {
		return o.printing(ctx, m, s)
	}
	return m.Run(ctx, o.limits)
}

// printing runs the program with the points of --dprintf.
func (o *runOptions) printing(ctx context.Context, m *arcv2dsp.Machine, s cli.Streams) (arcv2dsp.Stop, error) {
	d, err := debug.New(m, debug.Options{NoHistory: true, Notice: func(text string) { s.Warn("%s", text) }})
	if err != nil {
		return arcv2dsp.Stop{}, err
	}
	defer func() { _ = d.Close() }() // it has no trace to lose
	for _, text := range o.dprintf {
		if _, err := d.Dprintf(text, func(out string) { fmt.Fprint(s.Err, out) }); err != nil {
			return arcv2dsp.Stop{}, cli.UsageError(fmt.Errorf("--dprintf %s: %w", cli.Line(text), err))
		}
	}
	within := arcv2dsp.Limits{Insts: o.limits.Insts, Cycles: o.limits.Cycles}
	timed := false // the time ends before the cycles do
	if o.limits.Timeout > 0 {
		if cycles := m.Core().CyclesOf(o.limits.Timeout); within.Cycles == 0 || cycles < within.Cycles {
			within.Cycles, timed = cycles, true
		}
	}
	stop := d.Continue(ctx, within).Stop
	switch {
	case stop.Reason == debug.GuestBreak:
		stop.Reason = arcv2dsp.StopBreakpoint
	case stop.Reason == arcv2dsp.StopCycleLimit && timed:
		stop.Reason = arcv2dsp.StopTimeLimit
	}
	return stop, nil
}

// setRegister applies NAME=VALUE.
func setRegister(m *arcv2dsp.Machine, text string) {
	name, value, ok := strings.Cut(text, "=")
	cli.Refuse(!ok, "--set-reg %s: write NAME=VALUE", cli.Line(text))
	v, err := strconv.ParseUint(value, 0, 64)
	if err != nil {
		n, err := strconv.ParseInt(value, 0, 64)
		cli.Refuse(err != nil, "--set-reg %s: %q is not a number", cli.Line(text), value)
		v = uint64(n)
	}
	steps.Check(cli.UsageError(steps.In("--set-reg "+cli.Line(text), m.SetRegister(name, v))))
}

// assembled makes a program of a source: assembled, for the core where that is no board, and linked.
func assembled(path, text, core string, include []string, in *watch.Files) (*loader.Image, error) {
	if !slices.Contains(asm.CPUs(), core) {
		core = asm.DefaultCPU
	}
	files := in.FS(hostfile.Tree{Limit: maxInput})
	object, err := asm.Assemble(asm.Options{CPU: core, Debug: true, FS: files, Include: append([]string{filepath.Dir(path)}, include...)},
		asm.Source{Name: path, Text: text})
	if err != nil {
		return nil, err
	}
	data, err := object.Bytes()
	if err != nil {
		return nil, err
	}
	program, err := link.Link(link.Options{}, []link.Input{{Name: path, Data: data}})
	if err != nil {
		return nil, err
	}
	if data, err = program.Bytes(); err != nil {
		return nil, err
	}
	return loader.Read(path, data)
}

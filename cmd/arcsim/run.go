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
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"arcv2dsp"
	"arcv2dsp/internal/cli"
	"arcv2dsp/loader"
)

// runOptions are the flags of run; nsim fills the same ones from its own spelling.
type runOptions struct {
	core        string
	settings    []arcv2dsp.Setting
	lenient     bool
	engine      string
	hostio      string
	fs          string
	memory      string
	limits      arcv2dsp.Limits
	stat        bool
	statJSON    string
	trace       string
	traceFormat string
	setReg      []string
	printConfig bool
	json        bool
	base        string
	saveTo      string
	restoreFrom string
	gdb         string // where to wait for a debugger, "" to run without
	profileOptions
}

func newRunCmd(s cli.Streams) *cobra.Command {
	var o runOptions
	var set settingFlags
	cmd := &cobra.Command{
		Use:   "run [flags] PROGRAM [ARGUMENT...]",
		Short: "Run a program",
		Long: `Run an ELF or Intel hex file and end with its exit status. The program's console is standard input
and output; messages of the simulator go to standard error.

Without --core, --tcf or a complete property file the program chooses: em9d for EM, hs38 for HS. Limits,
faults and errors have exit statuses of their own, listed in docs/formats.md.`,
		Example: `  arcsim run hello.elf
  arcsim run --core em11d --stat fir.elf
  arcsim run --props board.props -p mpy_option=6 --max-inst 1000000 app.elf arg1 arg2
  arcsim run --trace - --trace-format csv --max-inst 100 app.elf`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.settings = set.list()
			return runRun(cmd.Context(), &o, args, s)
		},
	}
	f := cmd.Flags()
	cli.EndAtProgram(cmd)
	f.StringVar(&o.core, "core", "", coreHelp())
	set.flags(f)
	o.flags(f)
	f.BoolVar(&o.stat, "stat", false, "print instructions, cycles and lost cycles by reason at the end")
	f.StringVar(&o.statJSON, "stat-json", "", "write these statistics as JSON to `FILE`, - for standard output")
	f.StringVar(&o.trace, "trace", "", "write each instruction to `FILE`, - for standard output; not together with --chrome or --vcd")
	f.StringVar(&o.traceFormat, "trace-format", "text", "text, csv or jsonl")
	o.profileOptions.flags(f)
	f.BoolVar(&o.printConfig, "print-config", false, "print the configuration and where each value comes from, run nothing")
	f.BoolVar(&o.json, "json", false, "with --print-config: as JSON")
	f.StringVar(&o.saveTo, "save", "", "write a snapshot to `FILE` when the run stops")
	f.StringVar(&o.restoreFrom, "restore", "", "continue from a snapshot `FILE` of the same program")
	f.StringVar(&o.gdb, "gdb", "", "wait for gdb at `ADDRESS`, "+gdbAddress+" if there is none, as arcsim gdb does")
	f.Lookup("gdb").NoOptDefVal = gdbAddress
	return cmd
}

// flags adds the flags about how a program runs, the same for all commands that run one to its end.
func (o *runOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.engine, "engine", "auto", "what executes instructions: auto, fast, ref or jit")
	f.StringVar(&o.hostio, "hostio", "auto", "convention of host calls: auto, gnu, metaware, qemu or none")
	f.StringVar(&o.fs, "fs", "", "`DIR` the program sees as its root directory (default: no file access)")
	f.StringVar(&o.memory, "memory", "1G", "most memory the program may write to")
	f.Uint64Var(&o.limits.Insts, "max-inst", 0, "stop after this many instructions, such as 5000, 5k or 2M")
	f.Uint64Var(&o.limits.Cycles, "max-cycles", 0, "stop after this many cycles")
	f.DurationVar(&o.limits.Timeout, "timeout", 0, "stop after this time, such as 10s")
	f.StringArrayVar(&o.setReg, "set-reg", nil, "`NAME=VALUE`: set a register before the start (repeatable)")
	f.StringVar(&o.base, "base", "", "`ADDRESS` at which a file that is neither ELF nor Intel hex is loaded and started")
}

func coreNames() []string {
	var names []string
	for _, c := range arcv2dsp.Cores() {
		names = append(names, c.Name)
	}
	return names
}

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

func runRun(ctx context.Context, o *runOptions, args []string, s cli.Streams) error {
	format, err := arcv2dsp.ParseTraceFormat(o.traceFormat)
	if err != nil {
		return cli.UsageError(err)
	}
	if err := errors.Join(o.profileOptions.check(o.trace), o.checkGDB(args)); err != nil {
		return cli.UsageError(err)
	}
	cfg, err := o.config(args, s)
	if err != nil {
		return cli.UsageError(err)
	}
	if len(args) == 0 && !o.printConfig {
		return cli.UsageError(errors.New("no program: arcsim run [flags] PROGRAM [ARGUMENT...]"))
	}
	m, err := arcv2dsp.New(cfg)
	if err != nil {
		return configError(err)
	}
	defer func() { _ = m.Close() }() // nothing is left to lose
	if len(args) > 0 {
		if err := o.load(m, args[0]); err != nil {
			return cli.HostError(err)
		}
	}
	if o.printConfig {
		return printConfig(m, o.json, s)
	}
	o.follow(m.RunOptions())
	if err := o.ready(m, s); err != nil {
		return err
	}
	return o.execute(ctx, m, args[0], format, s)
}

// ready prepares a loaded program to start: it tells what the machine does not do, and sets registers.
func (o *runOptions) ready(m *arcv2dsp.Machine, s cli.Streams) error {
	if list := m.NotModelled(); len(list) > 0 {
		var names []string
		for _, text := range list {
			name, _, _ := strings.Cut(text, ":")
			names = append(names, name)
		}
		s.Warn("properties without effect (--print-config says why): %s", strings.Join(names, ", "))
	}
	for _, r := range o.setReg {
		if err := setRegister(m, r); err != nil {
			return cli.UsageError(err)
		}
	}
	return nil
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
		return cli.HostError(err)
	}
	return cli.UsageError(err)
}

func (o *runOptions) load(m *arcv2dsp.Machine, path string) error {
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
func (o *runOptions) execute(ctx context.Context, m *arcv2dsp.Machine, program string, format arcv2dsp.TraceFormat, s cli.Streams) error {
	if o.restoreFrom != "" {
		if err := m.RestoreFile(o.restoreFrom); err != nil {
			return cli.HostError(err)
		}
	}
	var trace *arcv2dsp.Trace
	var traceFile io.WriteCloser
	if o.trace != "" {
		var err error
		if traceFile, err = createFile(o.trace, s); err != nil {
			return cli.HostError(err)
		}
		trace = m.StartTrace(traceFile, format)
	}
	watch, err := o.profileOptions.start(m, program, s)
	if err != nil {
		return observationError(err)
	}
	defer watch.discard()
	start := time.Now()
	before := m.Stats()
	stop, err := o.advance(ctx, m, s)
	elapsed := time.Since(start)
	if err != nil {
		return cli.HostError(err)
	}
	if trace != nil {
		if err := errors.Join(trace.Close(), traceFile.Close()); err != nil {
			return cli.HostError(fmt.Errorf("trace: %w", err))
		}
	}
	ran := m.Stats().Sub(before)
	explain(m, stop, ran, s)
	r := report{m: m, stop: stop, ran: ran, program: program, elapsed: elapsed}
	if o.stat {
		r.text(s.Err)
	}
	if o.statJSON != "" {
		if err := r.writeJSON(o.statJSON, s); err != nil {
			return cli.HostError(err)
		}
	}
	if err := watch.finish(); err != nil {
		return observationError(err)
	}
	if o.saveTo != "" {
		if err := m.SaveFile(o.saveTo); err != nil {
			return cli.HostError(err)
		}
	}
	if status := statusOf(stop); status != 0 {
		return &cli.ExitError{Status: status}
	}
	return nil
}

// advance runs the program, under a debugger if one was asked for.
func (o *runOptions) advance(ctx context.Context, m *arcv2dsp.Machine, s cli.Streams) (arcv2dsp.Stop, error) {
	if o.gdb != "" {
		return o.debugged(ctx, m, s)
	}
	return m.Run(ctx, o.limits)
}

// setRegister applies NAME=VALUE.
func setRegister(m *arcv2dsp.Machine, text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("--set-reg %s: write NAME=VALUE", text)
	}
	v, err := strconv.ParseUint(value, 0, 64)
	if err != nil {
		n, err := strconv.ParseInt(value, 0, 64)
		if err != nil {
			return fmt.Errorf("--set-reg %s: %q is not a number", text, value)
		}
		v = uint64(n)
	}
	if err := m.SetRegister(name, v); err != nil {
		return fmt.Errorf("--set-reg %s: %w", text, err)
	}
	return nil
}

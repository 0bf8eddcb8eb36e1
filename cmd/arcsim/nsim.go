package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// nsimName is the name by which the program is nsimdrv, and that of the hidden command behind arcsim run --nsim.
const nsimName = "nsimdrv"

func newNsimCmd(s cli.Streams) *cobra.Command {
	cmd := pages.Command("nsim", func(cmd *cobra.Command, args []string) {
		if len(args) == 1 && (args[0] == "--help" || args[0] == "-h" || args[0] == "-help") {
			steps.Check(cmd.Help())
			return
		}
		runNsim(cmd.Context(), args, s)
	})
	cmd.DisableFlagParsing = true
	return cmd
}

// nsimLine is a command line of nsimdrv taken apart.
type nsimLine struct {
	settings []arcv2dsp.Setting
	own      runOptions // what nsimdrv does not have
	gdb      bool
	port     int
	program  []string
}

// defaultPort is where nsimdrv listens for a debugger.
const defaultPort = 49105

// nsimOptions are the options of nsimdrv that take a value.
var nsimOptions = map[string]func(line *nsimLine, value string){
	"tcf": func(line *nsimLine, value string) {
		line.settings = slices.Insert(line.settings, 0, arcv2dsp.Setting{TCF: value})
	},
	"propsfile": func(line *nsimLine, value string) {
		line.settings = append(line.settings, arcv2dsp.Setting{File: value})
	},
	"p":     property("-p", ""),
	"prop":  property("-prop", ""),
	"on":    property("-on", "=1"),
	"off":   property("-off", "=0"),
	"fs":    func(line *nsimLine, value string) { line.own.fs = value },
	"until": func(line *nsimLine, value string) { line.own.until = value },
	"fail":  func(line *nsimLine, value string) { line.own.fail = value },
	"timeout": func(line *nsimLine, value string) {
		var err error
		line.own.limits.Timeout, err = time.ParseDuration(value)
		cli.Refuse(err != nil, "-timeout %s is not a time such as 10s", value)
	},
	"port": func(line *nsimLine, value string) {
		var err error
		line.port, err = strconv.Atoi(value)
		cli.Refuse(err != nil || line.port < 0 || line.port > 65535, "-port %s is not a port number", value)
	},
}

// property is an option that sets a property, to what stands behind its name.
func property(origin, to string) func(*nsimLine, string) {
	return func(line *nsimLine, value string) {
		line.settings = append(line.settings, arcv2dsp.Setting{Property: value + to, Origin: origin})
	}
}

func parseNsim(args []string) *nsimLine {
	line := &nsimLine{port: defaultPort}
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		arg := args[0]
		args = args[1:]
		name, value, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if name == "gdb" {
			line.gdb = true
			continue
		}
		set := nsimOptions[name]
		cli.Refuse(set == nil, "unknown option %s: there is -tcf, -propsfile, -p, -prop, -on, -off, -gdb, -port, -fs, -until, -fail and -timeout", arg)
		if !joined {
			cli.Refuse(len(args) == 0, "%s needs a value", arg)
			value, args = args[0], args[1:]
		}
		set(line, value)
	}
	line.program = args
	return line
}

func runNsim(ctx context.Context, args []string, s cli.Streams) {
	line := parseNsim(args)
	cli.Refuse(len(line.program) == 0 && !line.gdb, "no program: nsimdrv [OPTION...] PROGRAM [ARGUMENT...]")
	o := line.own
	o.settings, o.lenient = line.settings, true
	o.engine, o.hostio, o.memory, o.traceFormat = "auto", "auto", "1G", "text"
	if line.gdb {
		o.gdb = fmt.Sprintf(":%d", line.port)
	}
	runRun(ctx, &o, line.program, s)
}

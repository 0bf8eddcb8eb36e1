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

func parseNsim(args []string) (nsimLine, error) {
	line := nsimLine{port: defaultPort}
	for len(args) > 0 {
		arg := args[0]
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			line.program = args
			return line, nil
		}
		args = args[1:]
		name, value, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		// take returns the value, which may be an argument of its own.
		take := func() (string, error) {
			if joined {
				return value, nil
			}
			if len(args) == 0 {
				return "", fmt.Errorf("%s needs a value", arg)
			}
			v := args[0]
			args = args[1:]
			return v, nil
		}
		switch name {
		case "gdb":
			line.gdb = true
			continue
		case "tcf", "propsfile", "p", "prop", "on", "off", "port", "fs", "until", "fail", "timeout":
		default:
			return line, fmt.Errorf("unknown option %s: there is -tcf, -propsfile, -p, -prop, -on, -off, -gdb, -port, -fs, -until, -fail and -timeout", arg)
		}
		v, err := take()
		if err != nil {
			return line, err
		}
		set := arcv2dsp.Setting{Property: v, Origin: "-" + name}
		switch name {
		case "tcf":
			line.settings = slices.Insert(line.settings, 0, arcv2dsp.Setting{TCF: v})
			continue
		case "propsfile":
			set = arcv2dsp.Setting{File: v}
		case "on":
			set.Property += "=1"
		case "off":
			set.Property += "=0"
		case "fs":
			line.own.fs = v
			continue
		case "until":
			line.own.until = v
			continue
		case "fail":
			line.own.fail = v
			continue
		case "timeout":
			if line.own.limits.Timeout, err = time.ParseDuration(v); err != nil {
				return line, fmt.Errorf("-timeout %s is not a time such as 10s", v)
			}
			continue
		case "port":
			if line.port, err = strconv.Atoi(v); err != nil || line.port < 0 || line.port > 65535 {
				return line, fmt.Errorf("-port %s is not a port number", v)
			}
			continue
		}
		line.settings = append(line.settings, set)
	}
	return line, nil
}

func runNsim(ctx context.Context, args []string, s cli.Streams) {
	line := cli.Valid(parseNsim(args))
	cli.Refuse(len(line.program) == 0 && !line.gdb, "no program: nsimdrv [OPTION...] PROGRAM [ARGUMENT...]")
	o := line.own
	o.settings, o.lenient = line.settings, true
	o.engine, o.hostio, o.memory, o.traceFormat = "auto", "auto", "1G", "text"
	if line.gdb {
		o.gdb = fmt.Sprintf(":%d", line.port)
	}
	runRun(ctx, &o, line.program, s)
}

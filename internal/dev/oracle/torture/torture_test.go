package torture

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/gnutools"
)

var (
	cpus   = flag.String("cpus", "em,em4_dmips,hs38,hs38_linux", "cores to compile for")
	opts   = flag.String("opts", "-O0,-O2,-Os", "optimisation levels")
	sample = flag.Int("sample", 0, "run only this many tests, spread evenly; 0 runs all")
	engine = flag.String("engine", "fast", "fast, ref or both")
)

// packaged is the compiler's default core, for which it brings its own libgcc: an HS with all of the
// floating-point unit.
const packaged = "hs38_linux"

// limits bound a test: the longest needs far less.
var limits = arcv2dsp.Limits{Insts: 4_000_000_000, Timeout: 2 * time.Minute}

// notBuilt lists the tests that do not compile or link, with the reason.
var notBuilt = map[string]string{
	"20021127-1":  "redefines llabs at -O0",
	"980709-1":    "needs pow of a full library",
	"990413-2":    "x86 assembly",
	"loop-2f":     "needs mmap",
	"loop-2g":     "needs mmap",
	"fprintf-2":   "needs files",
	"printf-2":    "needs files",
	"user-printf": "needs files",
	"pr80692":     "needs decimal floating point",
	"pr84748":     "needs __int128",
	"pr93213":     "needs __int128",
}

// broken lists the tests that fail for a reason outside the simulator, per core and level.
var broken = map[string]string{}

// TestTorture compiles and runs the compiler's execution tests; each must end with status 0. It needs
// the sources that internal/dev/oracle/fetch.sh gets, named by ARCV2DSP_ORACLE_DIR.
func TestTorture(t *testing.T) {
	dir := os.Getenv("ARCV2DSP_ORACLE_DIR")
	if dir == "" {
		t.Skip("needs ARCV2DSP_ORACLE_DIR, see internal/dev/oracle/fetch.sh")
	}
	gnutools.Path(t, "gcc")
	source := filepath.Join(dir, "gcc-12.2.0")
	names, err := Tests(source)
	require.NoError(t, err)
	here, err := os.Getwd()
	require.NoError(t, err)
	for _, cpu := range strings.Split(*cpus, ",") {
		for _, opt := range strings.Split(*opts, ",") {
			t.Run(cpu+opt, func(t *testing.T) {
				s := Suite{Source: source, Runtime: filepath.Join(here, "runtime"), Libgcc: filepath.Join(here, "..", "libgcc.sh"),
					Cache: filepath.Join(dir, "torture"), CPU: cpu, Opt: opt}
				if cpu == packaged {
					s.Libgcc = ""
				}
				programs, err := s.Build(Sample(names, *sample), runtime.NumCPU())
				require.NoError(t, err)
				runAll(t, s, programs)
			})
		}
	}
}

func runAll(t *testing.T, s Suite, programs []Program) {
	var mu sync.Mutex
	built, passed := 0, 0
	work := make(chan Program)
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for p := range work {
				err := check(p, s.CPU)
				mu.Lock()
				built++
				if err == nil {
					passed++
				} else if broken[p.Name+s.Opt+" "+s.CPU] == "" {
					t.Errorf("%s: %v", p.Name, err)
				}
				mu.Unlock()
			}
		})
	}
	for _, p := range programs {
		if p.Err == nil {
			work <- p
		} else if notBuilt[p.Name] == "" {
			t.Errorf("%s: does not build: %v", p.Name, p.Err)
		}
	}
	close(work)
	wg.Wait()
	t.Logf("%s %s: %d tests, %d built, %d passed", s.CPU, s.Opt, len(programs), built, passed)
}

// check runs a program on the engines asked for.
func check(p Program, cpu string) error {
	core := "em9d"
	if strings.HasPrefix(cpu, "hs") {
		core = "hs38"
	}
	kinds := map[string][]arcv2dsp.EngineKind{
		"fast": {arcv2dsp.EngineFast}, "ref": {arcv2dsp.EngineReference}, "both": {arcv2dsp.EngineFast, arcv2dsp.EngineReference},
	}[*engine]
	if kinds == nil {
		return fmt.Errorf("-engine %s: want fast, ref or both", *engine)
	}
	var first arcv2dsp.Stats
	for i, kind := range kinds {
		var out bytes.Buffer
		m, err := arcv2dsp.New(arcv2dsp.Config{Core: core, Engine: kind, Stdout: &out, Stderr: &out})
		if err != nil {
			return err
		}
		if err := m.LoadFile(p.ELF); err != nil {
			return err
		}
		stop, err := m.Run(context.Background(), limits)
		if err != nil {
			return err
		}
		if stop.Reason != arcv2dsp.StopExited || stop.Status != 0 {
			return fmt.Errorf("%s engine: %v, status %d at %s\n%s", kind, stop.Reason, stop.Status, m.Locate(stop.PC), out.String())
		}
		if i == 0 {
			first = m.Stats()
		} else if second := m.Stats(); second != first {
			return fmt.Errorf("engines differ: %+v and %+v", first, second)
		}
	}
	return nil
}

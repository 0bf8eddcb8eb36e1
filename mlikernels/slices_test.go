package mlikernels

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm/link"
	"arcv2dsp/loader"
)

// startSource calls main and halts with its result in r0.
const startSource = `
	.text
	.global __start
__start:
	mov	sp, __stack_top
	bl	main
	flag	1
	nop
	nop
	nop
`

// TestSlices: a C caller has all kernels of MLI 1.1 whose outputs may have strides write into slices of a larger tensor,
// beside dense calls, with AGU ports and with loads, in both roundings. The rest of the larger tensor stays as it was.
func TestSlices(t *testing.T) {
	gcc, err := exec.LookPath("arc-linux-gnu-gcc")
	if err != nil {
		t.Skip("no arc-linux-gnu-gcc")
	}
	file := filepath.Join(t.TempDir(), "slices.o")
	out, err := exec.Command(gcc, "-mcpu=em4_dmips", "-O2", "-ffreestanding", "-fno-pic", "-fno-pie", "-mno-sdata", "-Wall", "-Wextra",
		"-Wno-sign-compare", "-Werror", "-Iinternal/mli11/include", "-c", "-o", file, "testdata/slices/slices.c").CombinedOutput()
	require.NoError(t, err, string(out))
	caller, err := os.ReadFile(file)
	require.NoError(t, err)
	runtime, err := os.ReadFile("internal/kernel/runtime/memory.s")
	require.NoError(t, err)
	const kernels, maps, places = 15, 4, 5
	for _, core := range []string{"em9d", "em7d"} {
		libs, err := MLI11().BuildArchives(AGUOf(core), Lines{})
		require.NoError(t, err)
		for name, lib := range libs {
			t.Run(core+"/"+name, func(t *testing.T) {
				inputs := []link.Input{{Name: "slices.o", Data: caller}, {Name: "start.o", Data: object(t, "start.s", startSource).Data},
					{Name: "memory.o", Data: object(t, "memory.s", string(runtime)).Data}}
				for _, o := range lib.Objects {
					inputs = append(inputs, link.Input{Name: o.Name, Data: o.Data})
				}
				im, err := link.Link(link.Options{Entry: "__start"}, inputs)
				require.NoError(t, err)
				data, err := im.Bytes()
				require.NoError(t, err)
				program, err := loader.Read("slices", data)
				require.NoError(t, err)
				m, err := arcv2dsp.New(arcv2dsp.Config{Core: core, HostIO: arcv2dsp.HostNone})
				require.NoError(t, err)
				defer func() { require.NoError(t, m.Close()) }()
				require.NoError(t, m.Load(program))
				stop, err := m.Run(context.Background(), arcv2dsp.Limits{Cycles: 200_000_000})
				require.NoError(t, err)
				require.Equal(t, arcv2dsp.StopExited, stop.Reason, stop.String())
				require.Equal(t, kernels*maps*places, int(int32(m.Reg(0))), "minus 1000 kernel + 100 map + 10 place + what is wrong")
			})
		}
	}
}

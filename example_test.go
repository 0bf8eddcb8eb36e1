package arcv2dsp_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// load returns a machine with one of the test programs.
func load(program string) *arcv2dsp.Machine {
	m, err := arcv2dsp.New(arcv2dsp.Config{Stdout: os.Stdout, Args: []string{program, "world"}})
	if err != nil {
		log.Fatal(err)
	}
	if err := m.LoadFile("testdata/guest/elf/" + program + ".elf"); err != nil {
		log.Fatal(err)
	}
	return m
}

func Example() {
	m, err := arcv2dsp.New(arcv2dsp.Config{
		Core:   "em9d",
		Stdout: os.Stdout,
		Args:   []string{"hello", "world"},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := m.LoadFile("testdata/guest/elf/hello.elf"); err != nil {
		log.Fatal(err)
	}
	stop, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 1e6})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stop.Reason, stop.Status)
	// Output:
	// hello
	// world
	// exit 2
}

func ExampleMachine_Run() {
	m := load("spin")
	stop, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 1000})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v at %s\n", stop.Reason, m.Locate(stop.PC))
	fmt.Println(m.Stats().Insts, "instructions")
	// Output:
	// inst-limit at 0x00000108 <spin+0x4>
	// 1000 instructions
}

func ExampleMachine_Step() {
	m := load("spin")
	for range 3 {
		text, _, err := m.Disassemble(m.PC())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s\n", m.Locate(m.PC()), text)
		if _, err := m.Step(context.Background()); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 0x00000100 <_start>: mov r0,0
	// 0x00000104 <spin>: add r0,r0,0x1
	// 0x00000108 <spin+0x4>: b -4  ; 0x00000104 <spin>
}

func ExampleMachine_Register() {
	m := load("spin")
	if err := m.SetRegister("acclo", 0xff_8000_0000); err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"acclo", "r58"} {
		r, err := m.Register(name)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s = %#x\n", r.Name, r.Value)
	}
	// Output:
	// acclo = 0xff80000000
	// r58 = 0x80000000
}

func ExampleMachine_WriteMemory() {
	m := load("spin")
	if err := m.WriteMemory(0x80000000, []byte{1, 2, 3, 4}); err != nil {
		log.Fatal(err)
	}
	w, err := m.ReadWord(0x80000000)
	fmt.Printf("%#x %v\n", w, err)
	// Output: 0x4030201 <nil>
}

func ExampleMachine_Observe() {
	m := load("hello")
	moves := 0
	m.Observe(arcv2dsp.Hooks{
		After: func(_ uint32, in *isa.Inst) {
			if in.Exec() == isa.MOV {
				moves++
			}
		},
		Syscall: func(s arcv2dsp.Syscall) {
			if s.Name == "exit" {
				fmt.Println("exit", s.Args[0])
			}
		},
	})
	if _, err := m.Run(context.Background(), arcv2dsp.Limits{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(moves, "moves")
	// Output:
	// hello
	// world
	// exit 2
	// 19 moves
}

func ExampleMachine_SetBreakpoint() {
	m := load("ticks")
	handler, _ := m.Symbol("irq_timer0")
	m.SetBreakpoint(handler)
	stop, err := m.Run(context.Background(), arcv2dsp.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stop.Reason, m.Locate(stop.PC))
	// Output: breakpoint 0x0000013c <irq_timer0>
}

func ExampleMachine_Snapshot() {
	m := load("spin")
	ctx := context.Background()
	if _, err := m.Run(ctx, arcv2dsp.Limits{Insts: 101}); err != nil {
		log.Fatal(err)
	}
	s := m.Snapshot()
	for range 2 {
		if err := m.Restore(s); err != nil {
			log.Fatal(err)
		}
		before := m.Reg(0)
		if _, err := m.Run(ctx, arcv2dsp.Limits{Insts: 1000}); err != nil {
			log.Fatal(err)
		}
		fmt.Println(before, "to", m.Reg(0))
	}
	// Output:
	// 50 to 550
	// 50 to 550
}

func ExampleMachine_StartTrace() {
	m := load("spin")
	t := m.StartTrace(os.Stdout, arcv2dsp.TraceCSV)
	if _, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 2}); err != nil {
		log.Fatal(err)
	}
	if err := t.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// inst,cycle,pc,code,text,regs,mem,event
	// 1,1,0x00000100,204a0000,"mov r0,0",r0=00000000,,
	// 2,2,0x00000104,20400040,"add r0,r0,0x1",r0=00000001,,
}

// doorbell counts how often the program rings.
type doorbell struct {
	arcv2dsp.Passive
	rings uint32
}

func (d *doorbell) ReadPort(_, _ uint32) (uint32, bool) { return d.rings, true }

func (d *doorbell) WritePort(_, _, _ uint32) bool { d.rings++; return true }

func (d *doorbell) State() []byte { return []byte{byte(d.rings)} }

func (d *doorbell) Adopt(state []byte) error { d.rings = uint32(state[0]); return nil }

func ExampleDevice() {
	bell := &doorbell{}
	m, err := arcv2dsp.New(arcv2dsp.Config{Devices: []arcv2dsp.Peripheral{{
		Name: "doorbell", Base: 0xf0000000, Size: 4,
		New: func(arcv2dsp.Board) arcv2dsp.Device { return bell },
	}}})
	if err != nil {
		log.Fatal(err)
	}
	if err := m.LoadFile("testdata/guest/elf/spin.elf"); err != nil {
		log.Fatal(err)
	}
	m.SetReg(1, 0xf0000000)
	if err := m.WriteMemory(m.PC(), []byte{0x40, 0xa1}); err != nil { // st_s r2, [r1]
		log.Fatal(err)
	}
	if _, err := m.Step(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bell.rings)
	// Output: 1
}

func ExampleRegion() {
	m, err := arcv2dsp.New(arcv2dsp.Config{
		Settings: []arcv2dsp.Setting{{Property: "ram=none"}}, // else all addresses are memory
		Regions: []arcv2dsp.Region{
			{Name: "flash", Base: 0, Size: 0x1000},
			{Name: "sdram", Base: 0x90000000, Size: 0x10000},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range m.Regions() {
		fmt.Printf("%s at 0x%08x: %d bytes\n", r.Name, r.Base, r.Size)
	}
	if err := m.LoadFile("testdata/guest/elf/spin.elf"); err != nil {
		log.Fatal(err)
	}
	// st_s r2, [r1] and st_s r2, [r1,4]: to the last word of a region, and behind it.
	if err := m.WriteMemory(m.PC(), []byte{0x40, 0xa1, 0x41, 0xa1}); err != nil {
		log.Fatal(err)
	}
	m.SetReg(1, 0x9000fffc)
	m.SetReg(2, 42)
	stop, err := m.Run(context.Background(), arcv2dsp.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stop.Reason, stop.Exception.Why)
	fmt.Println(m.ReadWord(0x9000fffc))
	// Output:
	// flash at 0x00000000: 4096 bytes
	// sdram at 0x90000000: 65536 bytes
	// xccm at 0xc0000000: 65536 bytes
	// yccm at 0xe0000000: 65536 bytes
	// fault store of 4 bytes at 0x90010000: unmapped address
	// 42 <nil>
}

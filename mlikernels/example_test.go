package mlikernels_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"arcv2dsp/benchmarks"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// A network is read from its file, placed on a core and run. The outputs are those of the golden functions, bit for bit,
// and each layer has its cycles.
func Example() {
	file, input := keywords()
	data, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	_ = os.Remove(file)
	graph, err := tflite.Read(data, golden.Operators(), nn.Double)
	if err != nil {
		log.Fatal(err)
	}
	net, err := mlikernels.NewNetwork(graph, mlikernels.PlacedOptions{Core: "em9d"})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = net.Close() }()

	ctx := context.Background()
	outputs, layers, err := net.Run(ctx, input)
	if err != nil {
		log.Fatal(err)
	}
	var cycles uint64
	for _, l := range layers {
		if l.Kernel == "" {
			log.Fatalf("%s ran on the host", l.Operator)
		}
		cycles += l.Cycles
	}
	fmt.Println(len(layers), "layers, the first is", layers[0].Operator)
	fmt.Println("more than 1 and less than 10 million cycles:", cycles > 1e6 && cycles < 1e7)

	want, err := nn.NewSession(graph, nn.GoldenExecutor{}).Run(ctx, []*nn.Tensor{input})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("differs from the golden model:", nn.Difference(outputs[0], want[0]))
	for _, m := range net.Memories() {
		fmt.Println(m.Name, "is used:", m.Used > 0)
	}
	// Output:
	// 13 layers, the first is CONV_2D
	// more than 1 and less than 10 million cycles: true
	// differs from the golden model: <nil>
	// xccm is used: true
	// yccm is used: true
	// iccm is used: true
	// ram is used: true
}

// keywords writes a network of the project's own to a file.
func keywords() (file string, input *nn.Tensor) {
	n, err := benchmarks.LookupNetwork("keywords")
	if err != nil {
		log.Fatal(err)
	}
	data, err := n.File()
	if err != nil {
		log.Fatal(err)
	}
	file = filepath.Join(os.TempDir(), fmt.Sprintf("keywords%d.tflite", os.Getpid()))
	if err := os.WriteFile(file, data, 0o600); err != nil {
		log.Fatal(err)
	}
	return file, n.Input()
}

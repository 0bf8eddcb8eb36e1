package arcq

import (
	"sync"

	"arcv2dsp/mlikernels/internal/kernel"
)

// fetchParams is the parameter block of the function that starts the micro-DMA controller.
var fetchParams = declared("arcq_fetch_params")

// Fetch is the function that waits for the micro-DMA controller and starts its next moves. It computes no operator, so no list
// of kernels has it; placements of networks call it as they call kernels.
var Fetch = sync.OnceValue(func() *kernel.Kernel {
	return &kernel.Kernel{Symbol: "arcq_fetch", Source: kernel.Source{File: "helpers/arcq_fetch.s"}, ABI: abi{row: row{params: fetchParams}}, Of: Collection()}
})

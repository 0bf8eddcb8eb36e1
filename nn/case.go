package nn

// Case is a call with what it must give. Grids, calls of known cost, recorded results and files of users all state
// their calls in this form.
type Case struct {
	*Call
	ID     int    // in its file
	Kernel string // the function that is asked; empty when every one that computes the operator may be
	// Want are the results by name that are stated. The golden function gives the others.
	Want   map[string]*Tensor
	Status int // what the function must return: 0 for success
	// Strides are those of tensors with holes, by name; nil when there are none.
	Strides map[string][]int
}

//go:build !(linux || darwin)

package memory

// retries: what the system cannot map it cannot map later.
const retries = 0

// maxViews is how many views of a space have tables at once. They come from the heap.
const maxViews = 4

func mapTables() (*tables, func()) { return nil, nil }

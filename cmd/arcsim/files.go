package main

import (
	"io"
	"os"

	"arcv2dsp"
)

// maxInput bounds the files that commands read.
const maxInput = 1 << 30

func readFile(path string) ([]byte, error) { return arcv2dsp.ReadFile(path, maxInput) }

// keepOpen is standard output as something that is closed.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

// createFile opens a file for output that grows as the run goes; - is standard output.
func createFile(path string, s streams) (io.WriteCloser, error) {
	if path == "-" {
		return keepOpen{s.out}, nil
	}
	return os.Create(path)
}

// writeFile writes a whole file at once; - is standard output.
func writeFile(path string, data []byte, s streams) error {
	if path == "-" {
		_, err := s.out.Write(data)
		return err
	}
	return arcv2dsp.WriteFileAtomic(path, data)
}

package main

import (
	"fmt"
	"io"
	"os"

	"arcv2dsp"
)

// maxProgram bounds what is read as a raw binary.
const maxProgram = 1 << 30

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxProgram {
		return nil, fmt.Errorf("%s: more than %d bytes", path, maxProgram)
	}
	return os.ReadFile(path)
}

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

package main

import (
	"io"
	"os"

	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
)

// maxInput bounds the files that commands read.
const maxInput = 1 << 30

func readFile(path string) ([]byte, error) { return hostfile.Read(path, maxInput) }

// keepOpen is standard output as something that is closed.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

// createFile opens a file for output that grows as the run goes; - is standard output.
func createFile(path string, s cli.Streams) (io.WriteCloser, error) {
	if path == "-" {
		return keepOpen{s.Out}, nil
	}
	return os.Create(path)
}

// writeFile writes a whole file at once; - is standard output.
func writeFile(path string, data []byte, s cli.Streams) error {
	if path == "-" {
		_, err := s.Out.Write(data)
		return err
	}
	return hostfile.Write(path, data)
}

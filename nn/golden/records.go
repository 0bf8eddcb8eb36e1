package golden

import (
	"io"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/gemmlowprecord"
	"arcv2dsp/nn/internal/mlirecord"
	"arcv2dsp/nn/internal/tflmrecord"
)

// Recorded calls of functions, by the format of their files.
type (
	// MLIRecord is a recorded call of a function: the form in which calls are written as text.
	MLIRecord = mlirecord.Record
	// MLIUserCase is a case of the user tests of MLI 2.0.
	MLIUserCase = mlirecord.UserCase
	// TFLMRecord is a recorded result of TensorFlow Lite's reference kernels.
	TFLMRecord = tflmrecord.Record
	// TFLMLine is the line of such a record.
	TFLMLine = tflmrecord.Line
)

// MLIMove is the name that recorded calls of the functions that move data have.
const MLIMove = mlirecord.Move

// MLIRecordOf returns the record of a case.
func MLIRecordOf(c *nn.Case) (*MLIRecord, error) { return mlirecord.Of(c) }

// ParseMLIRecord reads a line.
func ParseMLIRecord(line []byte) (*MLIRecord, error) { return mlirecord.Parse(line) }

// WriteMLIRecord writes a record as a line.
func WriteMLIRecord(w io.Writer, r *MLIRecord) error { return mlirecord.Write(w, r) }

// ParseMLIUserCase reads a case of the user tests.
func ParseMLIUserCase(line []byte) (*MLIUserCase, error) { return mlirecord.ParseUser(line) }

// ParseTFLMRecord reads a recorded result.
func ParseTFLMRecord(text []byte, ops *nn.Registry) (*TFLMRecord, error) {
	return tflmrecord.Parse(text, ops)
}

// ParseGEMMRecord reads a recorded product of matrices as a case.
func ParseGEMMRecord(text []byte, ops *nn.Registry) (*nn.Case, error) {
	return gemmlowprecord.Parse(text, ops)
}

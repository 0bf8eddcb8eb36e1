package model

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
)

// file writes a file for a test.
func file(t *testing.T, name string, data []byte) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

// colors are two rows of two pixels.
var colors = [][]color.NRGBA{
	{{R: 255, A: 255}, {G: 128, A: 255}},
	{{B: 1, A: 255}, {R: 10, G: 20, B: 30, A: 255}},
}

// bmp24 is a bitmap of colors: rows from the bottom, blue first, rows of 8 bytes.
func bmp24() []byte {
	b := make([]byte, bmpHeader)
	copy(b, "BM")
	b[bmpPixels], b[bmpPalette], b[bmpWidth], b[bmpHeight], b[bmpBits] = bmpHeader, 40, 2, 2, 24
	for _, row := range [][]color.NRGBA{colors[1], colors[0]} {
		for _, c := range row {
			b = append(b, c.B, c.G, c.R)
		}
		b = append(b, 0, 0)
	}
	return b
}

func TestPicturesBecomeImages(t *testing.T) {
	picture := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	for y, row := range colors {
		for x, c := range row {
			picture.SetNRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, picture))
	signed := &nn.Tensor{Type: nn.I8, Shape: []int{1, 2, 2, 3}}
	unsigned := &nn.Tensor{Type: nn.U8, Shape: []int{1, 2, 2, 3}}
	for _, path := range []string{file(t, "x.png", b.Bytes()), file(t, "x.bmp", bmp24())} {
		steps, err := ReadInput(path, signed, 0)
		require.NoError(t, err)
		require.Equal(t, []int64{127, -128, -128, -128, 0, -128, -128, -128, -127, -118, -108, -98}, steps[0].Ints, path)
		steps, err = ReadInput(path, unsigned, 0)
		require.NoError(t, err)
		require.Equal(t, []int64{255, 0, 0, 0, 128, 0, 0, 0, 1, 10, 20, 30}, steps[0].Ints, path)
		grey, err := ReadInput(path, &nn.Tensor{Type: nn.U8, Shape: []int{1, 2, 2, 1}}, 0)
		require.NoError(t, err)
		require.Equal(t, []int64{76, 75, 0, 18}, grey[0].Ints) // 0.299 R + 0.587 G + 0.114 B
		_, err = ReadInput(path, &nn.Tensor{Type: nn.U8, Shape: []int{1, 3, 2, 1}}, 0)
		require.ErrorContains(t, err, "2 rows of 2, the input has 3 of 2")
	}
	for n := range len(bmp24()) {
		_, err := ReadInput(file(t, "x.bmp", bmp24()[:n]), signed, 0)
		require.Error(t, err, "%d bytes", n)
	}
}

// wav is a file of 16-bit samples of one channel.
func wav(samples ...int16) []byte {
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00junk\x01\x00\x00\x00x\x00data")
	b = binary.LittleEndian.AppendUint32(b, uint32(2*len(samples)))
	for _, s := range samples {
		b = binary.LittleEndian.AppendUint16(b, uint16(s))
	}
	return b
}

func TestSoundRunsInSteps(t *testing.T) {
	path := file(t, "x.wav", wav(1, -2, 3, -4, 5, -6, 7))
	want := &nn.Tensor{Type: nn.I16, Shape: []int{1, 4}}
	steps, err := ReadInput(path, want, 0)
	require.NoError(t, err)
	require.Len(t, steps, 1)
	steps, err = ReadInput(path, want, 2)
	require.NoError(t, err)
	require.Len(t, steps, 2)
	require.Equal(t, []int64{3, -4, 5, -6}, steps[1].Ints)
	_, err = ReadInput(path, &nn.Tensor{Type: nn.I16, Shape: []int{1, 8}}, 0)
	require.ErrorContains(t, err, "7 samples, the input has 8")
	for n := range len(wav(1)) {
		_, err := ReadInput(file(t, "x.wav", wav(1)[:n]), want, 0)
		require.Error(t, err, "%d bytes", n)
	}
}

func TestArraysOfFloatsAreQuantized(t *testing.T) {
	x := &nn.Tensor{Type: nn.F32, Shape: []int{2, 1, 3}, Floats: []float32{0.5, 0.26, -0.25, 100, -100, 0}}
	data, err := nn.FormatNPY(x)
	require.NoError(t, err)
	want := &nn.Tensor{Type: nn.I8, Shape: []int{1, 3}, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{0.5}, Zeros: []int64{3}}}
	steps, err := ReadInput(file(t, "x.npy", data), want, 0)
	require.NoError(t, err)
	require.Equal(t, []int64{4, 4, 2}, steps[0].Ints) // 0.52 and -0.5 round away from zero
	require.Equal(t, []int64{127, -128, 3}, steps[1].Ints)
	double, err := ReadInput("testdata/double.npy", want, 0)
	require.NoError(t, err)
	require.Equal(t, steps, double, "what NumPy makes of the same numbers without a type")
	x.Floats[4] = float32(math.NaN())
	nan, err := nn.FormatNPY(x)
	require.NoError(t, err)
	_, err = ReadInput(file(t, "nan.npy", nan), want, 0)
	require.ErrorContains(t, err, "nan.npy: element 4 is not a number")
	_, err = ReadInput(file(t, "x.npy", data), &nn.Tensor{Type: nn.I8, Shape: []int{3}}, 0)
	require.ErrorContains(t, err, "the array is f32[2 1 3], the input is i8[3]")
}

func FuzzPicture(f *testing.F) {
	f.Add(bmp24())
	f.Fuzz(func(_ *testing.T, data []byte) {
		if p, err := decodeBMP(bytes.NewReader(data)); err == nil {
			_ = p.At(0, 0)
		}
	})
}

package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"strings"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
)

// maxMedia bounds a picture or sound.
const maxMedia = 256 << 20

// readPicture reads a picture of the size of an image input. Black and white of a channel are the ends of the
// 8-bit range, whichever real values the network means by them.
func readPicture(path string, want *nn.Tensor) (_ *nn.Tensor, err error) {
	defer steps.Return(&err)
	if len(want.Shape) != 4 || want.Shape[0] != 1 || want.Type.Bits() != 8 || want.Shape[3] != 1 && want.Shape[3] != 3 {
		return nil, fmt.Errorf("%s: the input is %s%v; a picture takes one image of 8 bits with 1 or 3 channels", path, want.Type, want.Shape)
	}
	data := steps.Must(hostfile.Read(path, maxMedia))
	decode := func(r *bytes.Reader) (image.Image, error) { return png.Decode(r) }
	config := func(r *bytes.Reader) (image.Config, error) { return png.DecodeConfig(r) }
	if strings.EqualFold(filepath.Ext(path), ".bmp") {
		decode, config = decodeBMP, configBMP
	}
	c, err := config(bytes.NewReader(data))
	steps.Check(steps.In(path, err))
	if c.Height != want.Shape[1] || c.Width != want.Shape[2] {
		return nil, fmt.Errorf("%s: %d rows of %d, the input has %d of %d", path, c.Height, c.Width, want.Shape[1], want.Shape[2])
	}
	picture, err := decode(bytes.NewReader(data))
	steps.Check(steps.In(path, err))
	t := nn.New(want.Type, want.Shape...)
	lo, _ := want.Type.Range()
	i := 0
	put := func(v uint8) {
		t.Ints[i] = int64(v) + lo
		i++
	}
	at := picture.Bounds().Min
	for y := range c.Height {
		for x := range c.Width {
			pixel := picture.At(at.X+x, at.Y+y)
			if want.Shape[3] == 1 {
				put(color.GrayModel.Convert(pixel).(color.Gray).Y)
				continue
			}
			rgb := color.NRGBAModel.Convert(pixel).(color.NRGBA)
			put(rgb.R)
			put(rgb.G)
			put(rgb.B)
		}
	}
	return t, nil
}

// The header of a .bmp file: offset of the pixels, size of the picture, bits of a pixel, compression.
const (
	bmpPixels      = 10
	bmpWidth       = 18
	bmpHeight      = 22
	bmpBits        = 28
	bmpCompression = 30
	bmpHeader      = 54
	bmpPalette     = 14 // plus the size of the second header, which is at this offset
)

// parseBMP reads the header of a picture without compression, of 8, 24 or 32 bits to a pixel. Rows stand
// from bottom to top, or from top to bottom when the height is negative.
func parseBMP(b []byte) (width, height, bits int, down bool, err error) {
	if len(b) < bmpHeader || string(b[:2]) != "BM" {
		return 0, 0, 0, false, errors.New("no .bmp picture")
	}
	at := func(pos int) int { return int(int32(binary.LittleEndian.Uint32(b[pos:]))) }
	width, height, bits = at(bmpWidth), at(bmpHeight), int(binary.LittleEndian.Uint16(b[bmpBits:]))
	if down = height < 0; down {
		height = -height
	}
	switch {
	case at(bmpCompression) != 0:
		return 0, 0, 0, false, errors.New("a compressed .bmp picture")
	case bits != 8 && bits != 24 && bits != 32:
		return 0, 0, 0, false, fmt.Errorf("a .bmp picture with %d bits to a pixel; 8, 24 and 32 can be read", bits)
	case nn.CheckShape([]int{width, height}) != nil:
		return 0, 0, 0, false, fmt.Errorf("a .bmp picture of %d by %d", width, height)
	}
	return width, height, bits, down, nil
}

func configBMP(r *bytes.Reader) (image.Config, error) {
	b := make([]byte, bmpHeader)
	n, _ := r.Read(b)
	width, height, _, _, err := parseBMP(b[:n])
	return image.Config{Width: width, Height: height}, err
}

func decodeBMP(r *bytes.Reader) (image.Image, error) {
	b := make([]byte, r.Len())
	n, _ := r.Read(b)
	b = b[:n]
	width, height, bits, down, err := parseBMP(b)
	if err != nil {
		return nil, err
	}
	first := int(binary.LittleEndian.Uint32(b[bmpPixels:]))
	palette := bmpPalette + int(binary.LittleEndian.Uint32(b[bmpPalette:]))
	size := bits / 8
	row := (width*size + 3) / 4 * 4
	if first < 0 || first > len(b) || height*row > len(b)-first {
		return nil, errors.New("the picture ends before its last row")
	}
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		line := y
		if !down {
			line = height - 1 - y
		}
		for x := range width {
			pixel := b[first+line*row+x*size:]
			if size == 1 {
				entry := palette + 4*int(pixel[0])
				if entry > len(b)-3 {
					return nil, fmt.Errorf("color %d is not in the palette", pixel[0])
				}
				pixel = b[entry:]
			}
			picture.SetNRGBA(x, y, color.NRGBA{R: pixel[2], G: pixel[1], B: pixel[0], A: 255})
		}
	}
	return picture, nil
}

// readSound reads 16-bit samples of one channel. Every step takes as many as the input has, hop samples
// after the one before.
func readSound(path string, want *nn.Tensor, hop int) ([]*nn.Tensor, error) {
	if want.Type != nn.I16 {
		return nil, fmt.Errorf("%s: the input is %s%v; sound takes 16-bit samples", path, want.Type, want.Shape)
	}
	data, err := hostfile.Read(path, maxMedia)
	if err != nil {
		return nil, err
	}
	samples, err := parseWAV(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	n := want.Len()
	if len(samples) < n {
		return nil, fmt.Errorf("%s: %d samples, the input has %d", path, len(samples), n)
	}
	var steps []*nn.Tensor
	for at := 0; at+n <= len(samples); at += hop {
		x := &nn.Tensor{Type: nn.I16, Shape: want.Shape, Format: want.Format, Ints: samples[at : at+n]}
		steps = append(steps, x)
		if hop <= 0 {
			break
		}
	}
	return steps, nil
}

// The chunks of a .wav file that count, and the only encoding that is read.
const (
	wavFormat   = "fmt "
	wavData     = "data"
	wavIntegers = 1
)

// parseWAV finds the samples of one channel of 16-bit integers.
func parseWAV(b []byte) ([]int64, error) {
	if len(b) < 12 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WAVE" {
		return nil, errors.New("no .wav file")
	}
	formatted := false
	for b = b[12:]; len(b) >= 8; {
		name, size := string(b[:4]), int(binary.LittleEndian.Uint32(b[4:]))
		b = b[8:]
		if size > len(b) {
			return nil, fmt.Errorf("chunk %q ends behind the file", name)
		}
		switch {
		case name == wavFormat && size >= 16:
			encoding, channels, bits := binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:]), binary.LittleEndian.Uint16(b[14:])
			if encoding != wavIntegers || channels != 1 || bits != 16 {
				return nil, fmt.Errorf("encoding %d, %d channels of %d bits; one channel of 16-bit integers can be read", encoding, channels, bits)
			}
			formatted = true
		case name == wavData && formatted:
			samples := make([]int64, size/2)
			for i := range samples {
				samples[i] = int64(int16(binary.LittleEndian.Uint16(b[2*i:])))
			}
			return samples, nil
		}
		b = b[min(size+size%2, len(b)):]
	}
	return nil, errors.New("no samples")
}

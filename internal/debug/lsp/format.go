package lsp

import (
	"strings"

	"arcv2dsp/asm"
)

// formatOptions are those of the client.
type formatOptions struct {
	TabSize int  `json:"tabSize"`
	Spaces  bool `json:"insertSpaces"`
}

// Columns of a statement in tab stops: labels stand at 0.
const (
	wordStop    = 1
	operandStop = 2
	commentStop = 5
)

// formatting puts statements into columns. What is between the words of the operands stays, and so does the program: it is
// assembled before and after.
func (s *session) formatting(p struct {
	at
	Options formatOptions `json:"options"`
}) (any, error) {
	d, err := s.document(p.Document)
	if err != nil {
		return nil, err
	}
	next := d.formatted(p.Options)
	if next == d.text.string {
		return []textEdit{}, nil
	}
	for _, prog := range s.programsOf(d) {
		if err := s.unchanged(prog, map[string]string{d.path: next}, nil); err != nil {
			return nil, err
		}
	}
	return lineEdits(d.text, newText(next)), nil
}

// lineEdits are the edits of the lines that differ; the texts have the same number of lines.
func lineEdits(from, to *text) []textEdit {
	edits := []textEdit{}
	for n := range from.starts {
		a, b := from.string[from.starts[n]:from.end(n)], to.string[to.starts[n]:to.end(n)]
		if a != b {
			edits = append(edits, textEdit{Range: from.stretch(from.starts[n], from.end(n)), NewText: b})
		}
	}
	return edits
}

// formatted is the text in columns. Lines of several statements, with a comment /* */ over lines, and line markers stay as they
// are.
func (d *document) formatted(o formatOptions) string {
	if o.TabSize < 2 || o.TabSize > 16 {
		o.TabSize = 8
	}
	src := d.text.string
	var b strings.Builder
	done := 0
	list := d.scanned()
	for i := 0; i < len(list); i++ {
		st := list[i]
		_, first := d.line(st.From)
		same := i
		for same+1 < len(list) {
			if _, n := d.line(list[same+1].From); n != first {
				break
			}
			same++
		}
		_, last := d.line(st.To)
		begin, end := d.starts[first], d.end(first)
		line := src[begin:end]
		if same > i || last > first || st.From != begin || strings.HasPrefix(line, "#") || strings.IndexByte(line, '\r') >= 0 || strings.Contains(line, "/*") {
			i = same
			continue
		}
		b.WriteString(src[done:begin])
		b.WriteString(o.columns(src, st))
		done = end
	}
	b.WriteString(src[done:])
	return b.String()
}

// columns writes a statement.
func (o formatOptions) columns(src string, st asm.Statement) string {
	var b strings.Builder
	column := 0
	put := func(text string) {
		b.WriteString(text)
		for _, r := range text {
			if column++; r == '\t' {
				column += (o.TabSize - column%o.TabSize) % o.TabSize
			}
		}
	}
	// to goes on at a tab stop, or a blank behind what reaches beyond it.
	to := func(stop int) {
		want := stop * o.TabSize
		switch {
		case column >= want && column > 0:
			put(" ")
		case o.Spaces:
			put(strings.Repeat(" ", want-column))
		default:
			for column < want {
				b.WriteByte('\t')
				column += o.TabSize - column%o.TabSize
			}
		}
	}
	for i, l := range st.Labels {
		if i > 0 {
			put(" ")
		}
		put(src[l.From:labelEnd(src, l)])
	}
	operands := src[st.Operands.From:st.Operands.To]
	switch {
	case st.Assigns:
		if len(st.Labels) > 0 || st.Word.From > st.From {
			to(wordStop)
		}
		put(src[st.Word.From:st.Operands.To])
	case !st.Word.Empty():
		to(wordStop)
		put(src[st.Word.From:st.Word.To])
		if operands != "" {
			to(operandStop)
			put(operands)
		}
	case operands != "": // no statement of the assembler
		to(wordStop)
		put(operands)
	}
	if !st.Comment.Empty() {
		comment := strings.TrimRight(src[st.Comment.From:st.Comment.To], " \t")
		switch {
		case column > 0:
			to(commentStop)
		case st.Comment.From > st.From:
			to(wordStop)
		}
		put(comment)
	}
	return b.String()
}

// labelEnd is the end of a label with its colons.
func labelEnd(src string, l asm.Span) int {
	end := l.To
	for src[end] != ':' {
		end++
	}
	if strings.HasPrefix(src[end:], "::") {
		end++
	}
	return end + 1
}

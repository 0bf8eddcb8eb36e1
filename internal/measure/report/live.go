package report

import (
	"bytes"
	_ "embed" // for the script
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

//go:embed page/live.js
var liveJS []byte

// live makes a page one that follows what is new: it asks the script beside it, which is news, and loads itself anew when that
// has another version.
func live(page []byte, script, version string) []byte {
	tag := append([]byte(`<script data-from="`+escape(script)+`" data-version="`+escape(version)+`">`), liveJS...)
	tag = append(tag, "</script>\n</body>"...)
	end := bytes.LastIndex(page, []byte("</body>"))
	return bytes.Join([][]byte{page[:end], tag, page[end+len("</body>"):]}, nil)
}

// news is the script that tells a page which version it should have, and a message to show above it, if there is one.
func news(version, message string) []byte {
	text, err := json.Marshal([]string{version, message}) // without < and >
	if err != nil {
		panic(err) // texts always can
	}
	return append(append([]byte("arcsimNews(..."), text...), ");\n"...)
}

// empty is a page without content.
func empty(title string) []byte {
	var m Markup
	m.Begin(title, "")
	m.Put("<main></main>\n</body>\n</html>\n")
	return []byte(m.b.String())
}

// LivePage is the page of a file that browsers load anew when it changes. They are told by a script beside it: a page from a
// file may load that, and nothing else.
type LivePage struct {
	File  string
	Warn  func(format string, args ...any)
	plain []byte // the page as it is without watching; nil before the first
	since string // version of the page that is shown
}

// script is the file that tells pages what is new.
func (p *LivePage) script() string { return p.File + ".watch.js" }

// Show puts a page in place of the one before.
func (p *LivePage) Show(page []byte) {
	p.plain = page
	p.put(page)
	steps.Check(hostfile.Write(p.script(), news(p.since, "")))
	p.Warn("report: %s", p.File)
}

// put writes a page that follows what is new.
func (p *LivePage) put(page []byte) {
	p.since = fmt.Sprint(time.Now().UnixNano())
	steps.Check(hostfile.Write(p.File, live(page, filepath.Base(p.script()), p.since)))
}

// Tell shows an error above the last page that was good, or on an empty one.
func (p *LivePage) Tell(err error) {
	text := err.Error()
	p.Warn("%s", text)
	if p.since == "" {
		p.put(empty(filepath.Base(p.File)))
	}
	steps.Check(hostfile.Write(p.script(), news(p.since, text)))
}

// End leaves the last good page, which follows nothing.
func (p *LivePage) End() {
	_ = os.Remove(p.script()) // there may be none
	switch {
	case p.plain != nil:
		steps.Check(hostfile.Write(p.File, p.plain))
	case p.since != "":
		steps.Check(os.Remove(p.File))
	}
}

package report

import (
	"bytes"
	_ "embed" // for the script
	"encoding/json"
)

//go:embed page/live.js
var liveJS []byte

// Live makes a page one that follows what is new: it asks the script beside it, which News writes, and loads itself anew when that
// has another version.
func Live(page []byte, script, version string) []byte {
	tag := append([]byte(`<script data-from="`+escape(script)+`" data-version="`+escape(version)+`">`), liveJS...)
	tag = append(tag, "</script>\n</body>"...)
	end := bytes.LastIndex(page, []byte("</body>"))
	return bytes.Join([][]byte{page[:end], tag, page[end+len("</body>"):]}, nil)
}

// News is the script that tells a page which version it should have, and a message to show above it, if there is one.
func News(version, message string) []byte {
	text, err := json.Marshal([]string{version, message}) // without < and >
	if err != nil {
		panic(err) // texts always can
	}
	return append(append([]byte("arcsimNews(..."), text...), ");\n"...)
}

// Empty is a page without content.
func Empty(title string) []byte {
	var m Markup
	m.Begin(title, "")
	m.Put("<main></main>\n</body>\n</html>\n")
	return []byte(m.b.String())
}

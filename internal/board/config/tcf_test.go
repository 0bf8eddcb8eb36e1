package config

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const tcfStart = `<config_list><configuration filename="nsim.props"><string>`

// TestTCFRefusals: whatever is wrong, one error says what and where.
func TestTCFRefusals(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
	}{
		{name: "empty", text: "", want: "f: there is no nsim.props in it, this is no tool configuration file"},
		{name: "text", text: "nsim_isa_family=av2em\n", want: "f: there is no nsim.props in it"},
		{name: "entity", text: "<config_list>&x;</config_list>", want: "f:1: this is no tool configuration file: invalid character entity &x;"},
		{name: "binary", text: "<config_list>&\x1b[2J\xff", want: "f:1: this is no tool configuration file: invalid character entity & (no semicolon)"},
		{name: "document type", text: "\n<!DOCTYPE a [<!ENTITY b 'c'>]>", want: "f:2: document types and entities are not read"},
		{name: "encoding", text: `<?xml version="1.0" encoding="UTF-7"?>`, want: "only UTF-8 is read"},
		{name: "crossed", text: "<config_list><a></b>", want: "f:1: </b> ends what does not start"},
		{name: "unended", text: "<config_list>\n<a>", want: "f:2: <a> does not end"},
		{name: "twice", text: "<config_list>" + strings.Repeat(`<configuration filename="nsim.props"><string>a=1</string></configuration>`, 2) + "</config_list>",
			want: "f:1: nsim.props is there twice"},
		{name: "many", text: "<config_list>" + strings.Repeat("<a></a>", maxTCFItems), want: "more than 100000 elements and texts"},
		{name: "deep", text: "<config_list>" + strings.Repeat("<a>", 1000), want: "f:1: elements 9 deep, a tool configuration has 3"},
		{name: "no family", text: tcfStart + "xy=1</string></configuration></config_list>", want: "f: its nsim.props does not say nsim_isa_family"},
		{name: "register", text: tcfStart + "family=av2em</string></configuration><configuration filename=\"bcr_contents.txt\"><string>\n0x4 many</string></configuration></config_list>",
			want: `f:2: "many" is not a 32-bit number`},
		{name: "half a register", text: tcfStart + "family=av2em</string></configuration><configuration filename=\"bcr_contents.txt\"><string>\n0x4</string></configuration></config_list>",
			want: "f:2: a register has an address, a value and a name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseTCF([]byte(tt.text), "f")
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// TestBoardsAreWhole: every preset says what is right on its own, and its options reach the core.
func TestBoardsAreWhole(t *testing.T) {
	for _, b := range boards() {
		t.Run(b.Name, func(t *testing.T) {
			c, err := New(b.Name, "test")
			require.NoError(t, err)
			require.NoError(t, c.Check())
			require.Equal(t, b.family, c.Core.Family)
			require.Equal(t, b.Name, c.Core.Template)
			require.NotZero(t, c.Core.Interrupts)
			require.False(t, c.Core.SharedCCM())
			seen := map[string]string{}
			for _, s := range b.settings() {
				name, value, _ := strings.Cut(s.text, "=")
				i, ok := c.index[name]
				require.True(t, ok, s.text)
				if again, twice := seen[c.rows[i].Name]; twice {
					require.NotEqual(t, again, value, "%s is said twice", name)
				}
				seen[c.rows[i].Name] = value
			}
		})
	}
}

func FuzzTCF(f *testing.F) {
	f.Add(tcfStart + "\nnsim_isa_family=av2em\nnsim_isa_mpy_option=8\n</string></configuration></config_list>")
	f.Add(`<?xml version="1.0"?><config_list><configuration filename="bcr_contents.txt"><string><![CDATA[ 0x4 0x43 IDENTITY
]]></string></configuration></config_list>`)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseTCF([]byte(text), "f")
		if err != nil || list.Family() == "" {
			return
		}
		c := NewComplete(list.Family(), "f")
		if len(c.Apply(list)) == 0 {
			_ = c.Check()
		}
	})
}

#!/usr/bin/env bash
# make.sh: makes the pictures of README.md again, from what the commands write. It needs Go, chromium and tmux. The drawing
# in ARCHITECTURE.md is from go generate ./internal/dev/drawing.
set -euo pipefail
cd "$(dirname "$0")/../.."
for tool in go chromium tmux; do
	command -v "$tool" >/dev/null || { echo "make.sh needs $tool" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work" ./cmd/...
shoot() { # shoot NAME PAGE WIDTH HEIGHT: a picture of a page
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 --user-data-dir="$work/browser" \
		--window-size="$3,$4" --screenshot="docs/pictures/$1.png" "file://$2" 2>/dev/null
}

"$work/arcsim" report --html "$work/report/index.html" --core em9d,em7d \
	conv2d depthwise fully_connected pool >/dev/null
shoot report "$work/report/index.html" 1100 900

# The program's exit status is a checksum.
"$work/arcsim" report --html "$work/run.html" --core em11d -d cmd/arcsim/testdata/src testdata/elf/small/sort-em4_dmips-O0.elf || [[ -s $work/run.html ]]
shoot run "$work/run.html" 1100 1472

"$work/arcsim" report timeline --kernel fully_connected_fx16 --shape 64-16 --count 120 --html "$work/timeline.html"
shoot timeline "$work/timeline.html" 1100 800

"$work/arcsim" model bench keywords --core em9d,em7d --html "$work/network.html" >/dev/null
shoot network "$work/network.html" 1100 900

# The workbench is driven by its test, which keeps pictures.
ARCV2DSP_LONG=1 ARCV2DSP_REQUIRE_TOOLS=1 go test ./internal/debug/workbench/bundle -run 'TestProgram$' -artifacts -outputdir "$work"
find "$work/_artifacts" -name debugger.png -exec cp {} docs/pictures/workbench.png \;

# The debugger prints text: the picture is of the session in the walkthrough, which a test repeats.
{
	cat <<-'HTML'
	<!doctype html><meta charset="utf-8"><title>arcsim debug</title>
	<style>body{margin:0;background:#1c1f24}pre{font:14px/1.35 monospace;color:#dfe3ea;padding:14px 18px;margin:0}b{color:#8ecbff}</style><pre>
	HTML
	awk -v most=54 '/^```console/ { inside = ++blocks == 1 || blocks == 3 || blocks == 4; next } /^```/ { inside = 0 } inside && n++ < most' docs/walkthrough.md |
		sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/^(arcsim) .*/<b>&<\/b>/'
	echo '</pre>'
} >"$work/debugger.html"
shoot debugger "$work/debugger.html" 1020 1050

# The full-screen view runs in a terminal of tmux, whose cells become a page.
screen=(tmux -L arcsim-pictures)
"${screen[@]}" new-session -d -s full -x 120 -y 40 "XDG_STATE_HOME=$work XDG_CONFIG_HOME=$work $work/arcsim debug --tui \
	-d cmd/arcsim/testdata/src testdata/elf/small/sort-em4_dmips-O0.elf"
trap '"${screen[@]}" kill-session -t full 2>/dev/null; rm -rf "$work"' EXIT
for keys in 'break insertion' 'continue' 'next' ''; do
	sleep 1
	"${screen[@]}" send-keys -t full "$keys" Enter
done
sleep 1
"${screen[@]}" capture-pane -p -t full | sed 's/ *$//' >docs/pictures/fullscreen.txt
{
	cat <<-'HTML'
	<!doctype html><meta charset="utf-8"><title>arcsim debug --tui</title>
	<style>body{margin:0;background:#1c1f24}pre{font:13px/1.25 monospace;color:#dfe3ea;padding:10px 12px;margin:0}
	.a2{color:#8b93a1}.a7{background:#39414f}.a1{font-weight:bold}.a31{color:#ff8a80}.a32{color:#9be29b}.a33{color:#ffd866}.a34{color:#8ecbff}</style><pre>
	HTML
	"${screen[@]}" capture-pane -e -N -p -t full | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' | awk '
		{
			line = $0; out = ""
			while (match(line, /\033\[[0-9;]*m/)) {
				out = out substr(line, 1, RSTART - 1)
				n = split(substr(line, RSTART + 2, RLENGTH - 3), code, ";")
				for (i = 1; i <= n; i++) {
					if (code[i] == "0" || code[i] == "") split("", on)
					else if (code[i] == "39") for (c = 31; c <= 34; c++) delete on[c]
					else if (code[i] != "49") on[code[i] + 0] = 1
				}
				class = ""
				for (c in on) class = class " a" c
				out = out "</span><span class=\"" substr(class, 2) "\">"
				line = substr(line, RSTART + RLENGTH)
			}
			print "<span>" out line "</span>"; split("", on)
		}'
	echo '</pre>'
} >"$work/fullscreen.html"
shoot fullscreen "$work/fullscreen.html" 980 670
ls -l docs/pictures

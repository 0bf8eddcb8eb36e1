#!/usr/bin/env bash
# make.sh: makes the pictures of README.md again, from what the commands write. It needs Go and chromium.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work" ./cmd/...
shoot() { # shoot NAME PAGE WIDTH HEIGHT: a picture of a page
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
		--window-size="$3,$4" --screenshot="docs/pictures/$1.png" "file://$2" 2>/dev/null
}

"$work/arcsim" report -o "$work/report" --core em9d,em7d \
	conv2d depthwise fully_connected pool >/dev/null
shoot report "$work/report/index.html" 1100 900

"$work/arcsim" timeline --kernel fully_connected_fx16 --shape 64-16 --count 120 --html "$work/timeline.html"
shoot timeline "$work/timeline.html" 1100 800

"$work/arcsim" model bench keywords --core em9d,em7d --html "$work/network.html" >/dev/null
shoot network "$work/network.html" 1100 900

# The debugger prints text: the picture is of the session in the walkthrough, which a test repeats.
{
	cat <<-'HTML'
	<!doctype html><meta charset="utf-8"><title>arcsim debug</title>
	<style>body{margin:0;background:#1c1f24}pre{font:14px/1.35 monospace;color:#dfe3ea;padding:14px 18px;margin:0}b{color:#8ecbff}</style><pre>
	HTML
	awk '/^```console/ { inside = ++blocks == 1 || blocks == 3 || blocks == 4; next } /^```/ { inside = 0 } inside' docs/walkthrough.md |
		sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/^(arcsim) .*/<b>&<\/b>/'
	echo '</pre>'
} >"$work/debugger.html"
shoot debugger "$work/debugger.html" 860 1020
ls -l docs/pictures

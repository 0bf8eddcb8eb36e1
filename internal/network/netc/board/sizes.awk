# Reads the sections of the library (size -A) and the instructions of network and kernels (objdump -dr), and prints what a
# firmware gives the network: code, constants, data, and the stack of NAME_run by its calls. Fails where that is more
# than the limits that the Makefile gives (0 for none).
#
# The stack is an upper bound: all that a function takes from the stack pointer anywhere counts, a kernel that copies
# rows there takes room for the largest it copies, and a call of a layer goes to the deepest one.

function hex(text,    value, i) {
	for (i = 1; i <= length(text); i++)
		value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}

function number(text) { return text ~ /^0x/ ? hex(substr(text, 3)) : text + 0 }

function calls(to) { edges[name] = edges[name] " " to }

function depth(f,    list, n, i, most, d) {
	if (f in known)
		return known[f]
	known[f] = 0 # a function that calls itself counts once
	n = split(edges[f], list, " ")
	for (i = 1; i <= n; i++) {
		d = list[i] == "*" ? deepest() : depth(list[i])
		if (d > most)
			most = d
	}
	return known[f] = frame[f] + most
}

function deepest(    f, most) {
	for (f in frame)
		if (f ~ /^layer[0-9]+$/ && depth(f) > most)
			most = depth(f)
	return most
}

function report(what, bytes, limit) {
	print what, bytes
	if (limit > 0 && bytes > limit) {
		print library ": " what " takes " bytes " bytes, " limit " are allowed" > "/dev/stderr"
		failed = 1
	}
}

# size -A
$1 ~ /^\.text/ { code += $2 }
$1 ~ /^\.(rodata|data|sdata|ymem)/ || $1 ~ /\.constants$/ { constants += $2 }
$1 ~ /^\.(bss|sbss|xmem)/ || $1 ~ /^\..*\.data$/ { data += $2 }

# objdump -dr
/^[0-9a-f]+ <.*>:$/ {
	name = substr($2, 2, length($2) - 3)
	frame[name] += 0
}
/\tenter_s\t/ {
	saved = 0
	if (match($0, /r13-r[0-9]+/))
		saved = substr($0, RSTART + 5, RLENGTH - 5) - 12
	else if ($0 ~ /r13/)
		saved = 1
	frame[name] += 4 * (saved + ($0 ~ /fp/) + ($0 ~ /blink/))
}
/\tpush_s\t/ { frame[name] += 4 }
/\tst[a-z]*\.aw?\t.*\[sp,-[0-9]+\]/ {
	match($0, /\[sp,-[0-9]+/)
	frame[name] += substr($0, RSTART + 5, RLENGTH - 5)
}
/\tsub(_s)?\tsp,sp,[0-9]/ {
	match($0, /sp,sp,[0-9a-fx]+/)
	frame[name] += number(substr($0, RSTART + 6, RLENGTH - 6))
}
/\tsub(_s)?\tsp,sp,r/ { rows[name] = 1 }
/\tjl(_s)?(\.d)?\t\[/ { calls("*") }
/\tbl?(_s)?(\.d)?\t.*<[a-z_0-9]+>/ {
	match($0, /<[a-z_0-9]+>/)
	to = substr($0, RSTART + 1, RLENGTH - 2)
	if (to != name)
		calls(to)
}
/R_ARC_S(25|21)[HW]_PCREL/ { calls($3) }

END {
	for (f in rows)
		frame[f] = 2 * frame[f] + 8192
	report("code", code, code_most)
	report("constants", constants, constants_most)
	report("data", data, data_most)
	report("stack", depth(library "_run"), stack_most)
	exit failed
}

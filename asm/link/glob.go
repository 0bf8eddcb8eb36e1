package link

// glob matches a shell pattern: * and ? match any characters, slashes too, [a-z] and [!a-z] sets, and a
// backslash takes the next character literally.
func glob(pattern, name string) bool {
	p, n := 0, 0
	star, mark := -1, 0 // the last *, and where its match ends so far
	for n < len(name) {
		if p < len(pattern) {
			if pattern[p] == '*' {
				star, mark = p, n
				p++
				continue
			}
			if used, ok := globOne(pattern[p:], name[n]); ok {
				p += used
				n++
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		p, n = star+1, mark
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// globOne matches one character against the first element of a pattern, which is not a *.
func globOne(pattern string, c byte) (used int, ok bool) {
	switch pattern[0] {
	case '?':
		return 1, true
	case '\\':
		if len(pattern) > 1 {
			return 2, pattern[1] == c
		}
	case '[':
		if used, ok := globSet(pattern, c); used > 0 {
			return used, ok
		}
	}
	return 1, pattern[0] == c
}

// globSet matches a [set]; used is 0 when the bracket is not closed and so means itself.
func globSet(pattern string, c byte) (used int, ok bool) {
	i, negate := 1, false
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		negate = true
		i++
	}
	for first := true; i < len(pattern); first = false {
		lo := pattern[i]
		if lo == ']' && !first {
			return i + 1, ok != negate
		}
		hi := lo
		if i+2 < len(pattern) && pattern[i+1] == '-' && pattern[i+2] != ']' {
			hi = pattern[i+2]
			i += 2
		}
		ok = ok || lo <= c && c <= hi
		i++
	}
	return 0, false
}

package filter_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// pieces of patterns; the first ones are for every element, the others are rare.
var (
	plain = []string{"a", "b", "ab", "a.c", ".x", "B", "1", "c"}
	wilds = []string{"*", "*", "**", "?", "***", "[ab]", "[!a]", "[^b]", "[a-c]", "[.]", "*b", "a*", "?b", "*.c"}
	odd   = []string{
		"[[:alpha:]]", "[[:punct:]]", "[![:lower:]]", "[]b]", "[!]a]", "[a-]", "[b-a]", `[\a-b]`, "[/b]", "[a", "[[:x:]]",
		`\`, `\*`, `\a`, `\[b]`, "{a,b}", "[[]b]", "é", "\xe9", "[é]", "??", " ", "-", "[[:]", "]", "[]-a]", "[*]", "^", "[!-a]",
	}
)

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

func randomPattern(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(4) == 0 {
		b.WriteByte('/')
	}
	for i := range 1 + r.IntN(3) {
		if i > 0 {
			b.WriteByte('/')
		}
		for range 1 + r.IntN(3) {
			switch n := r.IntN(20); {
			case n < 10:
				b.WriteString(pick(r, plain))
			case n < 18:
				b.WriteString(pick(r, wilds))
			default:
				b.WriteString(pick(r, odd))
			}
		}
	}
	if r.IntN(5) == 0 {
		b.WriteByte('/')
	}
	if r.IntN(40) == 0 {
		b.WriteByte('/')
	}
	return b.String()
}

// randomFilter is a rule for --filter, now and then a wrong one.
func randomFilter(r *rand.Rand) string {
	kinds := []string{"-", "-", "-", "+", "+", "P", "R", "H", "S", "exclude", "include", "hide", "show", "protect", "risk"}
	mods := []string{"", "", "", "", "!", "s", "r", "sr", "!s"}
	kind, mod := pick(r, kinds), pick(r, mods)
	if mod != "" && (len(kind) > 1 || r.IntN(4) == 0) {
		mod = "," + mod
	}
	gap := " "
	if r.IntN(4) == 0 {
		gap = "_"
	}
	switch r.IntN(60) {
	case 0:
		return "!"
	case 1:
		return pick(r, []string{"clear", "! ", "x", "!a", "-", "- ", "excludes a", "-,, a", "Hs a", "", "-- a", "!,"})
	}
	return kind + mod + gap + randomPattern(r)
}

func randomOld(r *rand.Rand) string {
	prefix := ""
	switch r.IntN(20) {
	case 0:
		prefix = "- "
	case 1:
		prefix = "+ "
	case 2:
		return pick(r, []string{"!", "! ", "", "!a", "-a", "+", "- "})
	}
	return prefix + randomPattern(r)
}

// randomRules makes up a command line, with files whose names begin with base.
func randomRules(r *rand.Rand, base string) ruleList {
	l := ruleList{files: map[string]string{}}
	end := "\n"
	if r.IntN(6) == 0 {
		end = "\x00"
		l.args = append(l.args, "--from0")
	}
	if r.IntN(4) == 0 {
		l.args = append(l.args, "--delete-excluded")
	}
	file := func(line func(*rand.Rand) string) string {
		name := fmt.Sprintf("%s-%d", base, len(l.files))
		var b strings.Builder
		for range r.IntN(5) {
			b.WriteString(line(r) + pick(r, []string{end, end, end, end + end, end + "# a" + end, end + ";a" + end}))
		}
		l.files[name] = b.String()
		return name
	}
	for range 1 + r.IntN(5) {
		switch r.IntN(12) {
		case 0, 1, 2, 3:
			l.args = append(l.args, "--exclude="+randomOld(r))
		case 4, 5:
			l.args = append(l.args, "--include="+randomOld(r))
		case 6:
			l.args = append(l.args, "--exclude-from="+file(randomOld))
		case 7:
			l.args = append(l.args, "--include-from="+file(randomOld))
		case 8:
			rule := pick(r, []string{". ", "merge ", "._", ".s ", "merge,r ", ".n ", ".! "}) + file(randomFilter)
			l.args = append(l.args, "--filter="+rule)
		case 9:
			rule := pick(r, []string{".- ", ".+ ", "merge,-_", ".w- ", ".-s ", ".+- ", ".e- "}) + file(randomPattern)
			l.args = append(l.args, "--filter="+rule)
		default:
			l.args = append(l.args, "--filter="+randomFilter(r))
		}
	}
	return l
}

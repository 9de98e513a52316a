package quote

import "testing"

func TestStyles(t *testing.T) {
	for _, tt := range []struct {
		in                   string
		name, maybe, word    string // in UTF-8
		nameC, maybeC, wordC string // elsewhere, empty if equal
	}{
		{in: "", name: `''`, maybe: `''`, word: `‘’`, wordC: `''`},
		{in: "a.txt", name: `'a.txt'`, maybe: `a.txt`, word: `‘a.txt’`, wordC: `'a.txt'`},
		{in: "a b", name: `'a b'`, maybe: `'a b'`, word: `‘a b’`, wordC: `'a b'`},
		{in: "a:b", name: `'a:b'`, maybe: `'a:b'`, word: `‘a:b’`, wordC: `'a:b'`},
		{in: `a\b`, name: `'a\b'`, maybe: `'a\b'`, word: `‘a\\b’`, wordC: `'a\\b'`},
		{in: "it's", name: `"it's"`, maybe: `"it's"`, word: `‘it's’`, wordC: `'it\'s'`},
		{in: "'", name: `"'"`, maybe: `"'"`, word: `‘'’`, wordC: `'\''`},
		{in: "it's $5", name: `'it'\''s $5'`, maybe: `'it'\''s $5'`, word: `‘it's $5’`, wordC: `'it\'s $5'`},
		{in: "'\"", name: `''\''"'`, maybe: `''\''"'`, word: `‘'"’`, wordC: `'\'"'`},
		{in: "~'", name: `"~'"`, maybe: `"~'"`, word: `‘~'’`, wordC: `'~\''`},
		{in: "'~", name: `''\''~'`, maybe: `''\''~'`, word: `‘'~’`, wordC: `'\'~'`},
		{in: "#a", name: `'#a'`, maybe: `'#a'`, word: `‘#a’`, wordC: `'#a'`},
		{in: "a#~", name: `'a#~'`, maybe: `a#~`, word: `‘a#~’`, wordC: `'a#~'`},
		{in: "{", name: `'{'`, maybe: `'{'`, word: `‘{’`, wordC: `'{'`},
		{in: "{a}", name: `'{a}'`, maybe: `{a}`, word: `‘{a}’`, wordC: `'{a}'`},
		{in: "{'}", name: `'{'\''}'`, maybe: `'{'\''}'`, word: `‘{'}’`, wordC: `'{\'}'`},
		{in: "a\nb", name: `'a'$'\n''b'`, maybe: `'a'$'\n''b'`, word: `‘a\nb’`, wordC: `'a\nb'`},
		{in: "\a\b\t\n\v\f\r", name: `''$'\a\b\t\n\v\f\r'`, maybe: `''$'\a\b\t\n\v\f\r'`, word: `‘\a\b\t\n\v\f\r’`, wordC: `'\a\b\t\n\v\f\r'`},
		{in: "\x06\x0e\x1b\x7f", name: `''$'\006\016\033\177'`, maybe: `''$'\006\016\033\177'`, word: `‘\006\016\033\177’`, wordC: `'\006\016\033\177'`},
		{in: "\n'\n", name: `''$'\n'\'''$'\n'`, maybe: `''$'\n'\'''$'\n'`, word: `‘\n'\n’`, wordC: `'\n\'\n'`},
		{
			in: "é", name: `'é'`, maybe: `é`, word: `‘é’`,
			nameC: `''$'\303\251'`, maybeC: `''$'\303\251'`, wordC: `'\303\251'`,
		},
		{
			in: "é's", name: `"é's"`, maybe: `"é's"`, word: `‘é's’`,
			nameC: `''$'\303\251'\''s'`, maybeC: `''$'\303\251'\''s'`, wordC: `'\303\251\'s'`,
		},
		{
			in: "‘’", name: `'‘’'`, maybe: `‘’`, word: `‘‘\’’`,
			nameC: `''$'\342\200\230\342\200\231'`, maybeC: `''$'\342\200\230\342\200\231'`, wordC: `'\342\200\230\342\200\231'`,
		},
		// A part of a character, a surrogate, and one above the last are bytes.
		{in: "\xc3a", name: `''$'\303''a'`, maybe: `''$'\303''a'`, word: `‘\303a’`, wordC: `'\303a'`},
		{in: "\xed\xa0\x80", name: `''$'\355\240\200'`, maybe: `''$'\355\240\200'`, word: `‘\355\240\200’`, wordC: `'\355\240\200'`},
		{in: "\xf4\x90\x80\x80", name: `''$'\364\220\200\200'`, maybe: `''$'\364\220\200\200'`, word: `‘\364\220\200\200’`, wordC: `'\364\220\200\200'`},
		// U+FFFD is a character, though Go returns it for what is none.
		{
			in: "\ufffd", name: "'\ufffd'", maybe: "\ufffd", word: "‘\ufffd’",
			nameC: `''$'\357\277\275'`, maybeC: `''$'\357\277\275'`, wordC: `'\357\277\275'`,
		},
		// Not assigned, and a separator of lines.
		{in: "\u0378\u2028", name: `''$'\315\270\342\200\250'`, maybe: `''$'\315\270\342\200\250'`, word: `‘\315\270\342\200\250’`, wordC: `'\315\270\342\200\250'`},
		// No-break space, zero width space, private use: the C library prints them.
		{
			in: "\u00a0\u200b\ue000", name: "'\u00a0\u200b\ue000'", maybe: "\u00a0\u200b\ue000", word: "‘\u00a0\u200b\ue000’",
			nameC: `''$'\302\240\342\200\213\356\200\200'`, maybeC: `''$'\302\240\342\200\213\356\200\200'`, wordC: `'\302\240\342\200\213\356\200\200'`,
		},
	} {
		orElse := func(want, other string) string {
			if want == "" {
				return other
			}
			return want
		}
		for _, c := range []struct{ style, got, want string }{
			{"Name in UTF-8", Name(tt.in, true), tt.name},
			{"Maybe in UTF-8", Maybe(tt.in, true), tt.maybe},
			{"Word in UTF-8", Word(tt.in, true), tt.word},
			{"Name", Name(tt.in, false), orElse(tt.nameC, tt.name)},
			{"Maybe", Maybe(tt.in, false), orElse(tt.maybeC, tt.maybe)},
			{"Word", Word(tt.in, false), tt.wordC},
		} {
			if c.got != c.want {
				t.Errorf("%s of %q = %s, want %s", c.style, tt.in, c.got, c.want)
			}
		}
	}
}

func TestUTF8(t *testing.T) {
	for _, tt := range []struct {
		all, ctype, lang string
		want             bool
	}{
		{"", "", "", false},
		{"", "", "C", false},
		{"", "", "en_US.UTF-8", true},
		{"", "", "C.utf8", true},
		{"", "", "de_DE.UTF-8@euro", true},
		{"", "", "de_DE.Utf8", true},
		{"", "", "de_DE", false},
		{"", "", "de_DE@utf8", false},
		{"", "", "ja_JP.eucJP", false},
		{"", "", "UTF-8", false}, // no codeset: the name of a locale that there is not
		{"", "POSIX", "en_US.UTF-8", false},
		{"", "en_US.UTF-8", "C", true},
		{"C", "en_US.UTF-8", "en_US.UTF-8", false},
		{"C.UTF-8", "C", "C", true},
	} {
		env := map[string]string{"LC_ALL": tt.all, "LC_CTYPE": tt.ctype, "LANG": tt.lang}
		if got := UTF8(func(key string) string { return env[key] }); got != tt.want {
			t.Errorf("UTF8 of %v = %t, want %t", env, got, tt.want)
		}
	}
}

func BenchmarkName(b *testing.B) {
	for b.Loop() {
		Name("drivers/net/ethernet/intel/e1000/e1000_main.c", true)
	}
}

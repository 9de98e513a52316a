package internal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A badWord is one that readers had to learn, or that is quaint, where there is one that they know.
type badWord struct {
	pattern string // a regular expression, without a group of alternatives; a space in it stands for any, and for the end of a line of a comment
	better  string
}

// badWords are looked for without regard to case, in prose and between the humps of identifiers.
var badWords = []badWord{
	{pattern: `nobody`, better: "no one, none, or the user by number: nobodyUID"},
	{pattern: `somebody`, better: "someone, another user"},
	{pattern: `whoever`, better: "anyone who, the one that"},
	{pattern: `besides`, better: "also, in addition to"},
	{pattern: `in vain`, better: "without success, unused"},
	{pattern: `for as long as`, better: "while"},
	{pattern: `told`, better: "reported; distinguished"},
	{pattern: `hears? of|heard of`, better: "is called, gets, is reported"},
	{pattern: `un settle\w*|un-?settle\w*|settle\w*`, better: "done, known, ended, at rest, ... whichever it is"},
	{pattern: `unhurried`, better: "low priority, non-blocking"},
	{pattern: `litter\w*`, better: "has temporaries"},
	{pattern: `zoos?`, better: "fixture"},
	{pattern: `crowds?`, better: "fixture"},
	{pattern: `glances?`, better: "sample"},
	{pattern: `wardrobes?|outfits?|wears`, better: "the attributes that are wanted"},
	{pattern: `crews?|employs?`, better: "pool"},
	{pattern: `borrow\w*|lends?|loans?|shelf|shelves`, better: "share, steal, worklist"},
	{pattern: `dooms?|doomed`, better: "pending removals"},
	{pattern: `unsteady|restless`, better: "changed during the copy"},
	{pattern: `superfluous|surplus`, better: "extraneous"},
	{pattern: `twosomes?|respelled`, better: "same pair, alias"},
	{pattern: `circumstances?`, better: "context"},
	{pattern: `companions?`, better: "AppleDouble file"},
	{pattern: `remedies`, better: "hints"},
	{pattern: `hands? over|handed over|aside`, better: "share; backup"},
	{pattern: `dress\w*`, better: "set the attributes"},
	{pattern: `postpon\w*`, better: "defer"},
	{pattern: `judg\w*`, better: "compare, classify"},
	{pattern: `torn`, better: "partial, changed during the copy"},
	{pattern: `tally|tallies|tallied`, better: "budget"},
	{pattern: `landed|landings?|passages?`, better: "destination, segment"},
	{pattern: `tells?`, better: "reports, describes, shows"},
	{pattern: `met`, better: "found, seen"},
	{pattern: `times? of birth|times? of access|times? of modification`, better: "creation time, access time, modification time"},
	{pattern: `needs not|so much the better|letters of rsync|defaults of today`, better: "need not; rsync's itemize format; modern defaults"},
	{pattern: `is no number|that is no directory|that are no directories|what is no directory|that is no file|what is no file|that is no link`, better: "is not a number, ..."},
}

// badNames are looked for as they are.
var badNames = []badWord{
	{pattern: `isTrouble|Trouble|trouble error|trouble +int|trouble,|trouble :=|trouble\)`, better: "failed, fatal, hasFailed; ExitTrouble is diff's word"},
	{pattern: `Doing`, better: "current"},
	{pattern: `Touched`, better: "changed"},
	{pattern: `\w*[oO]penUp\w*`, better: "addOwnerRights"},
	{pattern: `\w*[cC]loseUp\w*`, better: "restoreMode"},
	{pattern: `giveUp|keepOld|copyAside`, better: "cancel, backup"},
	{pattern: `mindsOwner|minds`, better: "needsOwner"},
	{pattern: `Masker|OpenCreator|habitError`, better: "HasDefaultACL, ..."},
}

// legitimate is what looks like bad words and is none: the user.
var legitimate = regexp.MustCompile(`nobodyUID|root may be mapped to nobody|OpenSSH as nobody|asuser nobody`)

// TestWords finds words that have better ones in identifiers, comments and strings, in scripts, help and the manual.
func TestWords(t *testing.T) {
	files := append(goFiles(t, "../cmd"), goFiles(t, ".")...)
	for _, pattern := range []string{"cli/manual/*.md", "cli/help/*.txt", "../testdata/script/*.txtar"} {
		more, err := filepath.Glob(pattern)
		if err != nil || len(more) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(more), err)
		}
		files = append(files, more...)
	}
	files = append(files, "../README.md", "../GOALS.md")
	texts, prose := make(map[string]string), make(map[string]string)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.ToSlash(filepath.Join("internal", f))
		if path == "internal/words_test.go" {
			continue
		}
		texts[path] = legitimate.ReplaceAllString(string(text), "")
		prose[path] = wordsOf(strings.ReplaceAll(texts[path], `\n`, "  ")) // or else the n begins a word
	}
	for _, w := range badWords {
		w.find(t, strings.ReplaceAll(w.pattern, " ", `[\s/]+`), prose)
	}
	for _, w := range badNames {
		w.find(t, w.pattern, texts)
	}
}

// wordsOf returns a text in lower case, with a space between the words of each identifier.
func wordsOf(text string) string {
	words := make([]byte, 0, len(text)+len(text)/8)
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '_':
			c = ' '
		case 'A' <= c && c <= 'Z':
			if i > 0 && ('a' <= text[i-1] && text[i-1] <= 'z' || '0' <= text[i-1] && text[i-1] <= '9') {
				words = append(words, ' ')
			}
			c += 'a' - 'A'
		}
		words = append(words, c)
	}
	return string(words)
}

// find reports where a pattern matches. Most files lack what the alternatives of a pattern begin with, which is found out
// much faster than whether they match.
func (w badWord) find(t *testing.T, pattern string, texts map[string]string) {
	t.Helper()
	re := regexp.MustCompile(`\b(?:` + pattern + `)\b`)
	var beginnings []string
	for alternative := range strings.SplitSeq(pattern, "|") {
		beginning, _ := regexp.MustCompile(alternative).LiteralPrefix()
		beginnings = append(beginnings, beginning)
	}
	for path, text := range texts {
		if !slices.ContainsFunc(beginnings, func(b string) bool { return strings.Contains(text, b) }) {
			continue
		}
		for _, at := range re.FindAllStringIndex(text, -1) {
			t.Errorf("%s:%d: %q: better: %s", path, 1+strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]], w.better)
		}
	}
}

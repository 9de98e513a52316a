package flags

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"psync/internal/cli/values"
	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/filesfrom"
	"psync/internal/filter"
	"psync/internal/filter/pattern"
	"psync/internal/quote"
)

// ruleOptions are the settings of the flags that select the entries of a run.
type ruleOptions struct {
	typed          []typedRule
	from0          bool
	filesFrom      string
	dirs           bool // directories are copied without what is in them
	relative       bool // operands keep their paths
	implied        bool // directories that lead to what is named are copied themselves
	deleteExcluded bool
	partialDir     *string
	recursive      bool // cannot be switched off without dirs
	cvs            bool // leave out what CVS ignores
}

// A typedRule is a rule as it was typed. Rules are compiled when all flags are known, because -0 may come last.
type typedRule struct {
	flag, value string
	implied     bool // by a flag that stands for it
}

// ruleValue gathers the rules of one flag in the order of the command line.
type ruleValue struct {
	flag  string
	typed *[]typedRule
}

func (v ruleValue) String() string { return "" }
func (v ruleValue) Type() string   { return "ruleArray" } // by "Array" cobra knows that it may be repeated

func (v ruleValue) Set(value string) error {
	*v.typed = append(*v.typed, typedRule{flag: v.flag, value: value})
	return nil
}

// filesValue adds rules for files named .rsync-filter: the first time that they are read, the second time that they are left
// out themselves.
type filesValue struct{ typed *[]typedRule }

func (filesValue) IsBoolean()     {}
func (filesValue) Type() string   { return "bool" }
func (filesValue) String() string { return "false" }

func (v filesValue) Set(text string) error {
	if text != "true" {
		return errors.New("it cannot be switched off; leave it out")
	}
	rule := typedRule{"filter", ": /.rsync-filter", true}
	if slices.Contains(*v.typed, rule) {
		rule.value = "- .rsync-filter"
	}
	*v.typed = append(*v.typed, rule)
	return nil
}

// ruleKinds are the flags whose values are rules.
var ruleKinds = []struct {
	flag, short, help string
	add               func(*filter.Builder, string) error
}{
	{"exclude", "", "leave out what matches `PATTERN`", (*filter.Builder).Exclude},
	{"include", "", "do not leave out what matches `PATTERN`, whatever later rules say", (*filter.Builder).Include},
	{"exclude-from", "", "read exclude patterns from `FILE` (-: standard input)", (*filter.Builder).ExcludeFrom},
	{"include-from", "", "read include patterns from `FILE`", (*filter.Builder).IncludeFrom},
	{"filter", "f", "add the filter `RULE`, as in rsync; ': FILE' reads rules from FILE in each directory, ':- .gitignore' patterns (by rsync's rules, not git's)", (*filter.Builder).Filter},
	{"exclude-regex", "", "leave out paths in which the regular `EXPRESSION` is found", (*filter.Builder).ExcludeRegexp},
	{"include-regex", "", "do not leave out paths in which `EXPRESSION` is found, whatever later rules say", (*filter.Builder).IncludeRegexp},
}

// ruleFlags select the entries of a run.
func ruleFlags(r *ruleOptions, e *engine.Options) []flag {
	verbs := copying | Compare
	var flags []flag
	for _, k := range ruleKinds {
		flags = append(flags, newFlag(k.flag, k.short, verbs, ruleValue{k.flag, &r.typed}, k.help))
	}
	return append(flags, []flag{
		newFlag("rsync-filter", "F", verbs, filesValue{&r.typed},
			"read rules from files named .rsync-filter in the directories of SRC and DST, and above them; twice: and leave these files out"),
		switchable("cvs-exclude", "C", verbs, &r.cvs,
			"leave out what CVS ignores: *.o, *~, .git/ and others, and what ~/.cvsignore, $CVSIGNORE and .cvsignore in a directory name"),
		toggle("volume-files", "", verbs, &e.VolumeFiles,
			"take what macOS keeps for itself in the root of a volume, too (.Spotlight-V100, .fseventsd, .Trashes, .DocumentRevisions-V100, .TemporaryItems)"),
		toggle("from0", "0", verbs, &r.from0, "names and rules in files end in NUL, not in a line break"),
		word("files-from", "", copying, &r.filesFrom,
			"copy only what `FILE` names, relative to SRC (-: standard input)"),
		switchable("recursive", "r", copying, &r.recursive,
			"copy directories with what is in them (always on; for those that --files-from names, only if given)"),
		newFlag("recursive", "r", Compare|Delete, new(values.Toggle), ""), // always on, and in people's fingers
		toggle("prune-empty-dirs", "m", copying, &e.Prune, "leave out directories without files in or below them"),
	}...)
}

// An OpenFunc opens a file that a flag names, such as that of --files-from, for reading. It is standard input
// if the name is "-".
type OpenFunc func(name string) (io.ReadCloser, error)

// Summed returns an OpenFunc that reads what open opens, and reports the checksum of it.
func (open OpenFunc) Summed(report func(name string, sum [sha256.Size]byte)) OpenFunc {
	return func(name string) (io.ReadCloser, error) {
		f, err := open(name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		text, err := io.ReadAll(f)
		if err != nil {
			return nil, err
		}
		report(name, sha256.Sum256(text))
		return io.NopCloser(bytes.NewReader(text)), nil
	}
}

// read compiles the rules, and reads the files that flags name. Either result is nil if there is none. With recurse,
// directories that --files-from names are copied with what is in them.
func (r *ruleOptions) read(open OpenFunc, recurse, clamp bool) (source.Rules, *filesfrom.List, error) {
	if r.readsInput() > 1 {
		return nil, nil, errors.New("standard input (-) can be read only once: name a file for all but one of the flags")
	}
	rules, err := r.compile(open)
	if err != nil || r.filesFrom == "" {
		return rules, nil, err
	}
	file, err := open(r.filesFrom)
	if err != nil {
		return nil, nil, fmt.Errorf("--files-from: %w", err)
	}
	defer func() { _ = file.Close() }()
	list, err := filesfrom.Parse(file, r.from0, recurse, clamp)
	if err != nil {
		return nil, nil, fmt.Errorf("--files-from %s: %w", r.filesFrom, err)
	}
	return rules, list, nil
}

// FutileRules returns what to say about typed patterns that most likely match nothing, each with what is meant. The function
// src returns the absolute path of the only SRC; "" if there are several, or it is on another host.
func (o *Options) FutileRules(src func() string) (doubts []string) {
	for _, typed := range o.rules.typed {
		if typed.flag != "exclude" && typed.flag != "include" {
			continue
		}
		dir := ""
		if !o.rules.relative && o.rules.filesFrom == "" { // otherwise paths do not begin at SRC
			dir = src()
		}
		if why := pattern.Futile(typed.value, dir); why != "" {
			doubts = append(doubts, fmt.Sprintf("--%s=%s is likely to match nothing: %s", typed.flag, typed.value, why))
		}
	}
	return doubts
}

// UnmatchedRules returns what to say, after a run, about typed rules that have matched nothing in it.
func (o *Options) UnmatchedRules() (notes []string) {
	rules, _ := o.Engine.Rules.(*filter.Rules)
	for _, rule := range rules.Unmatched() {
		notes = append(notes, fmt.Sprintf("--%s %s matched nothing", rule.Option, quote.Maybe(rule.Value, quote.UTF8(os.Getenv))))
	}
	return notes
}

// readsInput counts the flags that read standard input.
func (r *ruleOptions) readsInput() (n int) {
	if r.filesFrom == "-" {
		n++
	}
	for _, typed := range r.typed {
		if typed.value == "-" && strings.HasSuffix(typed.flag, "-from") {
			n++
		}
	}
	return n
}

func (r *ruleOptions) compile(open OpenFunc) (source.Rules, error) {
	b := &filter.Builder{Open: open, From0: r.from0, Getenv: os.Getenv}
	for _, typed := range r.typed {
		b.Option = typed.flag
		if typed.implied {
			b.Option = ""
		}
		for _, k := range ruleKinds {
			if k.flag != typed.flag {
				continue
			}
			if err := k.add(b, typed.value); err != nil {
				return nil, fmt.Errorf("--%s: %w", k.flag, err)
			}
		}
	}
	b.Option = ""
	if r.cvs {
		for _, rule := range []string{":C", "-C"} {
			if err := b.Filter(rule); err != nil {
				return nil, fmt.Errorf("--cvs-exclude: %w", err)
			}
		}
	}
	if dir := *r.partialDir; dir != "" && !strings.HasPrefix(dir, "/") {
		if err := b.Filter("-p " + dir + "/"); err != nil {
			return nil, fmt.Errorf("--partial-dir: %w", err)
		}
	}
	if rules := b.Rules(r.deleteExcluded); rules != nil {
		return rules, nil
	}
	return nil, nil
}

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"psync/internal/engine/source"
	"psync/internal/filter"
)

// ruleFlags say which entries take part.
type ruleFlags struct {
	typed     []typedRule
	from0     bool
	filesFrom string
	recurse   bool
	prune     bool

	volumeFiles bool

	rules source.Rules // after check
	files source.List  // after check
}

// A typedRule is a rule as it was typed. Rules are compiled when all flags are
// known: -0 may come last.
type typedRule struct {
	flag, value string
}

// ruleValue gathers the rules of one flag in the order of the command line.
type ruleValue struct {
	flag  string
	typed *[]typedRule
}

func (v ruleValue) String() string { return "" }
func (v ruleValue) Type() string   { return "RULE" }

func (v ruleValue) Set(value string) error {
	*v.typed = append(*v.typed, typedRule{v.flag, value})
	return nil
}

// ruleKinds are the flags whose values are rules.
var ruleKinds = []struct {
	flag, short, usage string
	add                func(*filter.Builder, string) error
}{
	{"exclude", "", "leave out what matches `PATTERN`", (*filter.Builder).Exclude},
	{"include", "", "do not leave out what matches `PATTERN`, whatever later rules say", (*filter.Builder).Include},
	{"exclude-from", "", "read exclude patterns from `FILE` (-: standard input)", (*filter.Builder).ExcludeFrom},
	{"include-from", "", "read include patterns from `FILE`", (*filter.Builder).IncludeFrom},
	{"filter", "f", "add the filter `RULE`, as in rsync", (*filter.Builder).Filter},
	{"exclude-regex", "", "leave out paths in which the regular `EXPRESSION` is found", (*filter.Builder).ExcludeRegexp},
	{"include-regex", "", "do not leave out paths in which `EXPRESSION` is found, whatever later rules say", (*filter.Builder).IncludeRegexp},
}

func (f *ruleFlags) add(fs *pflag.FlagSet) {
	for _, k := range ruleKinds {
		fs.VarP(ruleValue{k.flag, &f.typed}, k.flag, k.short, k.usage)
	}
	fs.BoolVar(&f.volumeFiles, "volume-files", false, "take what macOS keeps for itself in the root of a volume, too (.Spotlight-V100, .fseventsd, .Trashes, .DocumentRevisions-V100, .TemporaryItems)")
	fs.BoolVarP(&f.from0, "from0", "0", false, "names and rules in files end in NUL, not in a line break")
}

// addLists adds the flags that are for copies alone.
func (f *ruleFlags) addLists(fs *pflag.FlagSet) {
	fs.StringVar(&f.filesFrom, "files-from", "", "copy only what `FILE` names, relative to SRC (-: standard input)")
	fs.BoolVarP(&f.recurse, "recursive", "r", true, "copy directories with what is in them (always on; for those that --files-from names, only if given)")
	addSwitch(fs, "no-recursive", "", "", inverse{&f.recurse})
	fs.BoolVarP(&f.prune, "prune-empty-dirs", "m", false, "leave out directories without files in or below them")
}

func (f *ruleFlags) check(fs *pflag.FlagSet, deleteExcluded bool) error {
	if f.readsInput() > 1 {
		return errors.New("standard input (-) can be read only once: name a file for all but one of the flags")
	}
	if err := f.compile(deleteExcluded); err != nil {
		return err
	}
	if fs.Lookup("files-from") == nil {
		return nil
	}
	if !f.recurse {
		return errors.New("directories are copied with what is in them: --recursive cannot be switched off")
	}
	if f.filesFrom == "" {
		if fs.Changed("files-from") {
			return errors.New("--files-from: the name of the file is missing")
		}
		return nil
	}
	f.recurse = fs.Changed("recursive")
	file, err := openInput(f.filesFrom)
	if err != nil {
		return fmt.Errorf("--files-from: %w", err)
	}
	defer file.Close()
	list, err := filter.ParseList(file, f.from0)
	if err != nil {
		return fmt.Errorf("--files-from %s: %w", f.filesFrom, err)
	}
	f.files = list
	return nil
}

// readsInput counts the flags that read standard input.
func (f *ruleFlags) readsInput() (n int) {
	if f.filesFrom == "-" {
		n++
	}
	for _, typed := range f.typed {
		if typed.value == "-" && strings.HasSuffix(typed.flag, "-from") {
			n++
		}
	}
	return n
}

func (f *ruleFlags) compile(deleteExcluded bool) error {
	b := &filter.Builder{Open: openInput, From0: f.from0}
	for _, typed := range f.typed {
		for _, k := range ruleKinds {
			if k.flag != typed.flag {
				continue
			}
			if err := k.add(b, typed.value); err != nil {
				return fmt.Errorf("--%s: %w", k.flag, err)
			}
		}
	}
	if rules := b.Rules(deleteExcluded); rules != nil {
		f.rules = rules
	}
	return nil
}

// openInput opens a file that a flag names.
func openInput(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(name)
}

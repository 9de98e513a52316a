package cpflags

import (
	"psync/internal/content"
	"psync/internal/getopt"
	"psync/internal/gnucp/policy"
)

// An option is one name of an option together with its action.
type option struct {
	short byte   // 0 if there is none
	long  string // "" if there is none
	arg   getopt.Arg
	on    func(*parser) *bool // the setting that the option switches on; nil: set is the action
	set   func(*parser, getopt.Setting) error
	words func() []string // the words that are values; nil: there are none
	alias bool            // another name for the option of the line above
	whole bool            // an option of psync only: long may not be abbreviated
}

const (
	required = getopt.RequiredArgument
	optional = getopt.OptionalArgument
)

// options are in the order in which cp lists them where an abbreviation is ambiguous.
var options = []option{
	{short: 'a', long: "archive", set: (*parser).archive},
	{long: "attributes-only", on: func(p *parser) *bool { return &p.AttributesOnly }},
	{long: "backup", arg: optional, set: (*parser).setBackup, words: func() []string { return namesOf(backupWords) }},
	{short: 'b', set: (*parser).setBackup, alias: true},
	{long: "copy-contents", on: func(p *parser) *bool { return &p.CopyContents }},
	{long: "debug", set: (*parser).debug},
	{short: 'L', long: "dereference", set: (*parser).followAll},
	{short: 'd', set: (*parser).linksAsLinks},
	{short: 'f', long: "force", on: func(p *parser) *bool { return &p.Force }},
	{short: 'H', set: (*parser).followOperands},
	{short: 'i', long: "interactive", set: (*parser).interactive},
	{short: 'l', long: "link", on: func(p *parser) *bool { return &p.HardLink }},
	{short: 'n', long: "no-clobber", set: (*parser).setNoClobber},
	{short: 'P', long: "no-dereference", set: (*parser).followNone},
	{long: "no-preserve", arg: required, set: (*parser).noPreserve, words: func() []string { return namesOf(preserveWords) }},
	{short: 'T', long: "no-target-directory", on: func(p *parser) *bool { return &p.NoTargetDirectory }},
	{short: 'x', long: "one-file-system", on: func(p *parser) *bool { return &p.OneFileSystem }},
	{long: "parents", on: func(p *parser) *bool { return &p.Parents }},
	{long: "path", on: func(p *parser) *bool { return &p.Parents }, alias: true}, // of old
	{short: 'p', set: (*parser).preserve},
	{long: "preserve", arg: optional, set: (*parser).preserve, words: func() []string { return namesOf(preserveWords) }},
	{short: 'R', long: "recursive", on: func(p *parser) *bool { return &p.Recursive }},
	{short: 'r', on: func(p *parser) *bool { return &p.Recursive }, alias: true},
	{long: "remove-destination", on: func(p *parser) *bool { return &p.RemoveDestination }},
	{long: "sparse", arg: required, set: (*parser).setSparse, words: func() []string { return namesOf(sparseWords) }},
	{long: "reflink", arg: optional, set: (*parser).setReflink, words: func() []string { return namesOf(reflinkWords) }},
	{long: "strip-trailing-slashes", on: func(p *parser) *bool { return &p.StripSlashes }},
	{short: 'S', long: "suffix", arg: required, set: (*parser).setSuffix},
	{short: 's', long: "symbolic-link", on: func(p *parser) *bool { return &p.SymbolicLink }},
	{short: 't', long: "target-directory", arg: required, set: (*parser).setTarget},
	{short: 'u', set: (*parser).setUpdate},
	{long: "update", arg: optional, set: (*parser).setUpdate, words: func() []string { return namesOf(updateWords) }, alias: true},
	{short: 'v', long: "verbose", on: func(p *parser) *bool { return &p.Verbose }},
	{long: "keep-directory-symlink", on: func(p *parser) *bool { return &p.KeepDirlinks }},
	{short: 'Z', set: (*parser).setContext},
	{long: "context", arg: optional, set: (*parser).setContext, alias: true},
	{long: "help", on: func(p *parser) *bool { return &p.Help }},
	{long: "version", on: func(p *parser) *bool { return &p.Version }},
	{short: 'j', long: "threads", arg: required, set: (*parser).setThreads, whole: true},
	{long: "progress", on: func(p *parser) *bool { return &p.Progress }, whole: true},
}

// getoptOptions returns options for [getopt.Parse]. The ID of an option is its index; the ID of an alias is the
// index of the option that it stands for.
func getoptOptions() []getopt.Option {
	all := make([]getopt.Option, 0, len(options))
	for i, o := range options {
		id := i
		if o.alias {
			id = i - 1
		}
		all = append(all, getopt.Option{ID: id, Short: o.short, Long: o.long, Arg: o.arg, Whole: o.whole})
	}
	return all
}

type words[T comparable] = []getopt.Word[T]

var (
	sparseWords = words[policy.Sparse]{
		{Name: "never", Value: policy.SparseNever},
		{Name: "auto", Value: policy.SparseAuto},
		{Name: "always", Value: policy.SparseAlways},
	}
	reflinkWords = words[content.Reflink]{
		{Name: "auto", Value: content.ReflinkAuto},
		{Name: "always", Value: content.ReflinkAlways},
		{Name: "never", Value: content.ReflinkNever},
	}
	updateWords = words[policy.Update]{
		{Name: "all", Value: policy.UpdateAll},
		{Name: "none", Value: policy.UpdateNone},
		{Name: "none-fail", Value: policy.UpdateNoneFail},
		{Name: "older", Value: policy.UpdateOlder},
	}
	backupWords = words[policy.Backup]{
		{Name: "none", Value: policy.NoBackups},
		{Name: "off", Value: policy.NoBackups},
		{Name: "simple", Value: policy.SimpleBackups},
		{Name: "never", Value: policy.SimpleBackups},
		{Name: "existing", Value: policy.ExistingBackups},
		{Name: "nil", Value: policy.ExistingBackups},
		{Name: "numbered", Value: policy.NumberedBackups},
		{Name: "t", Value: policy.NumberedBackups},
	}
	preserveWords = words[byte]{
		{Name: "mode", Value: 'm'},
		{Name: "timestamps", Value: 't'},
		{Name: "ownership", Value: 'o'},
		{Name: "links", Value: 'l'},
		{Name: "context", Value: 'c'},
		{Name: "xattr", Value: 'x'},
		{Name: "all", Value: 'a'},
	}
)

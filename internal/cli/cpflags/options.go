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
	set   func(*parser, getopt.Setting) error
	alias bool // another name for the option of the line above
	whole bool // an option of psync only: long may not be abbreviated
}

const (
	required = getopt.RequiredArgument
	optional = getopt.OptionalArgument
)

// options are in the order in which cp lists them where an abbreviation is ambiguous.
var options = []option{
	{short: 'a', long: "archive", set: (*parser).archive},
	{long: "attributes-only", set: on(func(p *parser) *bool { return &p.AttributesOnly })},
	{long: "backup", arg: optional, set: (*parser).setBackup},
	{short: 'b', set: (*parser).setBackup, alias: true},
	{long: "copy-contents", set: on(func(p *parser) *bool { return &p.CopyContents })},
	{long: "debug", set: (*parser).debug},
	{short: 'L', long: "dereference", set: follow(policy.FollowAll)},
	{short: 'd', set: (*parser).linksAsLinks},
	{short: 'f', long: "force", set: on(func(p *parser) *bool { return &p.Force })},
	{short: 'H', set: follow(policy.FollowOperands)},
	{short: 'i', long: "interactive", set: (*parser).interactive},
	{short: 'l', long: "link", set: on(func(p *parser) *bool { return &p.HardLink })},
	{short: 'n', long: "no-clobber", set: (*parser).setNoClobber},
	{short: 'P', long: "no-dereference", set: follow(policy.FollowNone)},
	{long: "no-preserve", arg: required, set: (*parser).noPreserve},
	{short: 'T', long: "no-target-directory", set: on(func(p *parser) *bool { return &p.NoTargetDirectory })},
	{short: 'x', long: "one-file-system", set: on(func(p *parser) *bool { return &p.OneFileSystem })},
	{long: "parents", set: on(func(p *parser) *bool { return &p.Parents })},
	{long: "path", set: on(func(p *parser) *bool { return &p.Parents }), alias: true}, // of old
	{short: 'p', set: (*parser).preserve},
	{long: "preserve", arg: optional, set: (*parser).preserve},
	{short: 'R', long: "recursive", set: on(func(p *parser) *bool { return &p.Recursive })},
	{short: 'r', set: on(func(p *parser) *bool { return &p.Recursive }), alias: true},
	{long: "remove-destination", set: on(func(p *parser) *bool { return &p.RemoveDestination })},
	{long: "sparse", arg: required, set: (*parser).setSparse},
	{long: "reflink", arg: optional, set: (*parser).setReflink},
	{long: "strip-trailing-slashes", set: on(func(p *parser) *bool { return &p.StripSlashes })},
	{short: 'S', long: "suffix", arg: required, set: (*parser).setSuffix},
	{short: 's', long: "symbolic-link", set: on(func(p *parser) *bool { return &p.SymbolicLink })},
	{short: 't', long: "target-directory", arg: required, set: (*parser).setTarget},
	{short: 'u', set: (*parser).setUpdate},
	{long: "update", arg: optional, set: (*parser).setUpdate, alias: true},
	{short: 'v', long: "verbose", set: on(func(p *parser) *bool { return &p.Verbose })},
	{long: "keep-directory-symlink", set: on(func(p *parser) *bool { return &p.KeepDirlinks })},
	{short: 'Z', set: (*parser).setContext},
	{long: "context", arg: optional, set: (*parser).setContext, alias: true},
	{long: "help", set: on(func(p *parser) *bool { return &p.Help })},
	{long: "version", set: on(func(p *parser) *bool { return &p.Version })},
	{short: 'j', long: "threads", arg: required, set: (*parser).setThreads, whole: true},
	{long: "progress", set: on(func(p *parser) *bool { return &p.Progress }), whole: true},
}

// getoptOptions returns options for [getopt.Parse]. The ID of an option is its index; the ID of an alias is the
// index of the option that it stands for.
func getoptOptions() []getopt.Option {
	var all []getopt.Option
	for i, o := range options {
		id := i
		if o.alias {
			id = i - 1
		}
		all = append(all, getopt.Option{ID: id, Short: o.short, Long: o.long, Arg: o.arg, Whole: o.whole})
	}
	return all
}

// on returns the action of an option that switches something on.
func on(target func(*parser) *bool) func(*parser, getopt.Setting) error {
	return func(p *parser, _ getopt.Setting) error {
		*target(p) = true
		return nil
	}
}

// follow returns the action of an option that says which symbolic links are followed.
func follow(which policy.Follow) func(*parser, getopt.Setting) error {
	return func(p *parser, _ getopt.Setting) error {
		p.Follow, p.followSet = which, true
		return nil
	}
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

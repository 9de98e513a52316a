package flags

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/flaggroup"
	"psync/internal/engine"
	"psync/internal/filter"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/run"
	"psync/internal/ui"
	"psync/internal/vfs/retry"
)

// Options are the settings of a verb's flags. Most flags set a field of the options of another package.
type Options struct {
	run.Options
	UI     ui.Config
	Shown  Shown
	Remote Remote
	Queue  Queue
	Force  bool // delete without asking
	Rsync  bool // the command line is one of rsync: ".." stays within SRC in paths of --files-from, and rsync decides what goes together

	keep     keepOptions
	rules    ruleOptions
	transfer transferOptions
	retry    retry.Options
	links    bool // cannot be switched off
	oneWay   bool // what only the destination has is no difference

	verb    Verbs
	flags   []*flag
	ignored []string // flags of other programs that were typed, and why they have no effect
}

// Shown selects what is shown of a run in addition to its steps.
type Shown struct {
	Progress, NoProgress bool
	Stats                bool
	ListOnly             bool   // what takes part is listed, and nothing is copied
	Metrics              string // the address where metrics are served; "": nowhere
}

// Define defines the flags of a verb on its command. The options that it returns are complete
// after the flags are parsed and [Options.Complete] is called.
func Define(c *cobra.Command, verb Verbs) *Options {
	return define(c, verb, func(*flag) bool { return true })
}

// DefineTyped is Define without the flags that are not among args, which take most of the time. Without them, errors about
// other flags can be found, but not explained.
func DefineTyped(c *cobra.Command, verb Verbs, args []string) *Options {
	if !slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
		return define(c, verb, nil)
	}
	return define(c, verb, func(f *flag) bool { return slices.ContainsFunc(args, f.mayBe) })
}

// define defines the flags that are wanted; nil: none is.
func define(c *cobra.Command, verb Verbs, wanted func(*flag) bool) *Options {
	o := newOptions(verb)
	if wanted != nil {
		o.flags = o.table()
	}
	fs := c.Flags()
	fs.SortFlags = false
	synonyms := make(map[string]string)
	annotations := make(map[string]map[string][]string)
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if synonym, ok := synonyms[name]; ok {
			name = synonym
		}
		return pflag.NormalizedName(name)
	})
	for _, f := range o.flags {
		if !wanted(f) {
			continue
		}
		for _, name := range f.synonyms {
			synonyms[name] = f.name
		}
		heading := f.headingOf(verb)
		if annotations[heading] == nil {
			annotations[heading] = flaggroup.Annotation(heading)
		}
		f.define(fs, f.name, f.short, f.value, f.helpOf(verb))
		fs.Lookup(f.name).Annotations = annotations[heading]
		if f.off != nil {
			f.define(fs, "no-"+f.name, "", f.off, f.offHelp[verb])
			fs.Lookup("no-" + f.name).Annotations = annotations[heading]
			if f.short != "" {
				synonyms["no-"+f.short] = "no-" + f.name
			}
		}
	}
	return o
}

// Complete refuses invalid combinations of flags, reads the files that flags name through open, and derives
// options from other options.
func (o *Options) Complete(fs *pflag.FlagSet, open OpenFunc) error {
	o.derive()
	if err := o.misused(fs); err != nil {
		return err
	}
	rules, list, err := o.rules.read(open, fs.Changed("recursive"), o.Rsync)
	if err != nil {
		return err
	}
	o.Engine.Rules = rules
	if r, ok := rules.(*filter.Rules); ok && r.SelectsXattrs() {
		o.Engine.Keep.XattrRules = r
	}
	if list != nil {
		o.Engine.Files, o.Operands.Parts = list, list.Parts()
	}
	o.Output.InSource = list.InSource
	recurses := o.rules.recursive && (fs.Changed("recursive") || fs.Changed("archive") || fs.Changed("archive-all"))
	o.Engine.OneLevel = o.rules.dirs && list == nil && !recurses
	return nil
}

// Bare reports whether psync was called without a verb.
func (o *Options) Bare() bool { return o.verb == Bare }

// CopiesAll reports whether files are copied even if they are current.
func (o *Options) CopiesAll() bool { return o.verb&copying != 0 && !o.Engine.Sync }

// ForgetsCopies reports whether a run copies again what one like it has copied, and a sync would, too: neither finds out by
// size and time that a file is current.
func (o *Options) ForgetsCopies() bool {
	e := &o.Engine
	skips := e.Update || e.IgnoreExisting || e.Append || e.Sync && (e.SizeOnly || e.Checksum)
	return o.verb&copying != 0 && !skips && (e.IgnoreTimes || !e.Keep.Mtime)
}

func newOptions(verb Verbs) *Options {
	o := &Options{verb: verb}
	o.Binder = o
	o.Threads.IgnoreNetwork = verb == Bare
	o.Confine = run.ConfineExposed
	o.Engine.Sync = verb&(Sync|Compare) != 0
	o.Engine.OneFileSystem = verb == Delete
	o.Engine.Streams, o.Engine.Cutoff = defaultStreams, defaultCutoff
	o.retry.VolumeTimeout, o.retry.HostTimeout = retry.DefaultVolumeTimeout, retry.DefaultHostTimeout
	o.rules.recursive, o.rules.implied, o.links = true, true, true
	o.rules.partialDir = &o.Aux.PartialDir
	o.UI.Compare, o.UI.Removal = verb == Compare, verb == Delete
	o.keep.profile = metadata.Native()
	return o
}

// table returns the flags of the verb.
func (o *Options) table() []*flag {
	e := &o.Engine
	return of(o.verb, runFlags(o), under(HeadingShown, listingFlags(o)), endFlags(o), under(headingKept, metadataFlags(&o.keep)), under(headingKept, changeFlags(&o.keep, e)),
		under(headingDiffers, policyFlags(&e.Policy)), under(headingDiffers, existenceFlags(&e.Policy)),
		under(headingRemoved, deleteFlags(&e.Delete, &o.rules.deleteExcluded, &o.oneWay)),
		under(headingScope, ruleFlags(&o.rules, e)), under(headingScope, operandFlags(&o.rules, e)), under(headingScope, linkFlags(e)),
		under(headingPlaces, backupFlags(&o.Aux)), under(headingPlaces, safetyFlags(&o.Operands, &o.Aux, e)), under(headingPlaces, alternativeFlags(&o.Aux)),
		under(headingSpeed, transferFlags(e, &o.transfer)), under(HeadingShown, progressFlags(&o.Shown, &o.Output)), under(HeadingShown, logFlags(&o.Shown, &o.Output)),
		under(HeadingShown, manifestFlags(o)),
		under(HeadingRemote, remoteFlags(&o.Remote)), under(HeadingQueue, queueFlags(&o.Queue)), under(headingScope, linksFlags(&o.links)))
}

// derive sets the options that follow from others.
func (o *Options) derive() {
	e := &o.Engine
	o.keep.apply(o.keptByDefault(), e)
	o.UI.DropsTimes = o.Bare() && !e.Keep.Mtime && !o.keep.off.has(keepMtimes)
	o.UI.DryRun = e.DryRun
	o.UI.Resumes = o.Output.Journal != "" && !o.Output.Resume
	if o.rules.deleteExcluded {
		e.Delete.On = true
	}
	o.Operands.MakeDest = !o.Bare() || o.Operands.MakeParents
	o.Operands.Relative = o.rules.relative && o.rules.filesFrom == ""
	o.Operands.RenameFile = !o.Bare()
	o.Aux.Backup = o.Aux.Backup || o.Aux.BackupDir != ""
	o.Output.FailuresNUL = o.rules.from0
	if o.retry.AllVolumes { // --retry-for was given
		o.retry.AllVolumes, o.retry.HostTimeout = o.retry.VolumeTimeout > 0, o.retry.VolumeTimeout
	}
	o.Volumes = retry.NewVolumes(o.retry)
	o.Aux.PartialDir = strings.TrimSuffix(o.Aux.PartialDir, "/")
	e.Append = e.Append || e.AppendVerify
	e.InPlace = e.InPlace || e.Append
	e.StreamsFar = !o.transfer.streamsTyped
	e.Content.Pace = o.transfer.pacer()
	switch o.verb {
	case Compare: // a dry run of a sync that removes
		e.DryRun, e.Compare, e.Content.Sparse = true, true, false
		e.SizeOnly = e.SizeOnly || !e.Keep.Mtime && !e.Checksum
		e.Delete = plan.Delete{On: !o.oneWay, EmptySource: true, CrossMounts: !e.OneFileSystem}
		o.Shown.NoProgress = true
	case Delete:
		e.Delete.CrossMounts = !e.OneFileSystem
	}
}

// keptByDefault returns the attributes that a verb keeps, or compares, unless flags change them.
func (o *Options) keptByDefault() attrs {
	switch {
	case o.Bare() && o.Engine.Sync:
		return keepMtimes
	case o.Bare(), o.verb == Delete:
		return 0
	case o.verb == Compare && o.Engine.SizeOnly:
		return o.keep.plain() &^ keepMtimes
	}
	return o.keep.plain()
}

// Bind implements [run.Binder].
func (o *Options) Bind(e engine.Options, overSFTP bool, umask fs.FileMode) engine.Options {
	k := &e.Keep
	k.Modes = e.Sync && !o.keep.off.has(keepPerms)
	if !o.rules.implied {
		e.ImpliedMode = 0o777&^umask | 0o700
	}
	k.Chmod = o.keep.chmod.under(umask)
	if o.keep.off.has(keepPerms) {
		k.NoPerms, k.Umask = true, umask
	}
	if o.verb != Compare {
		o.keep.onUnsupported.apply(k, o.keep.named(e.User, overSFTP))
	}
	return e
}

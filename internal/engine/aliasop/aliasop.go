// Package aliasop finds operands, and entries of directories, whose names the destination treats as the name of another one.
package aliasop

import (
	"slices"

	"psync/internal/engine/alias"
	"psync/internal/engine/dirnames"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// Is reports whether the destination of d treats two names as one; see [alias.Is].
func Is(j *job.Worker, d *job.Dir, first, name string, listed func(name string) ([]string, error)) (bool, error) {
	return alias.Is(d.Dst, first, name, listed, func() bool {
		return !j.Run.Job.Compare && !j.Run.Job.Policy.Existing && j.Folds(d)
	})
}

// An operand is what a source copies to the destination's root: one of its entries, or all of it.
type operand struct {
	source int
	name   string // in the root
	whole  bool
}

// Drop removes operands from the job whose names the destination treats as the name of another operand:
// sources are copied at the same time, so both would write the same entry. Entries of one source that are named as
// such are left to [alias.Detector].
func Drop(j *job.Worker, root vfs.Attr) (dropped map[int]bool) {
	byKey := make(map[string][]operand)
	var keys []string
	for i, s := range j.Run.Job.Sources {
		names := s.Names
		if s.Into != "" {
			names = []string{s.Into}
		}
		for _, name := range names {
			key := dirnames.Key(name)
			if byKey[key] == nil {
				keys = append(keys, key)
			}
			byKey[key] = append(byKey[key], operand{i, name, s.Into != ""})
		}
	}
	dropped = make(map[int]bool)
	for _, key := range keys {
		same := byKey[key]
		if !slices.ContainsFunc(same, func(o operand) bool { return o.source != same[0].source }) {
			continue
		}
		for _, o := range aliasesAmong(j, same, root) {
			if s := &j.Run.Job.Sources[o.source]; !o.whole {
				s.Names = slices.DeleteFunc(slices.Clone(s.Names), func(name string) bool { return name == o.name })
			}
			if len(j.Run.Job.Sources[o.source].Names) == 0 {
				dropped[o.source] = true
			}
		}
	}
	return dropped
}

// aliasesAmong returns the operands that must give way to another one of the same key, and reports them.
func aliasesAmong(j *job.Worker, same []operand, root vfs.Attr) (aliases []operand) {
	names := make([]string, len(same))
	for i, o := range same {
		names[i] = o.name
	}
	d := (&job.Dir{DestAttr: root}).Open(pairs.Pair{Dst: j.Run.Job.Dest})
	d.TimesChanged.Store(true)
	var listed []string
	var err error
	if j.Run.Job.Dest != nil {
		key := dirnames.Key(names[0])
		var byKey map[string][]string
		byKey, err = dirnames.ListAliases(j.Run.Job.Dest, slices.Values([]string{key}))
		listed = byKey[key]
	}
	first := names[plan.Primary(names, listed)]
	for _, o := range same {
		if o.name == first {
			continue
		}
		is := false
		if err == nil {
			is, err = Is(j, d, first, o.name, func(string) ([]string, error) { return listed, nil })
		}
		d.Task = job.Task{Source: o.source}
		switch {
		case err != nil:
			j.Fail(d, pairs.Dest, o.name, err)
		case !is:
			continue
		case o.whole:
			j.FailDir(d, pairs.Source, "", &alias.Error{First: first})
		default:
			j.Fail(d, pairs.Source, o.name, &alias.Error{First: first})
		}
		aliases = append(aliases, o)
	}
	return aliases
}

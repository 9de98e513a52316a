package dirs

import (
	"cmp"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
)

// RulesOf returns the rules in force above a source, or nil if the rules of the run apply in all directories.
func RulesOf(j *job.Worker, s source.Tree) *source.InForce {
	if s.Rules == nil && j.Run.Job.DestRules == nil && !source.ReadsFiles(j.Run.Job.Rules) {
		return nil
	}
	return &source.InForce{Source: cmp.Or(s.Rules, j.Run.Job.Rules), Dest: cmp.Or(j.Run.Job.DestRules, j.Run.Job.Rules)}
}

// ReadRules finds out which rules are in force in d. The rules that protect entries of the destination are read
// before anything is copied there: a new file of rules takes effect from the next run on, as in rsync.
func ReadRules(j *job.Worker, d *job.Dir) (pairs.Side, error) {
	outer := d.Task.Rules
	if outer == nil || d.Task.Kind == job.Clear || j.Run.HasOperands(d) {
		return 0, nil
	}
	in, path := *outer, d.Path("")
	var err error
	if in.Source, err = source.RulesIn(outer.Source, d.Src, path); err != nil {
		return pairs.Source, err
	}
	if j.Run.Job.Delete.On && d.Dst != nil && !d.Fresh() {
		if in.Dest, err = source.RulesIn(outer.Dest, d.Dst, path); err != nil {
			return pairs.Dest, err
		}
	}
	if in != *outer {
		d.Task.Rules = &in
	}
	return 0, nil
}

// ReportRules reports the rules that decide about entries of the source.
func ReportRules(j *job.Worker, d *job.Dir, entries []vfs.Entry) {
	for _, e := range entries {
		rule, found := j.Run.Selector.HideRule(j.Run.Scope(d), e.Name, e.Type.IsDir())
		if !found {
			continue
		}
		kind := report.Hide
		if rule.Include {
			kind = report.Show
		}
		j.Emit(d, nil, report.Event{Kind: kind, Name: e.Name, IsDir: e.Type.IsDir(), Target: rule.Pattern})
	}
}

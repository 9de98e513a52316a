package engine

import (
	"cmp"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
)

// rulesOf returns the rules in force above a source, or nil if the rules of the run apply in all directories.
func rulesOf(j *job.Worker, s source.Tree) *source.InForce {
	if s.Rules == nil && j.Run.Job.DestRules == nil && !source.ReadsFiles(j.Run.Job.Rules) {
		return nil
	}
	return &source.InForce{Source: cmp.Or(s.Rules, j.Run.Job.Rules), Dest: cmp.Or(j.Run.Job.DestRules, j.Run.Job.Rules)}
}

// readRules finds out which rules are in force in d. The rules that protect entries of the destination are read
// before anything is copied there: a new file of rules takes effect from the next run on, as in rsync.
func readRules(j *job.Worker, d *job.Dir) (pairs.Side, error) {
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

package engine

import (
	"cmp"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
)

// rulesOf returns the rules in force above a source, or nil if those of the run are so in all directories.
func (w *worker) rulesOf(s source.Tree) *source.InForce {
	if s.Rules == nil && w.job.DestRules == nil && !source.ReadsFiles(w.job.Rules) {
		return nil
	}
	return &source.InForce{Source: cmp.Or(s.Rules, w.job.Rules), Dest: cmp.Or(w.job.DestRules, w.job.Rules)}
}

// readRules finds out which rules are in force in d. Those that protect entries of the destination are read before anything
// is copied there: a new file of rules counts from the next run on, as it does for rsync.
func (w *worker) readRules(d *job.Dir) (pairs.Side, error) {
	outer := d.Task.Rules
	d.Rules = outer
	if outer == nil || d.Task.Kind == job.Clear || w.job.HasOperands(d) {
		return 0, nil
	}
	in, path := *outer, d.Path("")
	var err error
	if in.Source, err = source.RulesIn(outer.Source, d.Src, path); err != nil {
		return pairs.Source, err
	}
	if w.job.Delete.On && d.Dst != nil && !d.Fresh() {
		if in.Dest, err = source.RulesIn(outer.Dest, d.Dst, path); err != nil {
			return pairs.Dest, err
		}
	}
	if in != *outer {
		d.Rules = &in
	}
	return 0, nil
}

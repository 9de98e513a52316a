package mirror

import (
	"errors"
	"strings"

	"psync/internal/engine/job"
	"psync/internal/engine/source"
	"psync/internal/engine/sweep"
	"psync/internal/filter"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
)

// ErrInUse says that the run works with a directory.
var ErrInUse = errors.New("is in use")

// isKept reports whether an entry of d must stay although the source lacks it. It reports a temporary whose process may
// still be running.
func isKept(j *job.Worker, d *job.Dir, e vfs.Entry) bool {
	switch {
	case j.Run.Selector.IsVolumeFile(j.Run.KeepsVolumeFiles(d), e.Name),
		protects(j, d, e),
		j.Run.Job.Backup.IsBackup(e.Name):
		return true
	case j.Run.Sweeper == nil:
		return false
	}
	by, attr := j.Run.Sweeper.MakerOfExtraneous(d.Dst, d.DestAttr, e.Name)
	if by == tempname.Unknown {
		left := sweep.Temporary{Name: strings.Clone(e.Name), IsDir: e.Type.IsDir(), Size: attr.Size}
		j.Run.LeaveTemporary(d, left)
	}
	return by == tempname.Unknown || by == tempname.Running || by == tempname.Shared
}

// readRules finds out the rules in force in d, a directory that will be emptied. outer are the rules in force in its
// parent.
func readRules(j *job.Worker, d *job.Dir, outer source.Rules) error {
	rules := j.Run.Selector.InForce(outer)
	if rules == nil {
		return nil
	}
	rules, err := source.RulesInRemoved(rules, d.Dst, d.Path(""))
	d.Task.Rules = &source.InForce{Dest: rules}
	return err
}

// protects reports whether a rule keeps an entry of d.
func protects(j *job.Worker, d *job.Dir, e vfs.Entry) bool {
	rules := j.Run.Selector.InForce(d.InForce().Dest)
	return rules != nil && rules.Protected(d.Path(e.Name), e.Type.IsDir())
}

// reportRule reports the rule that decides whether an entry of d may be removed, if that is wanted and there is one. Where
// removals were deferred, that was done before.
func reportRule(j *job.Worker, d *job.Dir, e vfs.Entry) {
	rules, ok := j.Run.Selector.InForce(d.InForce().Dest).(*filter.Rules)
	if !ok || !j.Run.Reporting.Rest || d.Task.Kind == job.Clear {
		return
	}
	rule, found := rules.ProtectRule(d.Path(e.Name), e.Type.IsDir())
	kind := report.Protect
	if rule.Include {
		kind = report.Risk
	}
	if found {
		j.Emit(d, nil, report.Event{Kind: kind, Name: strings.Clone(e.Name), IsDir: e.Type.IsDir(), Target: rule.Pattern})
	}
}

// mayEmpty returns why the directory with the attributes attr, whose parent is on the device dev, must not be
// emptied, or nil. An error of [ErrInUse] need not be reported.
func mayEmpty(j *job.Worker, attr vfs.Attr, dev uint64) error {
	switch j.Run.Job.Delete.Emptying(j.Run.IsInUse(attr.ID()), attr.Dev != dev) {
	case plan.Spare:
		return ErrInUse
	case plan.FailMount:
		return vfs.ErrMount
	}
	return nil
}

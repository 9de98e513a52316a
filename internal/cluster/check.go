package cluster

import (
	"psync/internal/cluster/scope"
	"psync/internal/engine"
	"psync/internal/engine/source"
)

// Check returns a *[scope.RefusedError] for a job that hosts cannot share and of which the flags do not say so.
func Check(j *engine.Job) error {
	if overlap(j.Sources) {
		return &scope.RefusedError{What: "several sources for one directory of DST", Why: "different hosts would work on it at the same time"}
	}
	switch m := j.Delete.Max; {
	case m == nil:
	case m.Partial:
		return &scope.RefusedError{What: "a limit of removals up to which some are made", Why: "no host knows which of them"}
	case j.HardLinks:
		return &scope.RefusedError{What: "--hard-links with --max-delete", Why: "what replaces a directory waits until all removals are counted, and then its other names are elsewhere"}
	}
	return nil
}

// overlap reports whether two sources may be copied to the same directories.
func overlap(sources []source.Tree) bool {
	whole := make(map[string]int)
	for _, s := range sources {
		if len(s.Names) == 0 {
			whole[s.Into]++
		}
	}
	for _, s := range sources {
		if n := whole[s.Into]; n > 1 || n > 0 && len(s.Names) > 0 || whole[""] > 0 && s.Into != "" {
			return true
		}
	}
	return false
}

package cluster

import (
	"fmt"

	"psync/internal/engine"
	"psync/internal/engine/source"
)

// A RefusedError says that a job cannot be shared with other hosts.
type RefusedError struct {
	What string // the job has
	Why  string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s cannot be used with --queue: %s", e.What, e.Why)
}

// Check returns a *[RefusedError] for a job that hosts cannot share and whose flags package scope does not refuse.
func Check(j *engine.Job) error {
	for _, r := range []struct {
		is        bool
		what, why string
	}{
		{j.DryRun, "-n", "only a run that changes something can prove that nothing is missing"},
		{j.IgnoreExisting, "--ignore-existing", "a file would stay as a host leaves it that is lost in the middle of it"},
		{overlap(j.Sources), "several sources for one directory of DST", "different hosts would work on it at the same time"},
	} {
		if r.is {
			return &RefusedError{r.what, r.why}
		}
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

package cluster

import (
	"testing"

	"psync/internal/engine"
	"psync/internal/engine/source"
)

func TestCheck(t *testing.T) {
	whole, into := source.Tree{}, func(name string) source.Tree { return source.Tree{Into: name} }
	named := func(names ...string) source.Tree { return source.Tree{Names: names} }
	of := func(trees ...source.Tree) engine.Job { return engine.Job{Sources: trees} }
	dry, existing := of(whole), of(whole)
	dry.DryRun, existing.IgnoreExisting = true, true
	for _, tt := range []struct {
		name string
		job  engine.Job
		want string // what is refused
	}{
		{"one source", of(whole), ""},
		{"several, each with a directory of its own", of(into("a"), into("b")), ""},
		{"several with names", of(named("a"), named("b"), into("c")), ""},
		{"two for one directory", of(into("a"), into("a")), "several sources for one directory of DST"},
		{"one in another one", of(whole, into("a")), "several sources for one directory of DST"},
		{"names in another one", of(whole, named("a")), "several sources for one directory of DST"},
		{"a dry run", dry, "-n"},
		{"--ignore-existing", existing, "--ignore-existing"},
	} {
		err := Check(&tt.job)
		got := ""
		if refused, is := err.(*RefusedError); is {
			got = refused.What
		}
		if got != tt.want {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

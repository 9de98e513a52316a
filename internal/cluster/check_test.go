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
	for _, tt := range []struct {
		name string
		job  engine.Job
		want bool // it is refused
	}{
		{"one source", of(whole), false},
		{"several, each with a directory of its own", of(into("a"), into("b")), false},
		{"several with names", of(named("a"), named("b"), into("c")), false},
		{"two for one directory", of(into("a"), into("a")), true},
		{"one in another one", of(whole, into("a")), true},
		{"names in another one", of(whole, named("a")), true},
	} {
		if err := Check(&tt.job); (err != nil) != tt.want {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

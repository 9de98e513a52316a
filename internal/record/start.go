package record

import (
	"os"
	"time"

	"psync/internal/ui"
)

// A Start describes a run that begins.
type Start struct {
	Version string
	Verb    string // "" for psync without a verb
	Args    []string
	DryRun  bool
	Sources []Operand
	Dest    *Operand // nil if there is none
}

// Start begins the logs.
func (r *Recorder) Start(s Start) {
	r.start = time.Now()
	if r.json != nil {
		host, _ := os.Hostname() // which only people read
		r.json.write(encode(object{
			{"event", "start"},
			{"schema", Schema},
			{"time", r.start},
			{"psync", s.Version},
			{"pid", os.Getpid()},
			{"host", host},
			{"verb", s.Verb},
			{"args", append([]string{}, s.Args...)},
			{"dry_run", s.DryRun},
			{"sources", append([]Operand{}, s.Sources...)},
			{"dest", s.Dest},
		}), true)
	}
	if r.text != nil {
		line := appendPrefix(nil, r.start)
		line = append(line, "psync "+s.Version+":"...)
		for _, arg := range s.Args {
			line = append(line, " "+ui.Escape(arg)...)
		}
		r.text.write(append(line, '\n'), true)
	}
}

package bench

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// A section holds the results of the tools for one kind and one workload.
type section struct {
	workload string
	about    string
	kind     kind
	baseline string   // the tool that the others are compared with
	columns  []column // one for each latency, or one without
}

// A column is a section at one latency: the summaries of the same tools in the
// same order as in all columns.
type column struct {
	latency time.Duration
	tools   []summary
}

// title returns the title of the section for a table or plot.
func (s section) title() string {
	title := s.workload + ", " + string(s.kind)
	if len(s.columns) == 1 && s.columns[0].latency > 0 {
		title += ", " + milliseconds(s.columns[0].latency)
	}
	return title
}

// order returns the indices of the tools in the order of the table: psync first, by number of workers, then
// the others by their time in the last column, with failed ones last.
func (s section) order() []int {
	tools := s.columns[len(s.columns)-1].tools
	order := make([]int, len(tools))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := tools[i], tools[j]
		return cmp.Or(a.rank()-b.rank(), a.workers-b.workers, cmp.Compare(a.wall.median, b.wall.median))
	})
	return order
}

func (s summary) rank() int {
	switch {
	case s.psync:
		return 0
	case s.failure == "":
		return 1
	default:
		return 2
	}
}

// setting describes this machine and the settings of the measurement.
func setting(place string, opt options) string {
	if opt.image.name != "" {
		place = fmt.Sprintf("a fresh %s image in %s, not synced to it in the time measured", opt.image.name, place)
	}
	text := fmt.Sprintf("%s %s, %d cores; copies go to %s; rounds: %d", system(), runtime.GOARCH, runtime.NumCPU(), place, opt.rounds)
	switch {
	case opt.ssh:
		text += fmt.Sprintf("; %s on a host that is this machine, reached by SSH through a proxy that delays what passes",
			map[side]string{source: "the source is", destination: "the copy is"}[opt.far])
	case len(opt.latencies) > 0:
		text += fmt.Sprintf("; %s behind a FUSE file system of this machine that delays each operation",
			map[side]string{source: "the source is", destination: "the copy is"}[opt.far])
	}
	return text
}

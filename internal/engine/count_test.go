package engine

import (
	"context"
	"strings"
	"testing"

	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
)

// countAll selects every entry.
var countAll = source.NewSelector(source.Selection{}, plan.Links{}, nil)

func TestCount(t *testing.T) {
	b := newTestbed(t, sample, "")
	var e report.Expected
	countAll.Count(t.Context(), b.job.Sources, plan.Policy{}, &e)
	if !e.Known.Load() || e.Files.Load() != 5 || e.Bytes.Load() != 5003 {
		t.Errorf("%d files, %d bytes, known %v; want 5, 5003, true", e.Files.Load(), e.Bytes.Load(), e.Known.Load())
	}
}

func TestCountHeedsLimitsOfSize(t *testing.T) {
	b := newTestbed(t, sample, "")
	var e report.Expected
	countAll.Count(t.Context(), b.job.Sources, plan.Policy{LimitSize: true, MaxSize: 100}, &e)
	if !e.Known.Load() || e.Files.Load() != 4 || e.Bytes.Load() != 3 {
		t.Errorf("%d files, %d bytes, known %v; want 4, 3, true", e.Files.Load(), e.Bytes.Load(), e.Known.Load())
	}
}

func TestCountOfNames(t *testing.T) {
	b := newTestbed(t, sample, "")
	b.job.Sources[0].Names = []string{"read-only", "dangling", "gone"}
	var e report.Expected
	countAll.Count(t.Context(), b.job.Sources, plan.Policy{}, &e)
	if !e.Known.Load() || e.Files.Load() != 2 {
		t.Errorf("%d files, known %v; want 2, true", e.Files.Load(), e.Known.Load())
	}
}

func TestCountAdmitsWhatItDoesNotKnow(t *testing.T) {
	b := newTestbed(t, strings.Repeat("d/", source.MaxCountDepth+10)+"f 644 x\n", "")
	var e report.Expected
	countAll.Count(t.Context(), b.job.Sources, plan.Policy{}, &e)
	if e.Known.Load() {
		t.Error("the total of a tree that is too deep is called known")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	countAll.Count(ctx, b.job.Sources, plan.Policy{}, &e)
	if e.Known.Load() {
		t.Error("the total is called known after an interrupt")
	}
}

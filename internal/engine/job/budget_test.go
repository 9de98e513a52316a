package job

import (
	"errors"
	"strings"
	"testing"

	"psync/internal/plan"
)

func TestBudget(t *testing.T) {
	tests := []struct {
		max               *plan.Limit
		total, extraneous int
		uncounted         bool
		want              *LimitError // of Approve
		spend             int         // removals that are then allowed
	}{
		{nil, 10, 10, true, nil, 10},
		{&plan.Limit{N: 3}, 10, 3, false, nil, 3},
		{&plan.Limit{N: 3}, 10, 4, false, &LimitError{Extraneous: 4, Limit: 3}, 0},
		{&plan.Limit{N: 3}, 10, 2, true, &LimitError{Extraneous: 2, Limit: 3, Uncounted: true}, 0},
		{&plan.Limit{N: 3}, 10, 4, true, &LimitError{Extraneous: 4, Limit: 3}, 0},
		{&plan.Limit{N: 50, Percent: true}, 10, 5, false, nil, 5},
		{&plan.Limit{N: 50, Percent: true}, 9, 5, false, &LimitError{Extraneous: 5, Limit: 4, Percent: 50, Total: 9}, 0},
		{&plan.Limit{}, 10, 0, false, nil, 0},
		{&plan.Limit{N: 3, Partial: true}, 10, 4, true, nil, 3},
	}
	for _, tt := range tests {
		b := &Budget{Max: tt.max}
		b.AddTotal(tt.total)
		for range tt.extraneous {
			b.AddExtraneous()
		}
		if tt.uncounted {
			b.SetUncounted()
		}
		var got *LimitError
		if err := b.Approve(); err != nil && !errors.As(err, &got) {
			t.Errorf("%+v: Approve = %v, want a LimitError", tt, err)
		}
		if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
			t.Errorf("%+v: Approve = %+v, want %+v", tt, got, tt.want)
		}
		if got != nil {
			continue
		}
		for i := range tt.spend {
			if err := b.Spend(); err != nil {
				t.Errorf("%+v: removal %d: %v", tt, i, err)
			}
		}
		if err := b.Skipped(); err != nil {
			t.Errorf("%+v: Skipped = %v", tt, err)
		}
		if err := b.Spend(); (err == nil) != (tt.max == nil) {
			t.Errorf("%+v: one removal more: %v", tt, err)
		}
		if err := b.Skipped(); (err != nil) != (tt.max != nil && tt.max.Partial) {
			t.Errorf("%+v: after one removal more, Skipped = %v", tt, err)
		}
	}
}

func TestLimitErrorSaysWhatIsWrong(t *testing.T) {
	for _, tt := range []struct {
		err   LimitError
		words []string
	}{
		{LimitError{Extraneous: 12, Limit: 3}, []string{"nothing extraneous was removed", "12", "the limit is 3"}},
		{LimitError{Extraneous: 12, Limit: 5, Percent: 5, Total: 100}, []string{"12", "the limit is 5, which is 5 % of its 100"}},
	} {
		for _, word := range tt.words {
			if !strings.Contains(tt.err.Error(), word) {
				t.Errorf("%q does not say %q", &tt.err, word)
			}
		}
	}
}

package plan

import "testing"

var (
	deletes   = Policy{Sync: true, Delete: Delete{On: true}}
	limited   = Policy{Sync: true, Delete: Delete{On: true, Max: &Limit{N: 10}}}
	keepLinks = Policy{Sync: true, Delete: Delete{On: true}, Links: Links{KeepDirlinks: true}}
	limitedKL = Policy{Sync: true, Delete: Delete{On: true, Max: &Limit{N: 10}}, Links: Links{KeepDirlinks: true}}
)

func TestDefersRemoval(t *testing.T) {
	for _, tt := range []struct {
		name                string
		policy              Policy
		awaitsLinks, defers bool
	}{
		{"no --delete", Policy{}, false, false},
		{"--delete", deletes, false, false},
		{"--max-delete", limited, false, true},
		{"--delete -K", keepLinks, true, true},
		{"--max-delete -K", limitedKL, true, true},
		{"-K", Policy{Links: Links{KeepDirlinks: true}}, false, false},
	} {
		if a, p := tt.policy.AwaitsLinks(), tt.policy.DefersRemoval(); a != tt.awaitsLinks || p != tt.defers {
			t.Errorf("%s: AwaitsLinks %v, DefersRemoval %v", tt.name, a, p)
		}
	}
}

func TestRemoval(t *testing.T) {
	forced := deletes
	forced.Delete.EmptySource = true
	compare := keepLinks
	compare.Compare = true
	empty := RemovalFacts{IsOperand: true, SourceEmpty: true}
	for _, tt := range []struct {
		name   string
		policy Policy
		facts  RemovalFacts
		want   Removal
	}{
		{"at once", deletes, RemovalFacts{}, Remove},
		{"operand", deletes, RemovalFacts{IsOperand: true}, Remove},
		{"empty directory", deletes, RemovalFacts{SourceEmpty: true}, Remove},
		{"empty operand", deletes, empty, FailEmptySource},
		{"empty operand, forced", forced, empty, Remove},
		{"empty operand, counted", limited, empty, FailEmptySource},
		{"counted", limited, RemovalFacts{}, CountFirst},
		{"was counted", limited, RemovalFacts{Again: true}, Remove},
		{"links are awaited", keepLinks, RemovalFacts{Sources: 1}, RemoveLater},
		{"links were awaited", keepLinks, RemovalFacts{Again: true, Sources: 1}, Remove},
		{"links lead there", keepLinks, RemovalFacts{Again: true, Sources: 2}, FailSeveralSources},
		{"links lead there, not known yet", keepLinks, RemovalFacts{Sources: 2}, RemoveLater},
		{"links lead there, compare", compare, RemovalFacts{Again: true, Sources: 2}, Remove},
		{"counted, links are awaited", limitedKL, RemovalFacts{}, CountFirst},
		{"was counted, links lead there", limitedKL, RemovalFacts{Again: true, Sources: 2}, FailSeveralSources},
	} {
		if got := tt.policy.Removal(tt.facts); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestClearing(t *testing.T) {
	const empty, again = true, true
	for _, tt := range []struct {
		name         string
		policy       Policy
		empty, again bool
		want         Clearing
	}{
		{"empty, no --delete", Policy{}, empty, false, IsFree},
		{"not empty, no --delete", Policy{Sync: true}, false, false, FailNotEmpty},
		{"not empty, -K", Policy{Links: Links{KeepDirlinks: true}}, false, false, FailNotEmpty},
		{"not empty, --force", Policy{Delete: Delete{Force: true}}, false, false, Clear},
		{"not empty, --force -K", Policy{Delete: Delete{Force: true}, Links: Links{KeepDirlinks: true}}, false, false, ClearLater},
		{"not empty, --force -K, links were awaited", Policy{Delete: Delete{Force: true}, Links: Links{KeepDirlinks: true}}, false, again, Clear},
		{"empty", deletes, empty, false, IsFree},
		{"not empty", deletes, false, false, Clear},
		{"empty, --max-delete", limited, empty, false, IsFree},
		{"not empty, --max-delete", limited, false, false, ClearLater},
		{"not empty, --max-delete, was counted", limited, false, again, Clear},
		{"empty, links are awaited", keepLinks, empty, false, ClearLater},
		{"empty, links were awaited", keepLinks, empty, again, IsFree},
		{"not empty, links are awaited", keepLinks, false, false, ClearLater},
		{"not empty, links were awaited", keepLinks, false, again, Clear},
	} {
		if got := tt.policy.Clearing(tt.empty, tt.again); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestEmptying(t *testing.T) {
	for _, tt := range []struct {
		name           string
		crossMounts    bool
		inUse, mounted bool
		want           Emptying
	}{
		{"plain", false, false, false, MayEmpty},
		{"in use", false, true, false, Spare},
		{"in use and mounted", true, true, true, Spare},
		{"mounted", false, false, true, FailMount},
		{"mounted, but that does not matter", true, false, true, MayEmpty},
	} {
		if got := (Delete{CrossMounts: tt.crossMounts}).Emptying(tt.inUse, tt.mounted); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestLimit(t *testing.T) {
	for _, tt := range []struct {
		limit       Limit
		total, want int64
	}{
		{Limit{N: 7}, 100, 7},
		{Limit{N: 0}, 100, 0},
		{Limit{N: 1 << 40}, 0, 1 << 40},
		{Limit{N: 43, Percent: true}, 19, 8},
		{Limit{N: 100, Percent: true}, 19, 19},
		{Limit{N: 50, Percent: true}, 0, 0},
	} {
		if got := tt.limit.Of(tt.total); got != tt.want {
			t.Errorf("%+v of %d: %d, want %d", tt.limit, tt.total, got, tt.want)
		}
	}
}

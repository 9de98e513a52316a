package plan

import "testing"

func TestAlternativeFound(t *testing.T) {
	const exact, privileges = true, true
	for _, tt := range []struct {
		name               string
		kind               AlternativeKind
		exact, privileges  bool
		replaces, isOrigin bool
	}{
		{"link, exact", LinkDest, exact, false, true, true},
		{"link, other attributes", LinkDest, false, false, false, true},
		{"link, other attributes, privileges", LinkDest, false, privileges, false, false},
		{"link, exact, privileges", LinkDest, exact, privileges, true, true},
		{"copy, exact", CopyDest, exact, false, false, true},
		{"copy, other attributes", CopyDest, false, false, false, true},
		{"copy, other attributes, privileges", CopyDest, false, privileges, false, false},
		{"copy, exact, privileges", CopyDest, exact, privileges, false, true},
		{"compare, exact", CompareDest, exact, false, true, false},
		{"compare, other attributes", CompareDest, false, false, false, false},
		{"compare, exact, privileges", CompareDest, exact, privileges, true, false},
	} {
		if got := tt.kind.Replaces(tt.exact); got != tt.replaces {
			t.Errorf("%s: Replaces = %v", tt.name, got)
		}
		if got := tt.kind.IsOrigin(tt.exact, tt.privileges); got != tt.isOrigin {
			t.Errorf("%s: IsOrigin = %v", tt.name, got)
		}
	}
}

func TestCompareDestRemovesInSyncs(t *testing.T) {
	for _, tt := range []struct {
		kind            AlternativeKind
		sync            bool
		action          Action
		removes, leaves bool
	}{
		{CompareDest, true, Replace, true, false},
		{CompareDest, true, ReplaceDir, true, false},
		{CompareDest, true, Create, false, true},
		{CompareDest, false, Replace, false, false},
		{CompareDest, false, Create, false, true},
		{LinkDest, true, Replace, false, false},
		{LinkDest, true, Create, false, false},
		{CopyDest, true, Replace, false, false},
	} {
		if got := tt.kind.Removes(tt.sync, tt.action); got != tt.removes {
			t.Errorf("%+v: Removes = %v", tt, got)
		}
		if got := tt.kind.LeavesOut(tt.action); got != tt.leaves {
			t.Errorf("%+v: LeavesOut = %v", tt, got)
		}
	}
}

func TestSubstitute(t *testing.T) {
	const same, sameVolume = true, true
	for _, tt := range []struct {
		name             string
		kind             AlternativeKind
		action           Action
		same, sameVolume bool
		want             Substitution
	}{
		{"link, new", LinkDest, Create, false, sameVolume, Link},
		{"link, over another file", LinkDest, Replace, false, sameVolume, Link},
		{"link, over a directory", LinkDest, ReplaceDir, false, sameVolume, Link},
		{"link, is there", LinkDest, Replace, same, sameVolume, Linked},
		{"link, on another volume", LinkDest, Create, false, false, CopyAnyway},
		{"compare, new", CompareDest, Create, false, sameVolume, OmitFile},
		{"compare, new, on another volume", CompareDest, Create, false, false, OmitFile},
		{"compare, over another file", CompareDest, Replace, false, sameVolume, CopyAnyway},
		{"compare, over a link to it", CompareDest, Replace, same, sameVolume, CopyAnyway},
		{"copy", CopyDest, Create, false, sameVolume, CopyAnyway},
	} {
		if got := tt.kind.Substitute(tt.action, tt.same, tt.sameVolume); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

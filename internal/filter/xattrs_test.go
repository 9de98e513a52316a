package filter_test

import (
	"strings"
	"testing"

	"psync/internal/filter"
)

// TestRulesForXattrs checks which of some names rules hide and protect, and that they say nothing about entries.
func TestRulesForXattrs(t *testing.T) {
	names := strings.Fields("user.a user.b security.x")
	tests := []struct {
		options, hidden, protected string
		excluded                   bool // --delete-excluded
	}{
		{"filter -x user.a", "user.a", "user.a", false},
		{"filter -x user.a", "user.a", "", true},
		{"filter -x_security.*", "security.x", "security.x", false},
		{"filter -x! user.*", "security.x", "security.x", false},
		{"filter -xr *", "", "user.a user.b security.x", false},
		{"filter -xs user.?", "user.a user.b", "", false},
		{"filter Hx user.b", "user.b", "", false},
		{"filter +x user.a; filter -x user.*", "user.b", "user.b", false},
		{"filter -x user.a; filter !; filter -x user.b", "user.b", "user.b", false},
		{"filter . list", "user.b", "user.b", false},
		{"exclude user.a", "", "", false},
	}
	for _, tt := range tests {
		b := filter.Builder{Open: files(map[string]string{"list": "-x user.b"})}
		if err := parse(&b, tt.options); err != nil {
			t.Fatal(err)
		}
		r := b.Rules(tt.excluded)
		var hidden, protected []string
		for _, name := range names {
			if r.HidesXattr(name) {
				hidden = append(hidden, name)
			}
			if r.ProtectsXattr(name) {
				protected = append(protected, name)
			}
			if r.Hidden(name, false) && r.SelectsXattrs() {
				t.Errorf("%s: a file called %s is hidden", tt.options, name)
			}
		}
		if got := strings.Join(hidden, " "); got != tt.hidden {
			t.Errorf("%s: hides %q, want %q", tt.options, got, tt.hidden)
		}
		if got := strings.Join(protected, " "); got != tt.protected {
			t.Errorf("%s: protects %q, want %q", tt.options, got, tt.protected)
		}
	}
	if _, err := inForce(t, "filter : .r", "", map[string]string{".r": "-x user.a"}); err == nil || !strings.Contains(err.Error(), "extended attributes") {
		t.Errorf("a rule in a directory: %v", err)
	}
}

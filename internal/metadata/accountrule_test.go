package metadata

import "testing"

func TestAccountRules(t *testing.T) {
	for _, tt := range []struct {
		rule AccountRule
		id   uint32
		name string
		want bool
	}{
		{AccountRule{Low: 7, High: 7}, 7, "ann", true},
		{AccountRule{Low: 7, High: 7}, 8, "7", false},
		{AccountRule{Low: 7, High: 9}, 9, "", true},
		{AccountRule{Low: 7, High: 9}, 10, "", false},
		{AccountRule{ByName: true, Pattern: "ann"}, 7, "ann", true},
		{AccountRule{ByName: true, Pattern: "ann"}, 7, "anna", false},
		{AccountRule{ByName: true, Pattern: "ann"}, 7, "", false},
		{AccountRule{ByName: true, Pattern: "an*"}, 7, "anna", true},
		{AccountRule{ByName: true, Pattern: "an[a-m]"}, 7, "ann", false},
		{AccountRule{ByName: true, Pattern: "*"}, 7, "a/b", true},
		{AccountRule{ByName: true, Pattern: "a/?"}, 7, "a/b", true},
		{AccountRule{ByName: true, Pattern: "*"}, 7, "", true},
		{AccountRule{ByName: true}, 7, "", true},
		{AccountRule{ByName: true}, 7, "ann", false},
	} {
		if got := tt.rule.Matches(tt.id, tt.name); got != tt.want {
			t.Errorf("%+v matches %d, %q: %v", tt.rule, tt.id, tt.name, got)
		}
	}
}

package getopt

import "testing"

func TestWholeNames(t *testing.T) {
	options := []Option{{ID: 1, Long: "preserve"}, {ID: 2, Long: "progress", Whole: true}}
	for _, c := range []struct {
		arg  string
		want int // 0: an error
	}{
		{"--preserve", 1},
		{"--pr", 1},
		{"--progress", 2},
		{"--progres", 0},
		{"--prog", 0},
	} {
		settings, _, err := Parse([]string{c.arg}, options, false)
		switch {
		case err != nil && c.want != 0:
			t.Errorf("%s: %v", c.arg, err)
		case err == nil && settings[0].ID != c.want:
			t.Errorf("%s is option %d, want %d", c.arg, settings[0].ID, c.want)
		}
	}
}

package pattern

import (
	"strings"
	"testing"
)

func TestFutile(t *testing.T) {
	for _, tt := range []struct{ text, dir, why string }{
		{"*.o", "/home/src", ""},
		{"/tmp", "/home/src", ""},
		{"home/src/tmp", "/home/src", ""},
		{"/home/srcs/tmp", "/home/src", ""},
		{"{a}", "/home/src", ""},
		{"a,b", "", ""},
		{"}a,b{", "", ""},
		{"./tmp", "/home/src", "is /tmp"},
		{"./a/*.o", "", "is /a/*.o"},
		{"./", "", "no path begins with ./"},
		{`\{a,b\}`, "", ""},
		{`\{a,b}`, "", ""},
		{"/home/src/tmp", "/home/src", "is /tmp"},
		{"/home/src/a/*.o", "/home/src/", "is /a/*.o"},
		{"/home/src/tmp", "", ""},
		{"/home", "/", ""},
		{"~/tmp", "/home/src", "is /tmp"},
		{"*~", "/home/src", ""},
		{"*.{o,a}", "/home/src", "a rule for each"},
	} {
		if why := Futile(tt.text, tt.dir); (why == "") != (tt.why == "") || !strings.HasSuffix(strings.TrimSuffix(why, " of the names"), tt.why) {
			t.Errorf("Futile(%q, %q) = %q, want %q", tt.text, tt.dir, why, tt.why)
		}
	}
}

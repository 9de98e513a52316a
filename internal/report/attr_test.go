package report

import "testing"

func TestAttributesInWords(t *testing.T) {
	tests := []struct {
		attr Attr
		want string
	}{
		{0, ""},
		{Mode, "mode"},
		{Owner | Group, "owner, group"},
		{Times | Btime, "times, birth time"},
		{ACLs | Xattrs | Flags, "ACL, extended attributes, flags"},
		{HardLinks, "hard links"},
		{Devices | Specials, "device, special file"},
		{Specials | Mode, "mode, special file"},
	}
	for _, tt := range tests {
		if got := tt.attr.String(); got != tt.want {
			t.Errorf("String of %#x = %q, want %q", uint16(tt.attr), got, tt.want)
		}
	}
}

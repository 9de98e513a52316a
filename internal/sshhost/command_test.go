package sshhost

import (
	"bufio"
	"strings"
	"testing"

	"psync/internal/wire"
)

func TestPlainPaths(t *testing.T) {
	for path, want := range map[string]bool{
		"psync": true, "/opt/psync-1.2/bin/psync": true, "~/bin/psync": true, "a@b:c,d%e+f": true,
		"": false, "a b": false, "$HOME/psync": false, "a;b": false, "a'b": false, "a~b": false, "-x": false, "=x": false, "x\ny": false, "ä": false,
		"x`y`": false, "a\\b": false, "*": false, "{a,b}": false, "!x": false, "#x": false, "^x": false,
	} {
		if IsPlain(path) != want {
			t.Errorf("%q is plain: %v, want %v", path, !want, want)
		}
	}
}

func TestSkipTo(t *testing.T) {
	mark := wire.Magic[:]
	other := wire.HeardMagic[:]
	for _, tt := range []struct {
		name, noise string
		rest        string
		ended, ok   bool
	}{
		{"nothing", "", "rest", false, true},
		{"a line", "Welcome\n", "rest", false, true},
		{"the beginning of the mark", "psync serve\r\n\x00psync", "rest", false, true},
		{"as much as may be", strings.Repeat("x", maxNoise), "rest", false, true},
		{"more", strings.Repeat("x", maxNoise+1), "", false, false},
		{"no mark", "noise", "", true, false},
	} {
		text := tt.noise
		if tt.name != "no mark" {
			text += string(mark) + "rest"
		}
		in := bufio.NewReader(strings.NewReader(text))
		found, ended, err := skipTo(in, other, mark)
		if ended != tt.ended || (err == nil) != tt.ok || tt.ok && found != 1 {
			t.Errorf("%s: mark %d, ended %v, error %v", tt.name, found, ended, err)
		}
		if err == nil {
			if rest, _ := in.ReadString(0); rest != tt.rest {
				t.Errorf("%s: %q is left", tt.name, rest)
			}
		}
	}
}

func TestSumOf(t *testing.T) {
	const sum = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" // of x
	for name, text := range map[string]string{"sha256sum": sum + "  .file\n", "contents": "x"} {
		if got, err := sumOf(bufio.NewReader(strings.NewReader(text)), ".file"); got != sum || err != nil {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

func TestPlainVersion(t *testing.T) {
	for version, want := range map[string]string{
		"(devel) go1.26 linux/amd64": "devel", "v1.2.3 abcdef": "v1.2.3", "v0.0.0-20261122+dirty go1.26": "v0.0.0-20261122dirty", "": "",
	} {
		if got := plainVersion(version); got != want {
			t.Errorf("%q: %q, want %q", version, got, want)
		}
	}
}

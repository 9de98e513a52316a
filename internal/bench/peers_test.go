package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParsePeer(t *testing.T) {
	for _, tt := range []struct {
		value   string
		name    string
		command []string // from /s to /d; nil: refused
	}{
		{"fast=fast -j 4 {src} {dst}", "fast", []string{"fast", "-j", "4", "/s", "/d"}},
		{"fast -j 4=fast --jobs=4 {src}/ {dir}/x", "fast -j 4", []string{"fast", "--jobs=4", "/s/", "/d/x"}},
		{"fast", "", nil},
		{"=fast {src} {dst}", "", nil},
		{"fast=", "", nil},
		{"fast=fast {dst}", "", nil},
		{"fast=fast {src}", "", nil},
		{"fast=fast {src} {dst} {dir}", "", nil},
	} {
		p, err := parsePeer(tt.value)
		if tt.command == nil {
			if err == nil {
				t.Errorf("%q: got %q, want an error", tt.value, p.argv)
			}
			continue
		}
		if got := p.command("/s", "/d"); err != nil || p.name != tt.name || !slices.Equal(got, tt.command) {
			t.Errorf("%q: got %q %q, %v; want %q %q", tt.value, p.name, got, err, tt.name, tt.command)
		}
	}
}

func TestKnownPeersAreComplete(t *testing.T) {
	for _, p := range knownPeers() {
		if p.keeps == "" || !slices.Equal(p.command("{src}", "{dst}"), p.argv) {
			t.Errorf("%+v", p)
		}
		if _, err := parsePeer(p.name + "=" + strings.Join(p.argv, " ")); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
	}
}

func TestParsePeerKnowsWhatAKnownToolKeeps(t *testing.T) {
	for value, want := range map[string]string{
		"cp -a=/opt/cp -a {src} {dst}": "all",
		"cp -z=/opt/cp -z {src} {dst}": "?",
	} {
		if got, err := parsePeer(value); err != nil || got.keeps != want {
			t.Errorf("%q: got %q, %v; want %q", value, got.keeps, err, want)
		}
	}
}

func TestFindTellsToolsOfOneNameApart(t *testing.T) {
	sh := look(t, "sh")
	i := slices.IndexFunc(knownPeers(), func(p peer) bool { return p.name == "parsync copy" })
	parsync := knownPeers()[i]
	for help, want := range map[string]bool{
		"Usage: parsync copy [OPTIONS] [SOURCES]...": true,
		"Usage: parsync [OPTIONS] <REMOTE_SOURCE>":   false,
	} {
		path := t.TempDir()
		t.Setenv("PATH", path)
		script := "#!" + sh + "\necho '" + help + "'\n"
		if err := os.WriteFile(filepath.Join(path, "parsync"), []byte(script), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := parsync.find(t.Context()); (err == nil) != want {
			t.Errorf("%q: got %v, want found: %v", help, err, want)
		}
	}
}

func TestFindPeersReplacesAKnownOne(t *testing.T) {
	cp := look(t, "cp")
	given := peer{name: "cp -r", argv: []string{cp, "-R", srcPlace, dstPlace}}
	found, _, err := findPeers(t.Context(), options{peers: []peer{given}})
	if err != nil {
		t.Fatal(err)
	}
	same := slices.DeleteFunc(found, func(p peer) bool { return p.name != "cp -r" })
	if len(same) != 1 || same[0].argv[0] != cp {
		t.Errorf("got %v", same)
	}
}

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
		kind    kind
		command string // from /s to /d; empty: refused
	}{
		{"fast=fast -j 4 {src} {dst}", "fast", copying, "fast -j 4 /s /d"},
		{"fast -j 4=fast --jobs=4 {src}/ {dir}/x", "fast -j 4", copying, "fast --jobs=4 /s/ /d/x"},
		{"fast@delete=fast {dst}", "fast", deleting, "fast /d"},
		{"fast@noop,changed=fast {src} {dst}", "fast", changed, "fast /s /d"},
		{"fast", "", "", ""},
		{"=fast {src} {dst}", "", "", ""},
		{"@copy=fast {src} {dst}", "", "", ""},
		{"fast=", "", "", ""},
		{"fast=fast {dst}", "", "", ""},
		{"fast@move=fast {src} {dst}", "", "", ""},
		{"fast@copy,delete=fast {dst}", "", "", ""},
	} {
		p, err := parsePeer(tt.value)
		if tt.command == "" {
			if err == nil {
				t.Errorf("%q: got %v, want an error", tt.value, p)
			}
			continue
		}
		got := strings.Join(p.command(tt.kind, at), " ")
		if err != nil || p.name != tt.name || got != tt.command {
			t.Errorf("%q: got %q %q, %v; want %q %q", tt.value, p.name, got, err, tt.name, tt.command)
		}
	}
}

func TestParsePeerHasOnlyTheGivenCommands(t *testing.T) {
	p, err := parsePeer("fast@noop=fast {src} {dst}")
	if err != nil || len(p.commands) != 1 || p.commands[noop] == nil {
		t.Errorf("got %v, %v", p, err)
	}
}

func TestKnownPeersAreComplete(t *testing.T) {
	for _, p := range append(knownPeers(), psyncPeers("psync", []int{0, 4})...) {
		if p.keeps == "" || len(p.commands) == 0 {
			t.Errorf("%+v", p)
		}
		for k, argv := range p.commands {
			if err := k.takes(argv); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
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

func TestAddPeerJoinsCommandsOfOneName(t *testing.T) {
	var peers []peer
	for _, value := range []string{"a={src} {dst}", "b={src} {dst}", "a@delete=rm {dst}"} {
		p, err := parsePeer(value)
		if err != nil {
			t.Fatal(err)
		}
		peers = addPeer(peers, p)
	}
	if len(peers) != 2 || len(peers[0].commands) != 2 || len(peers[1].commands) != 1 {
		t.Errorf("got %v", peers)
	}
}

// at is where the commands of tests run.
var at = &stage{src: "/s", dst: "/d", ssh: "/c"}

func TestPsyncPeers(t *testing.T) {
	peers := psyncPeers("/bin/psync", []int{1, 16})
	for i, want := range []struct{ label, copy, delete string }{
		{"psync -j 1", "/bin/psync copy -j 1 /s /d", "/bin/psync delete -j 1 -f /d"},
		{"psync -j 16", "/bin/psync copy -j 16 /s /d", "/bin/psync delete -j 16 -f /d"},
	} {
		p := peers[i]
		if got := strings.Join(p.command(copying, at), " "); got != want.copy || p.label() != want.label {
			t.Errorf("got %s: %s; want %+v", p.label(), got, want)
		}
		if got := strings.Join(p.command(deleting, at), " "); got != want.delete {
			t.Errorf("got %s, want %s", got, want.delete)
		}
	}
	alone := psyncPeers("/bin/psync", nil)
	if len(alone) != 1 || alone[0].label() != "psync" || slices.Contains(alone[0].commands[copying], "-j") {
		t.Errorf("without numbers: got %v", alone)
	}
	if only, err := namedOnly(append(peers, knownPeers()...), []string{"psync"}); err != nil || len(only) != 2 {
		t.Errorf("-only psync: got %v, %v", only, err)
	}
	if none := psyncPeers("", []int{1}); none != nil {
		t.Errorf("without a path: got %v", none)
	}
}

func TestFindDistinguishesToolsOfOneName(t *testing.T) {
	sh := look(t, "sh")
	i := slices.IndexFunc(knownPeers(), func(p peer) bool { return p.name == "parsync" })
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
	given := peer{name: "cp -r", commands: map[kind][]string{copying: {cp, "-R", srcPlace, dstPlace}}}
	found, _, err := findPeers(t.Context(), options{peers: []peer{given}, kinds: []kind{copying}})
	if err != nil {
		t.Fatal(err)
	}
	same := slices.DeleteFunc(found, func(p peer) bool { return p.name != "cp -r" })
	if len(same) != 1 || same[0].commands[copying][0] != cp {
		t.Errorf("got %v", same)
	}
}

func TestFindPeersNeedsAToolOfEachKind(t *testing.T) {
	given := peer{name: "mine", commands: map[kind][]string{copying: {look(t, "cp"), srcPlace, dstPlace}}}
	opt := options{peers: []peer{given}, only: []string{"mine"}, kinds: []kind{copying, deleting}}
	if _, _, err := findPeers(t.Context(), opt); err == nil || !strings.Contains(err.Error(), "can do delete") {
		t.Errorf("got %v", err)
	}
}

func TestSSHPeers(t *testing.T) {
	peers := append(sshPsyncPeers("/bin/psync", nil), sshPeers()...)
	for i, want := range []string{
		"/bin/psync copy -a --ssh-config=/c --remote-psync=/bin/psync /s /d",
		"/bin/psync copy -a --ssh-config=/c --remote-psync=none /s /d",
		"rsync -a -e ssh -F /c /s/ /d",
		"rsync -a -e ssh -F /c -c aes128-gcm@openssh.com /s/ /d",
	} {
		if got := strings.Join(peers[i].command(copying, at), " "); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

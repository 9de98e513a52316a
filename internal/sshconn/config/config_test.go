package config

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// printed is what OpenSSH 9.2 prints for a host, without most of what has no meaning here.
const printed = `host box
user joe
hostname 10.0.0.1
port 2222
addressfamily inet6
batchmode no
gssapiauthentication yes
hashknownhosts yes
identitiesonly yes
kbdinteractiveauthentication yes
passwordauthentication no
pubkeyauthentication true
stricthostkeychecking false
serveralivecountmax 3
serveraliveinterval 0
ciphers chacha20-poly1305@openssh.com,aes128-gcm@openssh.com
identityfile ~/.ssh/%h-%r
identityfile /keys/100%%
certificatefile ~/.ssh/cert
globalknownhostsfile /etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2
userknownhostsfile /home/joe/.ssh/known_hosts /home/joe/.ssh/known_hosts2
connecttimeout none
proxyjump me@a:22,ssh://[fe80::1]:33/
somethingnew of a later version
`

func TestHost(t *testing.T) {
	h, err := newHost("box", parseKeywords([]byte(printed)), "/home/joe", "/agent")
	if err != nil {
		t.Fatal(err)
	}
	want := &Host{
		Alias: "box", HostName: "10.0.0.1", Port: 2222, User: "joe", home: "/home/joe",
		KnownHosts: []string{
			"/home/joe/.ssh/known_hosts", "/home/joe/.ssh/known_hosts2", "/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2",
		},
		UserKnownHosts: "/home/joe/.ssh/known_hosts", HashKnownHosts: true, KeyChecking: "accept-new",
		IdentityFiles: []string{"/home/joe/.ssh/10.0.0.1-joe", "/keys/100%"}, CertificateFiles: []string{"/home/joe/.ssh/cert"},
		IdentitiesOnly: true, Agent: "/agent", Network: "tcp6",
		Methods:        map[string]bool{"publickey": true, "keyboard-interactive": true, "password": false},
		ProxyJump:      []Target{{"me", "a", 22}, {"", "fe80::1", 33}},
		ConnectTimeout: 30 * time.Second, AliveInterval: 15 * time.Second, AliveCountMax: 3,
		Ciphers: []string{"chacha20-poly1305@openssh.com", "aes128-gcm@openssh.com"}, GSSAPI: true,
	}
	if !reflect.DeepEqual(h, want) {
		t.Errorf("got  %+v\nwant %+v", h, want)
	}
}

func TestValues(t *testing.T) {
	t.Setenv("PSYNC_TEST", "value")
	for _, c := range []struct {
		line string
		got  func(*Host) any
		want any
	}{
		{"stricthostkeychecking true", func(h *Host) any { return h.KeyChecking }, "yes"},
		{"stricthostkeychecking accept-new", func(h *Host) any { return h.KeyChecking }, "accept-new"},
		{"stricthostkeychecking off", func(h *Host) any { return h.KeyChecking }, "accept-new"},
		{"stricthostkeychecking ask", func(h *Host) any { return h.KeyChecking }, "ask"},
		{"connecttimeout 7", func(h *Host) any { return h.ConnectTimeout }, 7 * time.Second},
		{"identityagent none", func(h *Host) any { return h.Agent }, ""},
		{"identityagent SSH_AUTH_SOCK", func(h *Host) any { return h.Agent }, "/agent"},
		{"identityagent $PSYNC_TEST", func(h *Host) any { return h.Agent }, "value"},
		{"identityagent ~/${PSYNC_TEST}/%u", func(h *Host) any { return strings.TrimSuffix(h.Agent, localUser()) }, "/home/joe/value/"},
		{"identityfile none", func(h *Host) any { return len(h.IdentityFiles) }, 0},
		{"identityfile ~/.ssh/id_rsa\nidentityfile ~/.ssh/id_ed25519", func(h *Host) any { return h.DefaultFiles }, true},
		{"identityfile ~/.ssh/id_rsa", func(h *Host) any { return h.DefaultFiles }, false},
		{"hostname [fe80::1%25lo]", func(h *Host) any { return h.HostName }, "fe80::1%25lo"},
		{"proxycommand nc %h %p %%", func(h *Host) any { return h.ProxyCommand }, "nc box 22 %"},
		{"proxycommand none", func(h *Host) any { return h.ProxyCommand }, ""},
		{"controlpath none", func(h *Host) any { return h.ControlPath }, ""},
		{"controlpath /tmp/x y", func(h *Host) any { return h.ControlPath }, "/tmp/x y"},
		{"pkcs11provider /lib/x.so", func(h *Host) any { return h.NeedsSSH }, "PKCS11Provider"},
		{"pkcs11provider none", func(h *Host) any { return h.NeedsSSH }, ""},
		{"knownhostscommand /bin/x", func(h *Host) any { return h.NeedsSSH }, "KnownHostsCommand"},
		{"hostbasedauthentication yes", func(h *Host) any { return h.NeedsSSH }, "HostbasedAuthentication"},
		{"preferredauthentications publickey,password", func(h *Host) any { return h.Methods["publickey"] && h.Methods["password"] }, true},
		{"preferredauthentications publickey", func(h *Host) any { return h.Methods["password"] || h.Methods["keyboard-interactive"] }, false},
		{"preferredauthentications password\npasswordauthentication no", func(h *Host) any { return h.Methods["password"] }, false},
		{"casignaturealgorithms ssh-ed25519,rsa-sha2-512", func(h *Host) any { return strings.Join(h.CASignatures, " ") }, "ssh-ed25519 rsa-sha2-512"},
		{"userknownhostsfile none", func(h *Host) any { return h.UserKnownHosts }, ""},
		{"userknownhostsfile /a b/c  d /e ~/f", func(h *Host) any { return strings.Join(h.KnownHosts, "|") }, "/a b/c  d|/e|/home/joe/f"},
		{`userknownhostsfile "/a b/c" d "~/e f"`, func(h *Host) any { return strings.Join(h.KnownHosts, "|") }, "/a b/c|d|/home/joe/e f"},
	} {
		h, err := newHost("box", parseKeywords([]byte(c.line)), "/home/joe", "/agent")
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
		} else if got := c.got(h); got != c.want {
			t.Errorf("%s: got %v, want %v", c.line, got, c.want)
		}
	}
}

func TestJumpValue(t *testing.T) {
	for _, want := range []string{"a", "me@a:22,[fe80::1%lo]:33,me@[::1]"} {
		via, err := parseJump(want)
		if got := JumpValue(via); got != want || err != nil {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

func TestWrongValues(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"port x", `port "x"`},
		{"identityfile ~other/x", "home directory"},
		{"identityfile %", "ends a value"},
		{"identityfile %Z", "unknown token %Z"},
		{"identityfile ${PSYNC_NOT_SET}", "PSYNC_NOT_SET"},
		{"proxyjump -oProxyCommand=x", "no name of a host"},
		{"proxyjump a:0", "no port"},
		{"hostname a;b\nproxycommand nc %h", "ProxyCommand"},
		{"hostname $(x)\nproxycommand nc %h", "ProxyCommand"},
	} {
		_, err := newHost("box", parseKeywords([]byte(c.line)), "/home/joe", "")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got error %v, want one with %s", c.line, err, c.want)
		}
	}
}

func TestTargetCheck(t *testing.T) {
	for _, c := range []struct {
		target Target
		ok     bool
	}{
		{Target{Host: "box"}, true},
		{Target{User: "joe", Host: "fe80::1%lo", Port: 65535}, true},
		{Target{}, false},
		{Target{Host: "-oProxyCommand=x"}, false},
		{Target{User: "-x", Host: "box"}, false},
		{Target{Host: "a b"}, false},
		{Target{Host: "a\nb"}, false},
		{Target{Host: "box", Port: 65536}, false},
	} {
		if err := c.target.Check(); (err == nil) != c.ok {
			t.Errorf("%+v: got error %v", c.target, err)
		}
	}
}

// file is a configuration that ssh and readFiles understand alike.
const file = `
Host other
  Port 1
Host box b*x
  HostName %h.example.org
  Port 2222
  User joe
  IdentityFile /keys/a
  IdentityFile /keys/%h
  UserKnownHostsFile "/known/a b" /known/b
  GlobalKnownHostsFile /known/c
  StrictHostKeyChecking yes
  ProxyJump me@gate:24
  ConnectTimeout 5
  HostKeyAlias alias
  PasswordAuthentication no
  Ciphers aes256-gcm@openssh.com
  CASignatureAlgorithms ssh-ed25519,rsa-sha2-512
Host *
  Port 3333
  IdentitiesOnly yes
  IdentityAgent none
`

// TestFilesAsSSH reads the same configuration with ssh and without it.
func TestFilesAsSSH(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	lookup := func(ssh string) *Host {
		t.Helper()
		h, err := Lookup(t.Context(), Target{Host: "box"}, []string{ssh}, name)
		if err != nil {
			t.Fatal(err)
		}
		// These are not read, or only printed by ssh.
		h.MACs, h.KeyExchanges, h.HostKeyAlgorithms, h.GSSAPI, h.ControlPath, h.HashKnownHosts = nil, nil, nil, false, "", false
		return h
	}
	without := lookup(filepath.Join(t.TempDir(), "no-ssh"))
	if without.HostName != "box.example.org" || without.Port != 2222 || len(without.IdentityFiles) != 2 {
		t.Errorf("without ssh: got %+v", without)
	}
	if _, err := exec.LookPath("ssh"); err != nil {
		t.Skip(err)
	}
	if with := lookup("ssh"); !reflect.DeepEqual(with, without) {
		t.Errorf("ssh    %+v\nwithout %+v", with, without)
	}
}

func TestFilesThatCannotBeEvaluated(t *testing.T) {
	for _, text := range []string{"Match exec true\n  Port 1\n", "Match user joe\n Port 1\n", "Host *\n  Ciphers -aes128-ctr\n"} {
		if err := make(keywords).add([]byte(text), "box", t.TempDir()); err == nil {
			t.Errorf("no error for %q", text)
		}
	}
}

func TestLinesOfFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"port": "Port 1\n", ".hidden.t": "User z", "other": "Host other\nUser x\nHost *\nUser y", "loop": "Include loop"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ text, word, want string }{
		{"port=1", "port", "1"},
		{"\tPORT \t= 1 # 2\r\n", "port", "1"},
		{"Port", "", "no value"},
		{"# Port 1", "port", ""},
		{`IdentityFile "/a b"`, "identityfile", "/a b"},
		{`IdentityFile "/a" "/b"`, "", "more than one"},
		{`IdentityFile /a#b\ c"d e"'"'\" # f`, "identityfile", `/a#b cd e""`},
		{`IdentityFile "/a`, "", "not closed"},
		{`UserKnownHostsFile /a b "/c d"`, "userknownhostsfile", `"/a" "b" "/c d"`},
		{`"Port" 1`, "", "no value"},
		{`ProxyCommand = "nc" "%h" # x`, "proxycommand", `"nc" "%h" # x`},
		{"ProxyCommand none\nProxyJump gate", "proxyjump", ""},
		{"ProxyJump = gate#1", "proxyjump", "gate"},
		{"ProxyJump none\nProxyCommand nc", "proxycommand", ""},
		{"Port 1\nPort 2", "port", "1"},
		{"CanonicalizeHostname yes", "", "ssh"},
		{"Host b?x\nPort 1", "port", "1"},
		{"Host box?\nPort 1", "port", ""},
		{"Host *\tx !b**x\nPort 1", "port", ""},
		{"Host x*\nPort 1\nMatch all\nPort 2", "port", "2"},
		{`Host "box" # x` + "\nPort 1", "port", "1"},
		{"Host x # box\nPort 1", "port", ""},
		{"Match host a,b?x\nPort 2", "port", "2"},
		{"Match host *,!box\nPort 2", "port", ""},
		{"Match host b* host other # all\nPort 2", "port", ""},
		{"HostName %h.org\nMatch host box.org\nPort 2", "port", "2"},
		{"Match host box exec false\nPort 2", "", "ssh"},
		{"Match host box user joe\nPort 2", "", "ssh"},
		{"Match host\nPort 2", "", "ssh"},
		{"Match all host box\nPort 2", "", "ssh"},
		{"Include none port", "port", "1"},
		{"Include " + dir + "/p*t", "port", "1"},
		{"Host x\nInclude loop\nMatch Host b*\nInclude other\nPort 3", "user", "y"},
		{"Include other\nUser z", "user", "y"},
		{"Include [!x]o*t *.t\nUser z", "port", "1"},
		{"Include *.t\nUser a", "user", "a"},
		{"Include ~joe/x", "", "ssh"},
		{"Include loop", "", "deep"},
		{"Match", "", "ssh"},
	} {
		k := make(keywords)
		err := k.add([]byte(tt.text), "box", dir)
		if got := strings.Join(k[tt.word], " "); err == nil && got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
		if (err != nil) != (tt.word == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got error %v", tt.text, err)
		}
	}
}

func TestTargetWins(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ssh := range []string{"ssh", filepath.Join(t.TempDir(), "no-ssh")} {
		h, err := Lookup(t.Context(), Target{"ann", "box", 99}, []string{ssh}, name)
		if err != nil || h.User != "ann" || h.Port != 99 {
			t.Errorf("%s: got %+v, %v", ssh, h, err)
		}
	}
}

func FuzzHost(f *testing.F) {
	f.Add([]byte(printed), "box")
	f.Add([]byte("hostname\nport 1\nproxyjump a,b"), "")
	f.Fuzz(func(t *testing.T, text []byte, alias string) {
		h, err := newHost(alias, parseKeywords(text), "/home/joe", "")
		if err != nil {
			return
		}
		if h.KeyChecking != "yes" && h.KeyChecking != "ask" && h.KeyChecking != "accept-new" {
			t.Errorf("got %q", h.KeyChecking)
		}
		for _, hop := range h.ProxyJump {
			if err := hop.Check(); err != nil {
				t.Error(err)
			}
		}
		if h.ConnectTimeout <= 0 || h.AliveInterval <= 0 || h.AliveCountMax <= 0 {
			t.Errorf("got a limit of time that is none: %+v", h)
		}
	})
}

func FuzzFiles(f *testing.F) {
	f.Add([]byte(file))
	f.Fuzz(func(t *testing.T, text []byte) {
		if strings.Contains(strings.ToLower(string(text)), "include") {
			t.Skip("reads other files")
		}
		k := make(keywords)
		if k.add(text, "box", t.TempDir()) == nil {
			k.setDefaults("box")
			_, _ = newHost("box", k, "/home/joe", "")
		}
	})
}

package command_test

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"psync/internal/cluster/command"
)

// TestServe has a server begin, and end by an interrupt, twice in one directory.
func TestServe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "jobs")
	for range 2 {
		ctx, interrupt := context.WithCancel(t.Context())
		reader, stdout := io.Pipe()
		ended := make(chan int, 1)
		go func() {
			ended <- command.Main(ctx, []string{"serve", dir, "--listen", "127.0.0.1:0"}, stdout, t.Output())
		}()
		url := make([]byte, 100)
		n, err := reader.Read(url)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := nats.Connect(strings.TrimSpace(string(url[:n])))
		if err != nil {
			t.Fatal(err)
		}
		if js, err := conn.JetStream(); err != nil {
			t.Error(err)
		} else if _, err := js.AccountInfo(); err != nil {
			t.Error(err)
		}
		conn.Close()
		interrupt()
		if code := <-ended; code != 0 {
			t.Errorf("exit code %d", code)
		}
	}
}

func TestCommandLines(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		args         string
		code         int
		stdout, says string
	}{
		{"keys " + dir + " mover1", 0, "watcher.nk", ""},
		{"keys " + dir + " mover1", 3, "", "file exists"},
		{"keys", 1, "", "DIR is missing"},
		{"serve", 1, "", "DIR is missing"},
		{"serve a b", 1, "", "b: one operand too many"},
		{"serve --unknown a", 1, "", "unknown flag: --unknown"},
		{"serve " + dir + "/new --listen :0", 3, "", "hint: psync-cluster keys DIR HOST"},
		{"serve " + dir + "/new --listen x", 3, "", "missing port"},
		{"unknown", 1, "", `unknown command "unknown"`},
		{"--version", 0, "psync", ""},
		{"--help", 0, "serve", ""},
		{"", 0, "serve", ""},
	} {
		var stdout, stderr bytes.Buffer
		code := command.Main(t.Context(), strings.Fields(tt.args), &stdout, &stderr)
		if code != tt.code || !strings.Contains(stdout.String(), tt.stdout) || !strings.Contains(stderr.String(), tt.says) {
			t.Errorf("%s: %d\n%s\n%s", tt.args, code, &stdout, &stderr)
		}
		if tt.says == "" && stderr.Len() > 0 {
			t.Errorf("%s says %s", tt.args, &stderr)
		}
	}
}

// TestIsOwn says which command lines are those of psync.
func TestIsOwn(t *testing.T) {
	for args, want := range map[string]bool{
		"": true, "serve dir": true, "keys dir": true, "--help": true, "--version": true, "help serve": true,
		"version": false, "sync --queue x a b": false, "--queue x a b": false, "status --queue x": false, "a b": false,
	} {
		if got := command.IsOwn(strings.Fields(args)); got != want {
			t.Errorf("%q: %v, want %v", args, got, want)
		}
	}
}

package keys_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"psync/internal/cluster/keys"
	"psync/internal/cluster/server"
	"psync/internal/queue"
	"psync/internal/queue/address"
	"psync/internal/queue/natsqueue"
)

// start makes keys, and starts a server with them.
func start(t *testing.T) (dir string, a address.Address) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "new")
	if err := keys.Make(dir, []string{"mover1", "10.0.0.1"}); err != nil {
		t.Fatal(err)
	}
	s, err := server.Start(server.Options{Dir: dir, Listen: "127.0.0.1:0", Log: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	if a, err = address.Parse(s.URL() + "/job"); err != nil || !a.TLS {
		t.Fatalf("%s: %v", s.URL(), err)
	}
	return dir, a
}

func security(dir, credentials string) address.Security {
	return address.Security{CA: filepath.Join(dir, keys.CA), Credentials: filepath.Join(dir, credentials)}
}

func dial(t *testing.T, a address.Address, s address.Security) *nats.Conn {
	t.Helper()
	conn, err := natsqueue.Dial(a, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// TestWatchersReadOnly has a watcher follow a job of a mover, and try to write into it.
func TestWatchersReadOnly(t *testing.T) {
	dir, a := start(t)
	ctx, id := t.Context(), queue.NewID()
	job, err := natsqueue.Open(ctx, dial(t, a, security(dir, keys.Mover)), natsqueue.Options{
		Job: a.Job, Create: true, Lease: time.Minute, Refused: func(err error) { t.Error(err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		job.Join(ctx, queue.Member{ID: id, Name: "mover1"}), job.Begin(ctx, queue.Round{N: 1}),
		job.Append(ctx, queue.Record{ID: queue.NewID(), Round: 1, Data: []byte("x")}),
	)
	if err != nil {
		t.Fatal(err)
	}
	conn := dial(t, a, security(dir, keys.Watcher))
	watched, err := natsqueue.Open(ctx, conn, natsqueue.Options{Job: a.Job})
	if err != nil {
		t.Fatal(err)
	}
	s, err := watched.State(ctx)
	if err != nil || s.Round.N != 1 || len(s.Members) != 1 || s.Members[0].Name != "mover1" {
		t.Errorf("state %+v, %v", s, err)
	}
	if records, err := watched.Records(ctx, 0); err != nil || len(records) != 1 {
		t.Errorf("records %+v, %v", records, err)
	}
	for _, topic := range []queue.Topic{queue.Work, queue.Added} {
		if _, err := watched.Watch(ctx, topic); err != nil {
			t.Errorf("watch: %v", err)
		}
	}
	if n, err := natsqueue.Latest(ctx, conn, a.Job); err != nil || n != 1 {
		t.Errorf("the latest job is %d, %v", n, err)
	}
	wantDenied(t, conn,
		"psync.job.command", "psync.job.record", "psync.other.command", "$JS.API.STREAM.DELETE.psync-job", "$JS.API.STREAM.PURGE.psync-job",
		"$JS.API.STREAM.UPDATE.psync-job", "$JS.API.STREAM.CREATE.psync-new", "$JS.API.STREAM.MSG.DELETE.psync-job",
		"$JS.API.CONSUMER.DELETE.psync-job.x", "$JS.API.STREAM.SNAPSHOT.psync-job", "$JS.API.STREAM.RESTORE.psync-job",
		"_INBOX.forged.answer", "$SYS.REQ.SERVER.PING",
	)
	canceled, cancel := context.WithTimeout(ctx, 10*time.Millisecond) // the server does not answer
	defer cancel()
	if err := watched.Leave(canceled, id); !errors.Is(err, queue.ErrDenied) {
		t.Errorf("a watcher removes a member: %v", err)
	}
	after, err := job.State(ctx)
	if err != nil || after.Records != s.Records || len(after.Members) != 1 {
		t.Errorf("state %+v, %v, want %+v", after, err, s)
	}
}

// wantDenied publishes to subjects, which the server must not accept.
func wantDenied(t *testing.T, conn *nats.Conn, subjects ...string) {
	t.Helper()
	denied := make(chan error, len(subjects))
	conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err })
	for _, subject := range subjects {
		if err := conn.Publish(subject, []byte("{}")); err != nil {
			t.Error(err)
		}
		select {
		case err := <-denied:
			if !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(strings.ToLower(err.Error()), `"`+strings.ToLower(subject)+`"`) {
				t.Errorf("%s: %v", subject, err)
			}
		case <-time.After(time.Minute):
			t.Errorf("a watcher may publish to %s", subject)
		}
	}
}

func TestOthersAreNotLetIn(t *testing.T) {
	dir, a := start(t)
	plain, foreign := a, t.TempDir()
	plain.TLS = false
	if err := keys.Make(foreign, nil); err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]struct {
		address  address.Address
		security address.Security
	}{
		"no credentials":      {a, address.Security{CA: filepath.Join(dir, keys.CA)}},
		"other credentials":   {a, address.Security{CA: filepath.Join(dir, keys.CA), Credentials: filepath.Join(foreign, keys.Mover)}},
		"another CA":          {a, security(foreign, keys.Mover)},
		"the CAs of the host": {a, address.Security{Credentials: filepath.Join(dir, keys.Mover)}},
		"no TLS":              {plain, address.Security{Credentials: filepath.Join(dir, keys.Mover)}},
		"no file":             {a, security(dir, "none")},
		"another file":        {a, security(dir, keys.CA)},
	} {
		if conn, err := natsqueue.Dial(try.address, try.security); err == nil {
			t.Errorf("%s: let in", name)
			conn.Close()
		}
	}
}

// TestNothingIsReplaced makes keys twice.
func TestNothingIsReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := keys.Make(dir, nil); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, keys.Mover))
	if err != nil {
		t.Fatal(err)
	}
	if err := keys.Make(dir, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made again: %v", err)
	}
	after, err := os.ReadFile(filepath.Join(dir, keys.Mover))
	if err != nil || string(after) != string(before) {
		t.Errorf("the credentials have changed: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 6 {
		t.Errorf("%v, %v", entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
	}
}

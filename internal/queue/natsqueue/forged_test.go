package natsqueue_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"psync/internal/queue"
	"psync/internal/queue/natsqueue"
)

const id = "00112233445566778899aabbccddeeff"

// put returns a command that puts bundles of the first round.
func put(bundles string) string {
	return fmt.Sprintf(`{"job":"job","id":%q,"do":"put","bundles":[%s]}`, id, bundles)
}

func bundle(dirs ...string) string {
	return fmt.Sprintf(`{"ID":%q,"Round":{"N":1},"Dirs":["%s"]}`, id, strings.Join(dirs, `","`))
}

// TestForgedCommands publishes by hand what no process would send.
func TestForgedCommands(t *testing.T) {
	many := strings.Split(strings.Repeat("0:YQ== ", queue.MaxDirs+1), " ")
	long := "0:" + strings.Repeat("YWFh", 400)
	for _, tt := range []struct {
		name, data string
		want       error
	}{
		{"..", put(bundle("0:YS8uLi8uLi9i")), queue.ErrPath},                          // a/../../b
		{"one of two", put(bundle("0:YQ==") + "," + bundle("0:Li4=")), queue.ErrPath}, // ..
		{"absolute", put(bundle("0:L2V0Yw==")), queue.ErrPath},                        // /etc
		{"empty", put(bundle("0:")), queue.ErrPath},
		{"NUL", put(bundle("0:YQBi")), queue.ErrPath},
		{"unknown root", put(bundle("65536:YQ==")), queue.ErrPath},
		{"negative root", put(bundle("-1:YQ==")), queue.ErrPath},
		{"a long name", put(bundle(long)), queue.ErrTooLarge},
		{"many directories", put(bundle(many[:queue.MaxDirs+1]...)), queue.ErrTooLarge},
		{"no directories", put(`{"Round":{"N":1}}`), queue.ErrPath},
		{"many attempts", put(`{"Round":{"N":1},"Attempt":1000,"Dirs":["0:YQ=="]}`), queue.ErrTooLarge},
		{"facts", `{"job":"job","do":"join","member":{"Name":"` + strings.Repeat("x", queue.MaxFacts+1) + `"}}`, queue.ErrTooLarge},
		{"another job", strings.Replace(put(bundle("0:YQ==")), `"job":"job"`, `"job":"other"`, 1), natsqueue.ErrMessage},
		{"an unknown command", `{"job":"job","do":"remove"}`, natsqueue.ErrMessage},
		{"no command", `{"job":"job"}`, natsqueue.ErrMessage},
		{"no member", `{"job":"job","do":"join"}`, natsqueue.ErrMessage},
		{"no such phase", `{"job":"job","do":"begin","round":{"N":1,"Phase":5}}`, natsqueue.ErrMessage},
		{"no status", `{"job":"job","do":"report"}`, natsqueue.ErrMessage},
		{"no root", put(bundle("YQ==")), natsqueue.ErrMessage},
		{"no base64", put(bundle("0:?")), natsqueue.ErrMessage},
		{"a short identifier", `{"job":"job","id":"00"}`, natsqueue.ErrMessage},
		{"nothing", "", natsqueue.ErrMessage},
		{"bytes", "\x00\xff\x80{", natsqueue.ErrMessage},
		{"two commands", put(bundle("0:YQ==")) + put(bundle("0:Yg==")), natsqueue.ErrMessage},
		{"deep", strings.Repeat("[", 100_000), natsqueue.ErrMessage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(b *bench) {
				q, refused := openForged(b)
				b.publish(&nats.Msg{Subject: "psync.job.command", Data: []byte(tt.data)})
				s, err := q.State(b.Context())
				if err != nil || len(s.Members) > 0 || s.Round.N > 0 {
					b.Errorf("state %+v, %v", s, err)
				}
				wantRefused(b, refused, tt.want)
				b.ok(q.Begin(b.Context(), queue.Round{N: 1}))
				if s, err := q.State(b.Context()); err != nil || s.Waiting > 0 {
					b.Errorf("state %+v, %v", s, err)
				}
			})
		})
	}
}

// TestForgedRecords publishes records by hand.
func TestForgedRecords(t *testing.T) {
	for _, tt := range []struct {
		name   string
		header nats.Header
		size   int
		want   error
	}{
		{"no headers", nil, 1, natsqueue.ErrMessage},
		{"no identifier", nats.Header{"Psync-Job": {"job"}, "Psync-Round": {"1"}}, 1, natsqueue.ErrMessage},
		{"another identifier", nats.Header{"Psync-Job": {"job"}, "Psync-Round": {"1"}, "Nats-Msg-Id": {"x"}}, 1, natsqueue.ErrMessage},
		{"no round", nats.Header{"Psync-Job": {"job"}, "Nats-Msg-Id": {id}}, 1, natsqueue.ErrMessage},
		{"no job", nats.Header{"Psync-Round": {"1"}, "Nats-Msg-Id": {id}}, 1, natsqueue.ErrMessage},
		{"another job", nats.Header{"Psync-Job": {"other"}, "Psync-Round": {"1"}, "Nats-Msg-Id": {id}}, 1, natsqueue.ErrMessage},
		{"large", nats.Header{"Psync-Job": {"job"}, "Psync-Round": {"1"}, "Nats-Msg-Id": {id}}, queue.MaxRecord + 1, queue.ErrTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(b *bench) {
				q, refused := openForged(b)
				ctx := b.Context()
				b.ok(q.Begin(ctx, queue.Round{N: 1}))
				b.publish(&nats.Msg{Subject: "psync.job.record", Header: tt.header, Data: make([]byte, tt.size)})
				b.ok(q.Append(ctx, queue.Record{ID: queue.NewID(), Round: 1, Data: []byte("good")}))
				records, err := q.Records(ctx, 0)
				if err != nil || len(records) != 1 || string(records[0].Data) != "good" {
					b.Errorf("records %+v, %v", records, err)
				}
				wantRefused(b, refused, tt.want)
			})
		})
	}
}

// openForged opens a job, and returns what it refuses.
func openForged(b *bench) (*natsqueue.Queue, <-chan error) {
	refused := make(chan error, 1)
	q, err := natsqueue.Open(b.Context(), b.connect(), natsqueue.Options{
		Job: "job", Create: true, Lease: lease, Refused: func(err error) { refused <- err },
	})
	b.ok(err)
	return q, refused
}

func (b *bench) publish(m *nats.Msg) {
	b.Helper()
	js, err := jetstream.New(b.connect())
	b.ok(err)
	_, err = js.PublishMsg(context.Background(), m)
	b.ok(err)
}

// wantRefused wants an error that names the message.
func wantRefused(b *bench, refused <-chan error, want error) {
	b.Helper()
	var err error
	select {
	case err = <-refused:
	case <-time.After(time.Minute):
		b.Fatal("nothing was refused")
	}
	if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "message ") || !strings.Contains(err.Error(), " of job job: ") {
		b.Errorf("refused: %v, want %v", err, want)
	}
}

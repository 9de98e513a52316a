package natsqueue

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// One job after the other may have the same name. Each has a stream of its own, so that no host that is late can add to a later
// job what belongs to an earlier one. The first is called by its name, the others have their number behind it.

// numbered returns what the messages and the stream of a job are called by.
func numbered(job string, number int) string {
	if number <= 1 {
		return job
	}
	return fmt.Sprintf("%s@%d", job, number) // no name has an @
}

// Latest returns the number of the latest job that has a name, or 0 if there is none.
func Latest(ctx context.Context, conn *nats.Conn, job string) (latest int, err error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return 0, err
	}
	streams := js.StreamNames(ctx, jetstream.WithStreamListSubject(stream{job: "*"}.subject(commands)))
	for name := range streams.Name() {
		latest = max(latest, numberOf(name, job))
	}
	return latest, streams.Err()
}

// numberOf returns the number of a job, given the name of its stream, or 0 if it is not one of those that are called job.
func numberOf(name, job string) int {
	rest, ok := strings.CutPrefix(name, streamPrefix+job)
	switch n, err := strconv.Atoi(strings.TrimPrefix(rest, "@")); {
	case ok && rest == "":
		return 1
	case ok && err == nil && numbered(job, n) == job+rest:
		return n
	}
	return 0
}

// A Conn is a connection to a server.
type Conn = nats.Conn

// IsUnavailable reports whether an error says that the server did not answer, as one that is started again does not.
func IsUnavailable(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrNoResponders) ||
		errors.Is(err, nats.ErrDisconnected) || errors.Is(err, nats.ErrConnectionReconnecting)
}

// Lease returns how long leases of the job last.
func (q *Queue) Lease() time.Duration { return q.stream.lease }

// server returns what distinguishes this start of the server from others, or "" if there is no connection. Several servers
// count as one that never ends, since each of them has what another one loses.
func server(conn *nats.Conn) string {
	id := cmp.Or(conn.ConnectedClusterName(), conn.ConnectedServerId())
	if id == "" {
		return ""
	}
	h := sha256.Sum256([]byte(id))
	return hex.EncodeToString(h[:4]) // every command has it
}

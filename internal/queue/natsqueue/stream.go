package natsqueue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"psync/internal/queue"
)

const (
	// format is that of commands and records, and of what memqueue makes of them. Processes of different formats cannot work
	// on one job.
	format = "2"
	// duplicates is how long the server knows records that were appended before: longer than any lease.
	duplicates = 10 * time.Minute
)

// The metadata of a stream.
const (
	metaFormat = "psync-format"
	metaLease  = "psync-lease"
	metaServer = "psync-server" // that has created it
)

// streamPrefix is what the names of streams begin with.
const streamPrefix = "psync-"

// The kinds of messages, which their subjects name.
const (
	commands = "command"
	records  = "record"
)

// A stream holds the messages of a job.
type stream struct {
	job     string
	js      jetstream.JetStream
	stream  jetstream.Stream
	lease   time.Duration
	created time.Time
	server  string // that has created it; see server
}

// openStream finds the stream of a job, or creates it on a server.
func openStream(ctx context.Context, js jetstream.JetStream, server string, o Options) (s stream, err error) {
	s = stream{job: o.Job, js: js}
	name := streamPrefix + o.Job
	s.stream, err = js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) && o.Create {
		s.stream, err = js.CreateStream(ctx, jetstream.StreamConfig{
			Name: name, Subjects: []string{s.subject("*")}, Storage: jetstream.FileStorage, Replicas: max(o.Replicas, 1),
			Duplicates: duplicates, DenyDelete: true, DenyPurge: true, // a replica must see all commands
			Metadata: map[string]string{metaFormat: format, metaLease: o.Lease.String(), metaServer: server},
		})
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another host was faster
			s.stream, err = js.Stream(ctx, name)
		}
	}
	if err != nil {
		return s, err
	}
	info := s.stream.CachedInfo()
	meta := info.Config.Metadata
	if meta[metaFormat] != format {
		return s, errors.New("it is one of another version of psync")
	}
	if s.lease, err = time.ParseDuration(meta[metaLease]); err != nil || s.lease <= 0 {
		return s, fmt.Errorf("its lease is %q", meta[metaLease])
	}
	s.created, s.server = info.Created, meta[metaServer]
	return s, checkPast(info, s.created, 0)
}

func (s stream) subject(kind string) string { return "psync." + s.job + "." + kind }

// behind asks for the messages of a kind that follow a number.
func (s stream) behind(seq uint64, kind string) jetstream.OrderedConsumerConfig {
	return jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{s.subject(kind)}, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: seq + 1,
	}
}

// onlyNew asks for messages of a kind that come from now on, without their contents.
func (s stream) onlyNew(kind string) jetstream.OrderedConsumerConfig {
	return jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{s.subject(kind)}, DeliverPolicy: jetstream.DeliverNewPolicy, HeadersOnly: true,
	}
}

// follow passes on messages until ctx ends.
func (s stream) follow(ctx context.Context, config jetstream.OrderedConsumerConfig, pass func(jetstream.Msg)) error {
	consumer, err := s.js.OrderedConsumer(ctx, s.stream.CachedInfo().Config.Name, config)
	if err != nil {
		return err
	}
	consuming, err := consumer.Consume(pass)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, consuming.Stop)
	return nil
}

// last returns the number of the last message of a kind, 0 if there is none. The leader of the servers answers.
func (s stream) last(ctx context.Context, kind string) (uint64, error) {
	m, err := s.stream.GetLastMsgForSubject(ctx, s.subject(kind))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return m.Sequence, nil
}

// at returns which command is at a number.
func (s stream) at(ctx context.Context, seq uint64) (place, error) {
	m, err := s.stream.GetMsg(ctx, seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		info, err := s.stream.Info(ctx)
		if err == nil && info.State.LastSeq < seq { // there are messages behind it, as others know
			err = errBehind
		}
		return place{}, err
	}
	if err != nil || m.Subject != s.subject(commands) {
		return place{}, err
	}
	return place{true, hashOf(m.Sequence, m.Time, m.Data)}, nil
}

// check returns the time by the clock of the leader, and queue.ErrLost if it does not have all that was there; see checkPast.
func (s stream) check(ctx context.Context, known uint64) (time.Time, error) {
	info, err := s.stream.Info(ctx)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return time.Time{}, fmt.Errorf("%w: the stream was removed", queue.ErrLost)
	case err != nil:
		return time.Time{}, err
	}
	return info.TimeStamp, checkPast(info, s.created, known)
}

package flags

import "time"

// A Queue says which job is shared with other hosts, and how the server is reached that has it.
type Queue struct {
	URL         string // nats://HOST[:PORT]/JOB; "": the run does its work alone
	CA          string // a file of certificates to trust; "": those of the system
	Credentials string // a file
	Insecure    bool   // anyone may be the server, and anyone may use it
}

// queueFlags have several hosts share a job.
func queueFlags(q *Queue) []flag {
	return []flag{
		word("queue", "", copying, &q.URL,
			"share the work with the hosts where the same command is given, by the NATS server and the job of `URL`: "+
				"nats://HOST[:PORT]/JOB; one of them has --journal (Linux)"),
		word("queue-ca", "", copying, &q.CA, "trust the certificates in `FILE` rather than those of the system for the server of --queue"),
		word("queue-creds", "", copying, &q.Credentials, "use the credentials in `FILE` for the server of --queue"),
		toggle("insecure-queue", "", copying, &q.Insecure,
			"use a server of --queue on another host without TLS or credentials: anyone in the network may change what is copied and removed"),
	}
}

// RateLimit returns how many bytes all hosts of a job may move a second, or 0.
func (o *Options) RateLimit() int64 { return int64(o.transfer.bwlimit) }

// RetryFor returns how long hosts and servers that are out of reach are waited for.
func (o *Options) RetryFor() time.Duration { return o.retry.HostTimeout }

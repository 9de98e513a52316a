package flags

import (
	"fmt"
	"strings"
	"time"

	"psync/internal/cli/values"
	"psync/internal/wire"
)

// Remote says how hosts are reached.
type Remote struct {
	Command   string // the ssh to run, with its arguments; "": psync connects itself
	Config    string // a file to read instead of ssh's configuration
	AcceptNew bool   // the keys of hosts that known_hosts lacks are accepted and added
	Program   string // the path of psync on other hosts; "": it is looked for
	Bootstrap bool   // psync is put on other hosts where it is not
	Compress  wire.Compression
	Timeout   time.Duration // for which a host may be silent while it should answer; 0: for any
	// ConnectTimeout is how long a host may take to be connected to, and then to begin; 0: as configured.
	ConnectTimeout time.Duration
}

// remoteFlags set how the hosts of remote operands are reached.
func remoteFlags(r *Remote) []flag {
	return []flag{
		word("rsh", "e", all, &r.Command,
			"reach hosts by `COMMAND`, an ssh with its options, rather than by psync's own"),
		word("ssh-config", "", all, &r.Config, "read `FILE` rather than the configuration of ssh, as ssh -F does"),
		toggle("ssh-accept-new", "", all, &r.AcceptNew,
			"accept the key of a host that is not known yet, and add it to known_hosts; a changed key is never accepted"),
		word("remote-psync", "", all, &r.Program,
			"run the psync at `PATH` on other hosts, where it has to be (default: the one on PATH, or in the usual places, or SFTP)"),
		newFlag("compress", "z", all, values.Constant[wire.Compression]{Chosen: &r.Compress, Value: wire.CompressAlways, Otherwise: wire.CompressNever},
			"compress what goes to and from a psync on another host (default: if that is faster)").
			offBy(values.Constant[wire.Compression]{Chosen: &r.Compress, Value: wire.CompressNever, Otherwise: wire.CompressAlways}),
		newFlag("timeout", "", all, (*values.Seconds)(&r.Timeout),
			"end when another host has neither sent nor taken anything for `SECONDS` while it should answer (default: wait, and say so after 30)"),
		newFlag("contimeout", "", all, (*values.Seconds)(&r.ConnectTimeout),
			"give another host `SECONDS` to be connected to, and then to begin to answer (default: ConnectTimeout of ssh's configuration, or 30)"),
		toggle("bootstrap", "", all, &r.Bootstrap,
			"put this psync into ~/.cache/psync on hosts of the same system where it is not, and run it there; "+
				"versions that were not run for 30 days are removed then"),
	}
}

// Words splits the command at blanks as rsync does: single and double quotes keep what is between them together, a
// doubled quote in quotes of its kind is one, and backslashes mean nothing.
func (r Remote) Words() ([]string, error) {
	var words []string
	var word strings.Builder
	var quote byte // that the word is within, or 0
	began := false
	end := func() {
		if began {
			words = append(words, word.String())
		}
		word.Reset()
		began = false
	}
	for i := 0; i < len(r.Command); i++ {
		c := r.Command[i]
		switch {
		case quote == 0 && strings.IndexByte(" \t\r\n", c) >= 0:
			end()
			continue
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != 0 && c == quote && strings.HasPrefix(r.Command[i+1:], string(c)):
			word.WriteByte(c)
			i++
		case quote != 0 && c == quote:
			quote = 0
		default:
			word.WriteByte(c)
		}
		began = true
	}
	if quote != 0 {
		return nil, fmt.Errorf("the command lacks a closing %c", quote)
	}
	end()
	return words, nil
}

package flags

import (
	"fmt"
	"strings"
	"time"

	"psync/internal/cli/values"
	"psync/internal/sshhost"
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
		{
			name: "rsh", short: "e", verbs: all, value: (*values.Word)(&r.Command),
			help: "reach hosts by `COMMAND`, an ssh with its options, rather than by psync's own",
			misuse: func() faults {
				words, err := r.Words()
				return faults{
					{err != nil, fmt.Sprintf("--rsh: %v", err)},
					{len(words) == 0 || words[0] == "", "--rsh: the command is empty"},
				}
			},
		},
		{
			name: "ssh-config", verbs: all, value: (*values.Word)(&r.Config),
			help: "read `FILE` rather than the configuration of ssh, as ssh -F does",
		},
		{
			name: "ssh-accept-new", verbs: all, value: (*values.Toggle)(&r.AcceptNew),
			help: "accept the key of a host that is not known yet, and add it to known_hosts; a changed key is never accepted",
		},
		{
			name: "remote-psync", verbs: all, value: (*values.Word)(&r.Program),
			help: "run the psync at `PATH` on other hosts, where it has to be (default: the one on PATH, or in the usual places, or SFTP)",
			misuse: misuseIf("--remote-psync: a path may have letters, digits and / . _ - + , @ % : = only, and begin with ~/, for a shell reads it",
				func() bool { return !sshhost.IsPlain(r.Program) }),
		},
		{
			name: "compress", short: "z", verbs: all, value: values.Constant[wire.Compression]{Chosen: &r.Compress, Value: wire.CompressAlways, Otherwise: wire.CompressNever},
			help: "compress what goes to and from a psync on another host (default: if that is faster)",
			off:  values.Constant[wire.Compression]{Chosen: &r.Compress, Value: wire.CompressNever, Otherwise: wire.CompressAlways},
		},
		{
			name: "timeout", verbs: all, value: (*values.Seconds)(&r.Timeout),
			help: "end when another host has neither sent nor taken anything for `SECONDS` while it should answer (default: wait, and say so after 30)",
		},
		{
			name: "contimeout", verbs: all, value: (*values.Seconds)(&r.ConnectTimeout),
			help: "give another host `SECONDS` to be connected to, and then to begin to answer (default: ConnectTimeout of ssh's configuration, or 30)",
		},
		{
			name: "bootstrap", verbs: all, value: (*values.Toggle)(&r.Bootstrap),
			help: "put this psync into ~/.cache/psync on hosts of the same system where it is not, and run it there; " +
				"versions that were not run for 30 days are removed then",
		},
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

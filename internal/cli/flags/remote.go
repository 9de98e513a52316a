package flags

import "strings"

// Remote says how hosts are reached.
type Remote struct {
	Command   string // the ssh to run, with its arguments; "": psync connects itself
	Config    string // a file to read instead of ssh's configuration
	AcceptNew bool   // the keys of hosts that known_hosts lacks are accepted and added
}

// remoteFlags set how the hosts of remote operands are reached.
func remoteFlags(r *Remote) []flag {
	return []flag{
		{
			name: "rsh", short: "e", verbs: all, value: (*word)(&r.Command),
			help: "reach hosts by `COMMAND`, an ssh with its options, rather than by psync's own",
			misuse: func() string {
				if strings.TrimSpace(r.Command) == "" {
					return "--rsh: the command is empty"
				}
				return ""
			},
		},
		{
			name: "ssh-config", verbs: all, value: (*word)(&r.Config),
			help: "read `FILE` rather than the configuration of ssh, as ssh -F does",
		},
		{
			name: "ssh-accept-new", verbs: all, value: (*toggle)(&r.AcceptNew),
			help: "accept the key of a host that was never met, and add it to known_hosts; a changed key is never accepted",
		},
	}
}

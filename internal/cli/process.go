package cli

import (
	"hash/fnv"
	"math/rand/v2"
	"os"

	"psync/internal/engine"
	"psync/internal/metadata"
	"psync/internal/sys"
)

// temporaries identifies this process to others that copy to the same place.
func temporaries() engine.Temporaries {
	host, _ := os.Hostname()
	t := engine.Temporaries{
		Host:   hash(host, sys.MachineID()),
		PID:    os.Getpid(),
		Run:    rand.Uint32(),
		Booted: sys.BootTime(),
		Alive:  sys.ProcessRuns,
	}
	if boot := sys.BootID(); boot != "" {
		// Process numbers mean nothing outside their namespace.
		t.Boot = max(1, hash(boot, sys.ProcessNamespace()))
	}
	t.Start, _ = sys.ProcessStart(t.PID)
	return t
}

func hash(parts ...string) uint32 {
	h := fnv.New32a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return h.Sum32()
}

// thisUser returns the user who runs psync. If the groups cannot be found out, there are none, and
// files that are not given to them are reported.
func thisUser() metadata.User {
	groups, err := os.Getgroups()
	if err != nil {
		groups = nil
	}
	return metadata.User{UID: os.Geteuid(), GID: os.Getegid(), Groups: groups}
}

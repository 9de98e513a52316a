package cli

import (
	"hash/fnv"
	"math/rand/v2"
	"os"

	"psync/internal/metadata"
	"psync/internal/sys"
	"psync/internal/tempname"
)

// thisProcess identifies this process to others that copy to the same place.
func thisProcess() tempname.Process {
	host, _ := os.Hostname()
	p := tempname.Process{
		Host:   hash(host, sys.MachineID()),
		PID:    os.Getpid(),
		Run:    rand.Uint32(),
		Booted: sys.BootTime(),
		Alive:  sys.ProcessRuns,
	}
	if boot := sys.BootID(); boot != "" {
		// Process numbers mean nothing outside their namespace.
		p.Boot = max(1, hash(boot, sys.ProcessNamespace()))
	}
	p.Start, _ = sys.ProcessStart(p.PID)
	return p
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

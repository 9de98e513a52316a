package localfs

import (
	"hash/fnv"
	"math/rand/v2"
	"os"

	"psync/internal/sys"
	"psync/internal/tempname"
)

// ThisProcess identifies this process to other processes that copy to the same place. Each call represents a new run.
func ThisProcess() tempname.Process {
	hostname, _ := os.Hostname()
	p := tempname.Process{
		Host:   hash(hostname, sys.MachineID()),
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

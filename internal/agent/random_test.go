package agent

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// TestRandomRequests sends requests in random order, many of them before the handles that they name are open, and
// ends the connection at any time. Nothing may be left of handles, waiting requests and budgets.
func TestRandomRequests(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			var s *server
			c := connect(t, Options{}, func(started *server) { s = started })
			dir := t.TempDir()
			r := rand.New(rand.NewPCG(seed, 0))
			for range r.IntN(400) {
				if _, err := c.try(randomRequest(r, dir)); err != nil {
					break // the number of a handle came twice, which ends the connection
				}
			}
			_ = c.end()
			h := s.handles
			if len(h.table) > 0 || h.admitted != 0 || h.stuck != 0 || h.parked != 0 || h.parkedBytes != 0 {
				t.Errorf("left are %d handles, %d requests, %d stuck, %d parked, %d bytes", len(h.table), h.admitted, h.stuck, h.parked, h.parkedBytes)
			}
			if s.working.left != s.working.total || s.memory.left != s.memory.total {
				t.Errorf("left are %d of %d and %d of %d", s.working.left, s.working.total, s.memory.left, s.memory.total)
			}
		})
	}
}

func randomRequest(r *rand.Rand, dir string) wire.Message {
	// Few numbers, so that requests meet; those of new handles are seldom the same.
	h := func() wire.Handle { return wire.Handle(r.IntN(40)) }
	fresh := func() wire.Handle {
		if r.IntN(3) > 0 {
			return wire.Handle(1 + r.IntN(1000))
		}
		return h()
	}
	name := fmt.Sprint("n", r.IntN(20))
	switch r.IntN(15) {
	case 0, 1:
		return &wire.OpenPath{New: fresh(), Path: dir}
	case 2:
		return &wire.OpenDir{New: fresh(), Dir: h(), Name: name}
	case 3:
		return &wire.Mkdir{New: fresh(), Dir: h(), Name: name, Perm: 0o700}
	case 4:
		return &wire.Close{Handle: h()}
	case 5:
		return &wire.Lstat{Target: target(h(), ".")}
	case 6:
		return &wire.Put{Dir: h(), Name: name, Perm: 0o600, Size: 1, Parts: contents("x")}
	case 7, 8:
		return &wire.Create{New: fresh(), Dir: h(), Name: name, Perm: 0o600, Unfinished: r.IntN(2) == 0, Mode: vfs.Create}
	case 9, 10:
		return &wire.Write{File: h(), Data: []byte("data")}
	case 11:
		return &wire.Finish{File: h(), Writes: uint64(r.IntN(3))}
	case 12:
		return &wire.List{Dir: h(), Ahead: 1 << 16}
	case 13:
		return &wire.Get{New: fresh(), Dir: h(), Name: name, Max: 100}
	}
	return &wire.Rename{Old: target(h(), name), Target: target(h(), "n1")}
}

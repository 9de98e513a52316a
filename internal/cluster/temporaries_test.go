package cluster_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/queue"
	"psync/internal/queue/protocol"
	"psync/internal/tempname"
)

// TestTemporariesOfLostHosts has a host remove the temporaries of one that was lost, in directories that are claimed again.
func TestTemporariesOfLostHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const at = " @2001-01-01T00:00:00Z"
		lost := queue.NewID()
		name := tempname.Process{Host: 99, Boot: 9, PID: 9, Run: binary.BigEndian.Uint32(lost[:])}.Namer()()
		b := newTestbed(t, "d/f 644"+at+" new\nd/ 755"+at+"\n./ 755"+at+"\n", "d/"+name+" 600 part\nd/f 644 old\n", 1)
		if err := b.queue.Join(t.Context(), queue.Member{ID: lost, Name: "lost"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(protocol.Lease)
		if !strings.Contains(tree(t, b.dst), name) {
			t.Fatal("there is no temporary")
		}
		b.runAll(t, 1, b.slow(0))
		b.wantComplete(t)
	})
}

package protocol

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"psync/internal/campaign"
	"psync/internal/queue"
	"psync/internal/queue/natsqueue"
)

// TestSimulationOnJetStream has each process follow the job by a connection and a replica of its own.
func TestSimulationOnJetStream(t *testing.T) {
	for _, seed := range campaign.Seeds("HOSTS", 3, 50) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			dir := t.TempDir()
			runtime.GC() // twice, to empty the pool of timers of the client, which are of another bubble
			runtime.GC()
			synctest.Test(t, func(t *testing.T) {
				s, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true, NoLog: true, JetStream: true, StoreDir: dir})
				if err != nil {
					t.Fatal(err)
				}
				s.Start()
				defer s.WaitForShutdown()
				defer s.Shutdown()
				simulate(t, seed, func() queue.Queue {
					conn, err := nats.Connect("", nats.InProcessServer(s))
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(conn.Close)
					q, err := natsqueue.Open(t.Context(), conn, natsqueue.Options{
						Job: "job", Create: true, Lease: Lease, Refused: func(err error) { t.Error(err) },
					})
					if err != nil {
						t.Error(err)
					}
					return q
				})
			})
		})
	}
}

package session

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs/reconnect"
	"psync/internal/wire"
)

// TestSessionGivesUp makes every attempt to reconnect fail, or makes the first failure final.
func TestSessionGivesUp(t *testing.T) {
	for _, final := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			refused := errors.New("refused")
			attempts := 0
			redial := func(context.Context, []byte) (io.ReadWriteCloser, bool, error) {
				attempts++
				return nil, !final, refused
			}
			s := newSession(Options{Host: "box", Redial: redial})
			s.Welcome = wire.Welcome{Socket: "/tmp/psync-1/s"}
			start := time.Now()
			_, err := s.comeBack(redial)
			took := time.Since(start)
			if final && (attempts != 1 || took > 0) || !final && (attempts < 10 || took != reconnect.DefaultTimeout) {
				t.Errorf("final %v: %d attempts, given up after %v", final, attempts, took)
			}
			if !errors.Is(err, refused) {
				t.Errorf("final %v: %v", final, err)
			}
			s.link.Fail(err)
		})
	}
}

package engine

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/walk"
)

// An activity records how many operations are in progress at once. Each takes a millisecond.
type activity struct {
	mu   sync.Mutex // guards the fields below
	came int
	now  int
	most int // since it was set to 0
	at   map[int]func()
}

func (a *activity) hook(op, _ string) error {
	if op != "create" && op != "remove" {
		return nil
	}
	a.mu.Lock()
	a.came++
	do := a.at[a.came]
	a.now++
	a.most = max(a.most, a.now)
	a.mu.Unlock()
	if do != nil {
		do()
	}
	time.Sleep(time.Millisecond)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.now--
	return nil
}

// afterAWhile sets most to 0 when all workers have finished their current operations.
func (a *activity) afterAWhile(wait *sync.WaitGroup) {
	wait.Go(func() {
		time.Sleep(8 * time.Millisecond)
		a.mu.Lock()
		defer a.mu.Unlock()
		a.most = 0
	})
}

// TestTheNumberOfWorkersChanges changes it in the middle of a run, while workers are processing directories or
// entries of one directory.
func TestTheNumberOfWorkersChanges(t *testing.T) {
	var deep strings.Builder
	for i := range 300 {
		deep.WriteString(many(fmt.Sprintf("d%d", i), 4))
	}
	trees := map[string]string{"directories": deep.String(), "one directory": many("d", 1200)}
	tests := []struct{ from, to, want int }{
		{1, 1, 1},
		{1, 8, 8},
		{2, 5, 5},
		{8, 1, 1},
		{8, 3, 3},
		{1 + maxLocal, 64, 64},
	}
	for name, tree := range trees {
		for _, removed := range []bool{false, true} {
			for _, tt := range tests {
				t.Run(fmt.Sprintf("%s, removed %v, %d to %d", name, removed, tt.from, tt.to), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						b := newMirror(t, tree, "")
						if removed {
							b = newMirror(t, "f 644 x\n", tree)
						}
						b.job.Workers = walk.NewSize(tt.from, 1024)
						var wait sync.WaitGroup
						a := new(activity)
						a.at = map[int]func(){200: func() {
							b.job.Workers.Set(tt.to)
							a.afterAWhile(&wait)
						}}
						far := onVolume(b.job.Dest, vfs.Volume{Network: true})
						b.job.Dest = faultfs.New(far, a.hook)
						b.mustRun(t)
						wait.Wait()
						b.wantEqual(t)
						if a.most != tt.want {
							t.Errorf("%d at work, want %d", a.most, tt.want)
						}
					})
				})
			}
		}
	}
}

// TestTheNumberOfWorkersIsFound has operations that take long but can run in any number at once.
func TestTheNumberOfWorkersIsFound(t *testing.T) {
	const start, most = 16, 256
	var deep strings.Builder
	for i := range 600 {
		deep.WriteString(many(fmt.Sprintf("d%d", i), 10))
	}
	tests := []struct {
		name, src, dst string
	}{
		{"directories", deep.String(), ""},
		{"one directory", many("d", 6000), ""},
		{"removals", "f 644 x\n", deep.String()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newMirror(t, tt.src, tt.dst)
				b.job.Auto, b.job.Workers = true, walk.NewSize(start, most)
				far := onVolume(b.job.Dest, vfs.Volume{Network: true})
				highest := 0
				var mu sync.Mutex
				b.job.Dest = faultfs.New(faultfs.NewLatency(far, 5*time.Millisecond), func(string, string) error {
					mu.Lock()
					defer mu.Unlock()
					highest = max(highest, b.job.Workers.Get())
					return nil
				})
				b.mustRun(t)
				b.wantEqual(t)
				if highest < 4*start || highest > most {
					t.Errorf("there were %d workers at most, want more than %d and no more than %d", highest, 4*start, most)
				}
			})
		})
	}
}

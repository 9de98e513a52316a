package engine

import (
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/queue"
	"psync/internal/report"
	"psync/internal/vfs/vfstest"
)

// A taskCount counts the tasks that come into a queue.
type taskCount struct {
	queue.Queue
	mu sync.Mutex // guards n
	n  map[queue.Task]int
}

func (c *taskCount) Put(tasks ...queue.Task) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range tasks {
		c.n[t]++
	}
	return c.Queue.Put(tasks...)
}

// wantOneTaskEach runs the job, in which removals are put off, and returns how many directories
// are looked at once more for those.
func (b *testbed) wantOneTaskEach(t *testing.T) (again int) {
	t.Helper()
	tasks := &taskCount{Queue: queue.NewStack(), n: make(map[queue.Task]int)}
	b.record = new(record)
	b.job.Sink, b.job.Stats, b.job.Queue = b.record, new(report.Stats), tasks
	if err := Run(t.Context(), b.job); err != nil {
		t.Fatal(err)
	}
	if bad := b.record.lines(report.Fail); bad != nil {
		t.Fatalf("failed: %q", bad)
	}
	for task := range tasks.n {
		if task.Kind == queue.Clear {
			again++
		}
	}
	maps.DeleteFunc(tasks.n, func(_ queue.Task, n int) bool { return n == 1 })
	if len(tasks.n) > 0 {
		t.Errorf("tasks that came more than once: %v", tasks.n)
	}
	return again
}

// TestPutOffRemovalsAreOneTaskOfADirectory has many workers find out what is to be removed from one.
func TestPutOffRemovalsAreOneTaskOfADirectory(t *testing.T) {
	lendAll(t, true)
	for range 10 {
		src, dst := crowded(true)
		b := newMirror(t, src, dst)
		b.job.HardLinks, b.job.Threads, b.job.Delete.Max = true, 16, &Limit{N: 10000}
		if again := b.wantOneTaskEach(t); again != 28 {
			t.Errorf("%d directories are looked at twice, want 28", again)
		}
		b.wantSame(t)
	}
}

// TestDirectoriesInTheWayArePutOffByWhoeverMeetsThem has nothing else to be removed.
func TestDirectoriesInTheWayArePutOffByWhoeverMeetsThem(t *testing.T) {
	lendAll(t, true)
	for _, threads := range []int{1, 16} {
		b := newMirror(t, many("d", 50), strings.ReplaceAll(many("d", 50), " 644", "/in-the-way 644"))
		b.job.Threads, b.job.Delete.Max = threads, &Limit{N: 100}
		if again := b.wantOneTaskEach(t); again != 1 {
			t.Errorf("%d directories are looked at twice, want 1", again)
		}
		b.wantEqual(t)
	}
}

// TestDirectoryInTheWayOfALinkThatIsWaitedFor copies the first name of a file slowly: a directory
// with another name has nothing else to do, and is left by its worker, before that is there.
func TestDirectoryInTheWayOfALinkThatIsWaitedFor(t *testing.T) {
	for _, extraneous := range []string{"", "b/gone 644 x\n"} {
		synctest.Test(t, func(t *testing.T) {
			b := newMirror(t, "a/f 644 text\nb/f (= a/f)\n", "b/f/in-the-way 644 x\n"+extraneous)
			b.job.HardLinks, b.job.Threads, b.job.Delete.Max = true, 2, &Limit{N: 100}
			slow := make(chan struct{})
			var once sync.Once
			b.job.Sources[0].Dir = vfstest.NewFaulty(b.job.Sources[0].Dir, func(op, name string) error {
				if op == "opendir" && name == "b" {
					select {
					case <-slow:
					case <-time.After(time.Minute):
						return errors.New("waited for in vain")
					}
				}
				return nil
			})
			b.job.Dest = vfstest.NewFaulty(b.job.Dest, func(op, _ string) error {
				if op == "write" {
					once.Do(func() { close(slow); time.Sleep(time.Second) })
				}
				return nil
			})
			if again := b.wantOneTaskEach(t); again != 1 {
				t.Errorf("%d directories are looked at twice, want 1", again)
			}
			if src, dst := b.trees(t, vfstest.WithLinks); src != dst {
				t.Errorf("source:\n%s\ndestination:\n%s", src, dst)
			}
		})
	}
}

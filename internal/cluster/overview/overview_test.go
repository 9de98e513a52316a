package overview

import (
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/queue"
)

const lease = time.Minute

func member(name string, age time.Duration, s queue.Status) queue.Member {
	return queue.Member{Name: name, Age: age, Status: s}
}

func TestLines(t *testing.T) {
	copying := queue.Round{N: 1, Phase: queue.Copy}
	keeper := &queue.Progress{Found: 5096, Done: 1204, Failed: 3, Files: 50_000, Bytes: 4 << 30, Elapsed: 100 * time.Second}
	after := func(p queue.Progress, change func(*queue.Progress)) *queue.Progress { change(&p); return &p }
	for _, tt := range []struct {
		name  string
		state queue.State
		want  string
	}{
		{"nothing yet", queue.State{}, `
not begun
no host works on it
no host keeps the journal, so the job does not end: type the command with --journal on one of them`},

		{"joined", queue.State{Members: []queue.Member{member("a", 0, queue.Status{Journal: &queue.Progress{}})}}, `
not begun
0 of 0 directories done
a  has joined, keeps the journal`},

		{"at work", queue.State{Round: copying, Waiting: 1200, Held: 3, Members: []queue.Member{
			member("mover1", 0, queue.Status{Figures: queue.Figures{Files: 8000, Bytes: 1 << 30, Rate: 100 << 20}, At: "a/b", Journal: keeper}),
			member("m2", time.Second, queue.Status{Figures: queue.Figures{Files: 2000, Bytes: 1 << 30, Rate: 28 << 20, Failed: 5, Removed: 7}}),
			member("m3", 0, queue.Status{Hungry: true}),
		}}, `
round 1, copying: 3 bundles in work, 1,200 waiting
1,204 of 5,096 directories done, 3 failed
10,000 of 50,000 files, 2 GiB of 4 GiB, 7 removed, 5 failed, 128 MiB/s, about 6m40s left
mover1  at a/b, 8,000 files, 1 GiB, 100 MiB/s, keeps the journal
m2      at work, 2,000 files, 1 GiB, 5 failed, 28 MiB/s
m3      has nothing to do`},

		{"before the audit of the first round", queue.State{Round: copying, Held: 1, Members: []queue.Member{
			member("a", 0, queue.Status{At: "x", Journal: &queue.Progress{Found: 9, Done: 4, Missing: 1}}),
		}}, `
round 1, copying: 1 bundle in work, 0 waiting
4 of 9 directories done
a  at x, keeps the journal`},

		{"bytes take longer than files", queue.State{Round: copying, Held: 1, Members: []queue.Member{
			member("a", 0, queue.Status{Figures: queue.Figures{Files: 49_000, Bytes: 1 << 30, Rate: 1 << 20}, Journal: keeper}),
		}}, `
round 1, copying: 1 bundle in work, 0 waiting
1,204 of 5,096 directories done, 3 failed
49,000 of 50,000 files, 1 GiB of 4 GiB, 1 MiB/s, about 51m12s left
a  at work, 49,000 files, 1 GiB, 1 MiB/s, keeps the journal`},

		{"silent hosts", queue.State{Round: copying, Held: 1, Members: []queue.Member{
			member("a", 31*time.Second, queue.Status{At: "x", Figures: queue.Figures{Rate: 1 << 20}}),
			member("b", 61*time.Second, queue.Status{At: "y", Figures: queue.Figures{Files: 1, Rate: 1 << 20}, Journal: &queue.Progress{Found: 1}}),
		}}, `
round 1, copying: 1 bundle in work, 0 waiting
0 of 1 directory done
1 file, 0 B, 1 MiB/s
a  silent for 31s, lost in 29s, 1 MiB/s
b  lost: silent for 1m01s, others go on with its directories`},

		{"calls that hang", queue.State{Round: queue.Round{N: 2, Phase: queue.Last}, Members: []queue.Member{
			member("a", 0, queue.Status{Journal: after(*keeper, func(p *queue.Progress) { p.Failed, p.Missing, p.Files = 0, 12, 0 }), Hanging: []queue.Call{
				{Name: "open", Path: "a\n\x1b[31mb", For: 125 * time.Second}, {Path: "c", For: 40 * time.Second},
			}}),
			member("b\x1b", 0, queue.Status{Finished: 2}),
		}}, `
round 2, setting last attributes: 0 bundles in work, 0 waiting
1,204 of 5,096 directories done, 12 missing by the last audit
a      at work, keeps the journal
b\033  has finished the round
a: open of a\012\033[31mb has not returned for 2m05s
a: c gets no further for 40s`},

		{"the keeper was started again", queue.State{Round: copying, Members: []queue.Member{
			member("a", 59*time.Second, queue.Status{Journal: &queue.Progress{Found: 5}}),
			member("b", time.Second, queue.Status{Journal: &queue.Progress{Found: 9, Done: 1, Gone: queue.Figures{Files: 4, Bytes: 1}}}),
		}}, `
round 1, copying: 0 bundles in work, 0 waiting
1 of 9 directories done
4 files, 1 B
a  silent for 59s, lost in 1s, keeps the journal
b  at work, keeps the journal`},

		{"ended", queue.State{Round: queue.Round{N: 5, Phase: queue.Audit}, Closed: true, Status: 23, Members: []queue.Member{
			member("a", 0, queue.Status{Figures: queue.Figures{Files: 50_000, Bytes: 4 << 30, Rate: 5}, Journal: keeper}),
		}}, `
ended with exit status 23
1,204 of 5,096 directories done, 3 failed
50,000 of 50,000 files, 4 GiB of 4 GiB`},
	} {
		got, want := Lines(tt.state, lease), strings.Split(strings.TrimPrefix(tt.want, "\n"), "\n")
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestLeft(t *testing.T) {
	p := queue.Progress{Files: 100, Bytes: 1000, Elapsed: 10 * time.Second}
	for _, tt := range []struct {
		name string
		done queue.Figures
		p    queue.Progress
		want time.Duration
	}{
		{"nothing is known", queue.Figures{Files: 50, Bytes: 500, Rate: 10}, queue.Progress{}, 0},
		{"by files", queue.Figures{Files: 20, Bytes: 900, Rate: 100}, p, 40 * time.Second},
		{"by bytes", queue.Figures{Files: 90, Bytes: 100, Rate: 10}, p, 90 * time.Second},
		{"nothing is done", queue.Figures{}, p, 0},
		{"all is done", queue.Figures{Files: 100, Bytes: 1000, Rate: 10}, p, 0},
		{"more than there was", queue.Figures{Files: 120, Bytes: 2000, Rate: 10}, p, 0},
		{"a standstill", queue.Figures{Files: 100, Bytes: 0, Rate: 1}, queue.Progress{Files: 100, Bytes: 1 << 62, Elapsed: 1}, 100 * 365 * 24 * time.Hour},
	} {
		if got := Left(tt.done, tt.p); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

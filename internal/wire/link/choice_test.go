package link

import (
	"math/rand/v2"
	"testing"
	"time"
)

// A machine is what a choice is simulated on: a sender and a receiver that share processors, and a line.
type machine struct {
	name  string
	line  float64 // bytes a second
	other float64 // seconds that the processors take for each byte, apart from compressing
	ratio float64 // to which data shrinks
	noise float64 // by how much segments differ
	// want is the least share of the speed of the better of both ways.
	want float64
}

// took returns what a segment takes: whatever is slower, the line or the processors.
func (m machine) took(size int, compress bool, r *rand.Rand) cost {
	sent, worked := 1.0, m.other
	if compress {
		sent, worked = m.ratio, m.other+effort
	}
	perByte := max(sent/m.line, worked)
	perByte *= 1 - m.noise + 2*m.noise*r.Float64()
	return cost{bytes: size, time: time.Duration(perByte * float64(size) * float64(time.Second))}
}

// run has 100 MiB sent, with a number of segments under way, and returns how long that takes. Compressing is fixed, or chosen.
func (m machine) run(r *rand.Rand, underWay int, next func() (bool, int), arrived func(bool, cost, time.Duration)) time.Duration {
	type segment struct {
		compress bool
		took     cost
	}
	var all time.Duration
	var queue []segment
	for bytes := 0; bytes < 100<<20; {
		compress, size := next()
		queue = append(queue, segment{compress, m.took(size, compress, r)})
		bytes += size
		if len(queue) > underWay {
			all += queue[0].took.time
			arrived(queue[0].compress, queue[0].took, queue[0].took.time)
			queue = queue[1:]
		}
	}
	for _, s := range queue {
		all += s.took.time
	}
	return all
}

// TestChoice compares the speed of what is chosen with that of the better of compressing all and nothing.
func TestChoice(t *testing.T) {
	for _, m := range []machine{
		{"10 Mbit/s", 1.25e6, 15e-9, 0.25, 0.5, 0.97},
		{"100 Mbit/s", 12.5e6, 15e-9, 0.25, 0.5, 0.95},
		{"100 Mbit/s, noise", 12.5e6, 15e-9, 1, 0.5, 0.97},
		{"processors", 1e9, 15e-9, 0.25, 0.5, 0.92},
		{"slow processors, fast line", 1e9, 100e-9, 0.25, 0.5, 0.9},
		{"1 Gbit/s", 125e6, 5e-9, 0.25, 0.5, 0.8},
	} {
		t.Run(m.name, func(t *testing.T) {
			const runs = 100
			for _, underWay := range []int{0, 4, 16} {
				var never, always, chosen time.Duration
				for seed := range uint64(runs) {
					r := rand.New(rand.NewPCG(seed, 1))
					never += m.run(r, 0, func() (bool, int) { return false, segmentSize }, func(bool, cost, time.Duration) {})
					always += m.run(r, 0, func() (bool, int) { return true, segmentSize }, func(bool, cost, time.Duration) {})
					var c choice
					chosen += m.run(r, underWay, c.next, c.arrived)
				}
				if share := min(never, always).Seconds() / chosen.Seconds(); share < m.want {
					t.Errorf("%d under way: %.3f of the best speed, want %.3f", underWay, share, m.want)
				}
			}
		})
	}
}

// TestCompare has trials end in all ways.
func TestCompare(t *testing.T) {
	const mib = 1 << 20
	lasting := cost{bytes: mib, time: 100 * time.Millisecond}
	for _, tt := range []struct {
		name         string
		compress     bool // before
		trial        time.Duration
		bytes        int
		wantCompress bool
		wantLeft     int
	}{
		{"without is slower", true, 200 * time.Millisecond, mib, true, 4 * minDistance},
		{"without is faster", true, 90 * time.Millisecond, mib, false, 4 * minDistance},
		{"without is as fast", true, 105 * time.Millisecond, mib, false, 4 * minDistance},
		{"compressing is slower", false, 110 * time.Millisecond, mib, false, 4 * minDistance},
		{"compressing is little faster", false, 80 * time.Millisecond, mib, false, 4 * minDistance},
		{"compressing is faster", false, 45 * time.Millisecond, mib, true, minDistance},
		{"too short to succeed", false, 39 * time.Millisecond, mib, false, 0},
		{"too short to fail", true, 19 * time.Millisecond, mib / 16, true, 0},
		{"short, of many bytes", false, 30 * time.Millisecond, 4 * maxTrial, true, minDistance},
	} {
		c := choice{compress: tt.compress, first: 2, lasting: lasting, distance: minDistance}
		c.trial = cost{bytes: tt.bytes, time: tt.trial}
		c.compare()
		if goesOn := c.unsent > 0; c.compress != tt.wantCompress || c.left != tt.wantLeft || goesOn != (tt.wantLeft == 0) {
			t.Errorf("%s: compress %v, %d bytes left, trial goes on %v", tt.name, c.compress, c.left, goesOn)
		}
	}
}

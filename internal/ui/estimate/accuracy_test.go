package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"psync/internal/report"
)

// A simulation is a run over files of unequal sizes, which takes some time for each file that it looks at, some for
// each that it copies, and some for each byte, and stands still for a minute.
type simulation struct {
	sizes   []int64
	copied  []bool
	look    time.Duration
	copying time.Duration
	rate    float64 // bytes a second
}

// totals returns the totals at each sample of the run, and how long the run takes.
func (s *simulation) totals() (samples []report.Totals, end time.Duration) {
	var now report.Totals
	at, next := time.Duration(0), time.Duration(0)
	stallAt := time.Duration(-1)
	pass := func(d time.Duration, bytes int64) {
		until, before, begin := at+d, now, at
		for ; next <= until; next += sampleEvery {
			now = before
			done := int64(float64(bytes) * float64(next-begin) / float64(max(1, d)))
			now[report.BytesCopied] += done
			now[report.BytesLeft] -= done
			samples = append(samples, now)
		}
		at, now = until, before
		now[report.BytesCopied] += bytes
		now[report.BytesLeft] -= bytes
	}
	for i, size := range s.sizes {
		if stallAt < 0 && i >= len(s.sizes)/3 {
			stallAt = at
			pass(time.Minute, 0)
		}
		pass(s.look, 0)
		if !s.copied[i] {
			now[report.FilesKept]++
			now[report.BytesKept] += size
			continue
		}
		now[report.BytesLeft] += size
		pass(s.copying, 0)
		pass(time.Duration(float64(size)/s.rate*float64(time.Second)), size)
		now[report.FilesCopied]++
	}
	return samples, at
}

// medianError returns the median of the relative errors of the estimates after the first tenth of the run, and the
// share of the samples that had an estimate.
func (s *simulation) medianError() (median, shown float64) {
	var total Amount
	for _, size := range s.sizes {
		total.Files++
		total.Bytes += size
	}
	samples, end := s.totals()
	var e Estimator
	var errors []float64
	n := 0
	for i, t := range samples {
		at := time.Duration(i) * sampleEvery
		e.Add(at, t, true)
		if at < end/10 || end-at < 2*time.Second {
			continue
		}
		n++
		if got := e.Status(total, true).Left; got > 0 {
			errors = append(errors, math.Abs(float64(got)/float64(end-at)-1))
		}
	}
	slices.Sort(errors)
	return errors[len(errors)/2], float64(len(errors)) / float64(n)
}

// Which files have changed is not known in advance: where few large ones have, chance decides how far an estimate
// is off.
func TestEstimatesAreNearTheTruth(t *testing.T) {
	for _, test := range []struct {
		what    string
		files   int
		typical float64 // size of a file, as the exponent of e
		spread  float64 // of sizes: the standard deviation of the exponent
		changed float64 // the share of the files that are copied
	}{
		{"a copy", 20_000, 11, 2.5, 1},
		{"a second sync", 200_000, 11, 2.5, 0.05},
		{"a second sync of a tree that is nearly the same", 400_000, 11, 2.5, 0.002},
		{"a copy of large files", 300, 19, 2.5, 1},
		{"a second sync of large files", 3500, 20, 1, 0.2},
	} {
		var medians []float64
		for seed := range uint64(15) {
			r := rand.New(rand.NewPCG(seed, 3))
			s := &simulation{look: 400 * time.Microsecond, copying: 3 * time.Millisecond, rate: 400 * mib}
			for range test.files {
				// Sizes of real trees are spread over many orders of magnitude.
				s.sizes = append(s.sizes, min(8<<30, int64(math.Exp(test.typical+test.spread*r.NormFloat64()))))
				s.copied = append(s.copied, r.Float64() < test.changed)
			}
			median, shown := s.medianError()
			medians = append(medians, median)
			if shown < 0.4 {
				t.Errorf("%s, seed %d: only %.0f %% of the samples have an estimate", test.what, seed, shown*100)
			}
		}
		slices.Sort(medians)
		t.Logf("%s: median error %.0f %%, worst of %d runs %.0f %%", test.what, medians[len(medians)/2]*100, len(medians), medians[len(medians)-1]*100)
		if m := medians[len(medians)/2]; m > 0.15 {
			t.Errorf("%s: median error %.0f %%, want at most 15 %%", test.what, m*100)
		}
	}
}

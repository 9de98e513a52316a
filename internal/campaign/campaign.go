// Package campaign says how many of their cases tests try.
//
// A test of very many cases tries few of them by default, so that go test is quick, and more with THOROUGH=1 in the
// environment. Where the cases are made up, a variable of the test says how many: it is called FAULTS, say. Then
// FAULTS_SEED is the seed of the first, or "random".
package campaign

import (
	"flag"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
)

// Thorough reports whether tests are to try all their cases.
func Thorough() bool { return os.Getenv("THOROUGH") != "" }

// Size returns the value of an environment variable, or else many if tests are thorough and few if not.
func Size(variable string, few, many int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	if Thorough() {
		return many
	}
	return few
}

// Seed returns the seed of the first case.
func Seed(variable string) uint64 {
	text := os.Getenv(variable + "_SEED")
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	if text == "random" {
		return rand.Uint64N(1 << 50)
	}
	return 1
}

var named = regexp.MustCompile(`seed=(\d+)`)

// Seeds returns the seeds of [Size] cases from [Seed] on. If a subtest is chosen by -run TEST/seed=N, it is N alone, whichever
// that is.
func Seeds(variable string, few, many int) []uint64 {
	n, first := Size(variable, few, many), Seed(variable)
	if run := flag.Lookup("test.run"); run != nil {
		if m := named.FindStringSubmatch(run.Value.String()); m != nil {
			if seed, err := strconv.ParseUint(m[1], 10, 64); err == nil {
				n, first = 1, seed
			}
		}
	}
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = first + uint64(i)
	}
	return seeds
}

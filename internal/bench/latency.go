package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"psync/internal/delayfs"
)

// A side is the side of a copy that has latency.
type side string

const (
	source      side = "src"
	destination side = "dst"
)

// tryLatency returns an error if nothing can be mounted below dir, before anything is measured.
func tryLatency(dir string) (err error) {
	root, point := filepath.Join(dir, "root"), filepath.Join(dir, farPoint)
	if err := errors.Join(os.Mkdir(root, 0o700), os.Mkdir(point, 0o700)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(point), os.Remove(root)) }()

	mounted, err := delayfs.Mount(root, point, delayfs.Options{})
	if errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("-latency needs FUSE, which is not to be had here: %w", err)
	}
	if err != nil {
		return err
	}
	return mounted.Unmount()
}

// parseLatencies parses a comma-separated list of durations.
func parseLatencies(list string) ([]time.Duration, error) {
	var latencies []time.Duration
	for word := range strings.SplitSeq(list, ",") {
		d, err := time.ParseDuration(word)
		if err != nil {
			return nil, err
		}
		if d < 0 {
			return nil, fmt.Errorf("a latency of %s is negative", word)
		}
		latencies = append(latencies, d)
	}
	return latencies, nil
}

// milliseconds returns the text for a latency.
func milliseconds(d time.Duration) string { return fmt.Sprintf("%g ms", inMilliseconds(d)) }

func inMilliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }

package bench

import (
	"encoding/csv"
	"errors"
	"os"
	"strconv"
	"time"
)

// A rawFile is a CSV file with the figures of every run. A nil *rawFile discards them.
type rawFile struct {
	f *os.File
	w *csv.Writer
}

// openRaw creates the file at path, or returns nil if path is empty.
func openRaw(path string) (*rawFile, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	r := &rawFile{f, csv.NewWriter(f)}
	header := []string{"workload", "kind", "latency_ms", "tool", "round", "wall_s", "user_s", "system_s", "rss_bytes", "rss_floor_bytes", "failure"}
	if err := r.w.WriteAll([][]string{header}); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// write adds the runs of one scene. A failed tool has an additional line.
func (r *rawFile) write(sc scene, results []*result) error {
	if r == nil {
		return nil
	}
	what := []string{sc.name, string(sc.kind), strconv.FormatFloat(inMilliseconds(sc.latency), 'g', -1, 64)}
	var lines [][]string
	for _, res := range results {
		for i, u := range res.runs {
			lines = append(lines, append(what[:3:3],
				res.label(), strconv.Itoa(i+1), decimal(u.wall), decimal(u.user), decimal(u.system),
				strconv.FormatInt(u.rss, 10), strconv.FormatInt(u.rssFloor, 10), "",
			))
		}
		if res.err != nil {
			lines = append(lines, append(what[:3:3], res.label(), "", "", "", "", "", "", res.err.Error()))
		}
	}
	return r.w.WriteAll(lines)
}

func decimal(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }

// Close closes the file.
func (r *rawFile) Close() error {
	if r == nil {
		return nil
	}
	return r.f.Close()
}

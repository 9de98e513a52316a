package cli

import (
	"fmt"
	"time"

	"psync/internal/cli/flags"
	"psync/internal/metrics"
	"psync/internal/run"
	"psync/internal/version"
)

// A metricsError says that metrics cannot be served.
type metricsError struct{ err error }

func (e *metricsError) Error() string { return "--metrics: " + e.err.Error() }
func (e *metricsError) Unwrap() error { return e.err }

// reserveMetrics reserves the address of the metrics, if they are wanted, before anything is begun.
func (a *app) reserveMetrics(o *flags.Options) error {
	if o.Shown.Metrics == "" {
		return nil
	}
	server, err := metrics.Listen(o.Shown.Metrics)
	if err != nil {
		return &metricsError{err}
	}
	a.metrics = server
	return nil
}

// serveMetrics serves the metrics of a run until the process ends.
func (a *app) serveMetrics(o *flags.Options, r *run.Run) {
	if a.metrics == nil {
		return
	}
	figures := &metrics.Run{
		Version: version.String(), Started: time.Now(), Stats: r.Stats,
		Workers: r.Workers.Get, Busy: a.activity.Busy, Unclaimed: a.activity.Waiting,
		Outages: o.Volumes.Outages, Repeated: o.Volumes.Repeated, Unreachable: o.Volumes.Unreachable,
		LongestCall: o.Volumes.LongestCall, SourceCalls: &o.Volumes.SourceCalls, DestCalls: &o.Volumes.DestCalls,
	}
	a.metrics.Serve(figures.Write)
	a.note(o, fmt.Sprintf("metrics are at http://%s/metrics", a.metrics.Addr()))
}

package sys

// Policies of setiopolicy_np(3), all for the process (xnu, bsd/sys/resource.h).
const (
	scopeProcess = 0

	atimeUpdates = 2
	atimeOff     = 1

	materializeDataless = 3
	datalessOff         = 1
	datalessOn          = 2
)

// KeepAtimes stops the process from changing access times by reading.
func KeepAtimes() error { return setiopolicy(atimeUpdates, scopeProcess, atimeOff) }

// FetchDataless sets whether reading a file whose contents are in the cloud waits
// for them, or fails with EDEADLK.
func FetchDataless(fetch bool) error {
	policy := datalessOff
	if fetch {
		policy = datalessOn
	}
	return setiopolicy(materializeDataless, scopeProcess, policy)
}

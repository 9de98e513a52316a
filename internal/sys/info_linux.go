package sys

import "os"

// InfoSignals returns nil: Linux has no signal that requests a progress report.
func InfoSignals() []os.Signal { return nil }

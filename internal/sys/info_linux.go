package sys

import "os"

// InfoSignals returns none: no signal of this system asks how far a program is.
func InfoSignals() []os.Signal { return nil }

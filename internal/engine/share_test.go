package engine

import "os"

// alwaysShare has workers share all that they can in tests, if LEND is set.
var alwaysShare = os.Getenv("LEND") != ""

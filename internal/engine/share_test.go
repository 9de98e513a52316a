package engine

import "os"

// alwaysShare makes workers share everything that they can in tests, if SHARE is set.
var alwaysShare = os.Getenv("SHARE") != ""

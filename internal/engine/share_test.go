package engine

import "os"

// alwaysShare makes workers in tests share everything that they can if SHARE is set.
var alwaysShare = os.Getenv("SHARE") != ""

package localfs

// whereabouts is not needed here: this system shows no directory a second time
// but by nullfs, whose copies have devices of their own.
func whereabouts(string) (place, bool) { return place{}, false }

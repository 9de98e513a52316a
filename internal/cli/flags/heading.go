package flags

// Headings of the help. Each flag is listed under one of them.
const (
	headingScope    = "What takes part"
	headingDiffers  = "What differs"
	headingKept     = "What is kept"
	headingCompared = "What is compared" // instead of headingDiffers and headingKept
	headingRemoved  = "What is removed"
	headingPlaces   = "How files get to their places"
	headingSpeed    = "How fast"
	HeadingShown    = "What is shown"
	HeadingRemote   = "Other hosts"
	HeadingQueue    = "Several hosts that share a job"
)

// Headings returns all headings, in the order in which a help shows them.
func Headings() []string {
	return []string{
		headingScope, headingDiffers, headingCompared, headingKept, headingRemoved, headingPlaces, headingSpeed, HeadingShown, HeadingRemote, HeadingQueue,
	}
}

// under puts those flags of a table under a heading that have no other.
func under(heading string, table []flag) []flag {
	for i := range table {
		if table[i].heading == "" {
			table[i].heading = heading
		}
	}
	return table
}

// headingOf returns the heading of a flag in the help of a verb.
func (f *flag) headingOf(verb Verbs) string {
	if verb == Compare && (f.heading == headingKept || f.heading == headingDiffers) {
		return headingCompared
	}
	return f.heading
}

package page

// A Sum is a number of events, and the bytes that they are about.
type Sum struct{ Count, Bytes int64 }

func (s *Sum) add(bytes int64) { s.Count, s.Bytes = s.Count+1, s.Bytes+bytes }

// points is how many parts a timeline has at most.
const points = 240

// A timeline sums files by the time at which they were copied, in parts of equal length.
type timeline struct {
	width float64 // of a part, in seconds
	parts []Sum
	end   float64 // when the last file was copied, in seconds
}

// add adds a file.
func (l *timeline) add(t float64, bytes int64) {
	if l.width == 0 {
		l.width = 0.01
	}
	t = max(t, 0)
	l.end = max(l.end, t)
	for t/l.width >= points {
		half := make([]Sum, (len(l.parts)+1)/2, points)
		for i, p := range l.parts {
			half[i/2].Count += p.Count
			half[i/2].Bytes += p.Bytes
		}
		l.parts, l.width = half, 2*l.width
	}
	i := int(t / l.width)
	for len(l.parts) <= i {
		l.parts = append(l.parts, Sum{})
	}
	l.parts[i].add(bytes)
}

package page

import (
	"cmp"
	"maps"
	"slices"
)

// groups are events of the same kind, by what they have in common.
type groups struct {
	all map[string]*Group
	// Others are events of groups that came when there were too many.
	Others int64
}

// A Group is a number of events that have something in common.
type Group struct {
	What     string
	Remedy   string
	Count    int64
	Examples []string // paths
}

func newGroups() *groups { return &groups{all: make(map[string]*Group)} }

// maxRemembered is how many groups are counted one by one.
const maxRemembered = 100_000

func (g *groups) add(what, remedy, example string) {
	group := g.all[what]
	if group == nil {
		if len(g.all) >= maxRemembered {
			g.Others++
			return
		}
		group = &Group{What: what}
		g.all[what] = group
	}
	group.Count++
	group.Remedy = cmp.Or(group.Remedy, remedy)
	if len(group.Examples) < maxExamples {
		group.Examples = append(group.Examples, example)
	}
}

// Total returns the number of all events.
func (g *groups) Total() int64 {
	n := g.Others
	for _, group := range g.all {
		n += group.Count
	}
	return n
}

// Most returns the largest groups, the largest first.
func (g *groups) Most() []*Group {
	list := slices.SortedFunc(maps.Values(g.all), func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What))
	})
	return list[:min(len(list), maxGroups)]
}

// Rest returns the number of events that Most leaves out.
func (g *groups) Rest() int64 {
	n := g.Total()
	for _, group := range g.Most() {
		n -= group.Count
	}
	return n
}

package main

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// beFair takes back what the two programs are not meant to do alike.
func (g *generator) beFair() {
	if g.has("--inplace") {
		// psync refuses what could write into files of the other tree, and what would
		// take an unfinished file for a current one.
		g.s.drop("--link-dest", "-u", "--size-only")
	}
	if g.has("--append") {
		g.s.drop("--link-dest", "-S") // psync refuses the former, and with the latter rsync loses what is there
	}
	if g.has("--partial-dir") {
		g.s.drop("--inplace", "--append")
		for at := range g.s.dest {
			dir, name := path.Split(at)
			if up, ok := strings.CutSuffix(dir, ".hidden/"); ok && g.s.source[up+name].kind != 0 {
				g.s.dest = g.s.dest.without(at) // rsync removes it even if the file is current
			}
		}
	}
	if g.has("--remove-source-files") {
		g.s.drop("--size-only") // psync refuses it, for what the destination has can be something else
	}
	if g.follows() {
		g.s.drop("--remove-source-files") // for these files may be anywhere
		g.s.drop("-K")                    // rsync cannot set modes behind links
	}
	if !g.s.deletes() {
		g.s.drop("--delete-excluded")
	}
	if g.has("--compare-dest") {
		g.s.drop("--remove-source-files") // psync does not if the destination has them not
		g.s.drop("-I")                    // what it copies, a run without it removes again
	}
	if g.has("--files-from") {
		// rsync lets rules leave out what is listed, but not the directories above.
		g.s.drop("--exclude", "--include", "--filter", "--delete-excluded")
		g.s.drop("-m") // nor does rsync prune what is listed, if something in it is, too
	}
	if g.s.backupsBeside() {
		// psync never removes a backup, rsync does if a rule says so.
		g.s.drop("--include", "--filter=R ", "--filter=+ ", "--filter=S ", "--delete-excluded")
	}
	if g.has("-b", "--backup") {
		// rsync makes no backups of unsafe links if there are to be none, and as an
		// ordinary user lets backups be written to, but not those of directories.
		g.s.drop("--safe-links")
		for at, e := range g.s.dest {
			e.mode |= 0o200
			if g.has("--inplace", "--append") && e.kind == 'f' {
				e.owner = 0 // rsync does not keep that of the backup
			}
			g.s.dest[at] = e
		}
	}
	for _, at := range g.s.source.paths() {
		g.beFairTo(at)
	}
	for _, at := range g.s.source.paths() {
		if g.s.isLeftOut(at) {
			g.s.source = g.s.source.without(at)
		}
	}
	if g.follows() {
		for _, at := range g.s.source.paths() {
			g.beFairAboutLinks(at)
		}
	}
	for at, e := range g.s.dest {
		if e.kind == 'd' && e.first != "" {
			e.first = ""
			g.s.dest[at] = e
		}
	}
	for _, at := range g.s.dest.paths() {
		if g.s.isBackup(at) && g.s.dest[at].kind == 'd' {
			g.s.dest = g.s.dest.without(at) // it could be in the way of a backup
		}
	}
	if g.has("-K") {
		g.placeDirlinks()
	}
	// Where a file cannot be read that is the same in another tree, or a directory that
	// may be empty, one of the two does without; links could lead there; of what rsync
	// removes below there would be backups; psync reads directories even to find what is
	// listed; and what is hidden by a rule need not be readable.
	if g.chance(20) && !g.follows() && !g.has("-m", "-b", "--backup", "--files-from", "--exclude", "--filter") && len(g.s.spare) == 0 {
		g.close()
	}
}

// beFairTo does so for one entry of the source.
func (g *generator) beFairTo(at string) {
	e, there := g.s.source[at], g.s.dest[at]
	spare := true
	switch {
	case g.has("--link-dest") && e.kind == 'l':
		spare = false // rsync makes other names of links, as with files
	case g.has("--compare-dest") && g.has("-b", "--backup") && there.kind != 0:
		spare = false // rsync makes no backup of what it removes because the other tree has it
	case g.has("--copy-dest") && there.kind != 0:
		spare = false // rsync does not look there for what there is
	case g.has("--link-dest") && there.kind == 'f' && e.size == there.size:
		spare = false // rsync makes links even of files that are current
	case g.has("--link-dest") && g.has("-b", "--backup") && there.kind != 0:
		spare = false // rsync makes no backup of what it puts a link in the place of
	}
	if !spare {
		g.s.spare = g.s.spare.without(at)
	}
	if there.kind == 'd' && (e.kind == 'f' || e.kind == 'l') {
		// What is in the way rsync removes only if an ordinary user may.
		for below, e := range g.s.dest {
			if e.kind == 'd' && (below == at || strings.HasPrefix(below, at+"/")) {
				e.mode |= 0o200
				g.s.dest[below] = e
			}
		}
	}
	if g.has("-u") && e.kind == 'f' && there.kind == 'f' && e.time.Unix() == there.time.Unix() {
		there.time = e.time // rsync knows newer ones by the second
		g.s.dest[at] = there
	}
	if g.has("-u") && e.kind == 'f' && there.kind == 'f' && there.size < e.size && (there.size == 0 || there.fill == e.fill) {
		there.size = e.size + 1 // psync takes what the source begins with for a partial copy
		g.s.dest[at] = there
	}
	if g.has("-b", "--backup") && e.kind == 'd' {
		e.mode |= 0o700 // rsync cannot write into what it has made itself as an ordinary user
		g.s.source[at] = e
	}
}

// beFairAboutLinks does so for one that is to be followed.
func (g *generator) beFairAboutLinks(at string) {
	e := g.s.source[at]
	if e.kind != 'l' {
		return
	}
	to, leads := g.s.source.follow(at, patience)
	if !leads {
		// rsync removes its counterpart, with --ignore-errors, as that of something that
		// the source lacks.
		to = "@/shared/f"
		e.target = to
		g.s.source[at] = e
	}
	if g.has("-u", "--ignore-existing") && (to == "@/shared/f" || to == "@/shared/sub" || g.s.source[to].kind == 'd') {
		g.s.dest = g.s.dest.without(at) // as with those that are not followed
	}
}

// protected is a directory of the destination that nothing is removed from.
const protected = "kept"

// placeDirlinks lets some links of the destination lead to directories, all
// others nowhere. Each directory has one only, or else things would come there in
// any order. They lie in the destination, for rsync goes nowhere else, where a rule
// protects them.
func (g *generator) placeDirlinks() {
	n := 0
	for _, at := range g.s.dest.paths() {
		e := g.s.dest[at]
		if e.kind != 'l' {
			continue
		}
		e.target = "nowhere"
		if g.chance(50) {
			n++
			to := path.Join(protected, strconv.Itoa(n))
			e.target = strings.Repeat("../", strings.Count(at, "/")) + to
			g.s.dest[protected] = entry{kind: 'd', mode: 0o755, time: someday}
			// rsync sets attributes of the link instead of those of the directory.
			var kept entry
			kept, e.owner = entry{kind: 'd', mode: 0o755, time: someday}, 0
			if there := g.s.source[at]; there.kind == 'd' {
				there.mode |= 0o700
				g.s.source[at] = there
				kept.mode, kept.owner = there.mode, there.owner
			}
			g.s.dest[to] = kept
			g.add(g.s.dest, path.Join(to, pick(g, g.names...)), entry{kind: 'f', mode: 0o644, time: someday, size: 7, fill: 'z'}, 0)
		}
		g.s.dest[at] = e
	}
}

// close makes some entries of the source unreadable for ordinary users. Where
// something else is in the way of one, rsync removes that first, and psync does not.
func (g *generator) close() {
	for _, at := range g.s.source.paths() {
		e, there := g.s.source[at], g.s.dest[at]
		if e.kind != 'f' && e.kind != 'd' || there.kind != 0 && there.kind != e.kind || g.chance(85) {
			continue
		}
		e.mode = pick[uint32](g, 0o000, 0o200)
		if e.kind == 'd' {
			e.mode = pick[uint32](g, 0o000, 0o300)
			g.s.closed = append(g.s.closed, at)
		}
		g.s.source[at] = e
	}
}

// deletes reports whether entries are removed that the source lacks. psync refuses to
// remove files of the source at the same time.
func (s *scenario) deletes() bool { return !s.has("--remove-source-files") }

// drop takes arguments back.
func (s *scenario) drop(prefixes ...string) {
	s.args = slices.DeleteFunc(s.args, func(arg string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(arg, p) })
	})
}

// isLeftOut reports whether an entry of the source is too much to ask.
func (s *scenario) isLeftOut(at string) bool {
	there := s.dest[at].kind
	// It is a matter of order whether a backup overwrites an entry of the same name.
	// And rsync gives what is to be ignored the time of the directory, and fails.
	return s.isBackup(at) ||
		s.has("--ignore-existing") && s.source[at].kind == 'd' && there != 0 && there != 'd'
}

// isBackup reports whether an entry has the name of a backup.
func (s *scenario) isBackup(at string) bool {
	switch {
	case !s.backupsBeside():
		return false
	case s.has("--suffix=.c"):
		return strings.HasSuffix(at, ".c")
	}
	return strings.HasSuffix(at, "~")
}

// backupsBeside reports whether backups are made in the destination itself.
func (s *scenario) backupsBeside() bool { return s.has("-b", "--backup") && !s.has("--backup-dir") }

// paths returns what there is, sorted.
func (t tree) paths() []string { return slices.Sorted(maps.Keys(t)) }

// without returns the tree without an entry, and what is in it.
func (t tree) without(at string) tree {
	smaller := maps.Clone(t)
	removed := func(other string) bool { return other == at || strings.HasPrefix(other, at+"/") }
	maps.DeleteFunc(smaller, func(other string, e entry) bool { return removed(other) || e.first != "" && removed(e.first) })
	return smaller
}

// withoutOrphans returns the tree without entries whose directory is missing.
func (t tree) withoutOrphans() tree {
	for _, at := range t.paths() { // directories come before what is in them
		if dir := path.Dir(at); dir != "." && t[dir].kind != 'd' {
			t = t.without(at)
		}
	}
	return t
}

// sound reports whether all links that are to be followed lead somewhere.
func (s *scenario) sound() bool {
	for at, e := range s.source {
		if _, leads := s.source.follow(at, patience); s.follows() && e.kind == 'l' && !leads {
			return false
		}
	}
	return true
}

// patience is how many links are followed from one to the next.
const patience = 9

// follow finds out where a path leads to, if it does anywhere. What is shared is known
// by its own name only.
func (t tree) follow(at string, rest int) (string, bool) {
	done := ""
	for name := range strings.SplitSeq(at, "/") {
		done = path.Join(done, name)
		e, ok := t[done]
		switch {
		case !ok && !strings.HasPrefix(done, "@"), rest == 0:
			return "", false
		case e.kind != 'l':
		case strings.HasPrefix(e.target, "@"):
			done = e.target
		default:
			if done, ok = t.follow(path.Join(path.Dir(done), e.target), rest-1); !ok {
				return "", false
			}
		}
	}
	return done, !strings.HasPrefix(done, "@") || done == "@/shared/f" || done == "@/shared/sub"
}

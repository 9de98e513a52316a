package operand

import (
	"slices"
	"strings"

	"psync/internal/operand/location"
	"psync/internal/vfs"
)

// RootQuestions returns the questions that [OpenRoots] will ask the hosts of the operands, as far as they are known
// before any answer. The Hosts of o need not be set. RootQuestions looks up whether sources on this host are
// directories.
func RootQuestions(args []string, o Options, here vfs.Host) (source, dest vfs.Questions) {
	last := len(args) - 1
	return o.sourceQuestions(args[:last]), o.destQuestions(args[:last], args[last], here)
}

// TreeQuestions returns the questions that [OpenTrees] will ask.
func TreeQuestions(args []string, o Options, _ vfs.Host) (source, dest vfs.Questions) {
	ask := func(path string) vfs.Questions {
		return vfs.Questions{
			Preparation: o.Preparation,
			Opens:       []vfs.OpenQuestion{{Path: path, Options: vfs.OpenOptions{Noatime: o.Noatime}, List: true}},
		}
	}
	return ask(args[0]), ask(args[1])
}

func (o Options) sourceQuestions(paths []string) vfs.Questions {
	q := vfs.Questions{Preparation: o.Preparation, Lstat: paths}
	ask := func(dir string) {
		open := vfs.OpenQuestion{Path: dir, Options: vfs.OpenOptions{Noatime: o.Noatime}}
		if len(q.Opens) < maxOpenSources && !slices.Contains(q.Opens, open) {
			q.Opens = append(q.Opens, open)
		}
	}
	if o.Relative {
		for _, path := range paths {
			if r, err := location.SplitRelative(path); err == nil {
				ask(r.Dir)
			}
		}
		return q
	}
	if len(paths) == 1 {
		q.Stat = paths
		q.Opens = []vfs.OpenQuestion{{Path: paths[0], Options: vfs.OpenOptions{Noatime: o.Noatime}, List: o.Files == nil}}
		return q
	}
	for _, path := range paths {
		dir, last := split(path)
		if last == "" {
			dir = path
		}
		ask(dir)
	}
	return q
}

// destQuestions returns the questions for the destination's host. They do not include listing a directory that single
// entries go into, because it may be large. here, unless it is nil, is the host of the sources.
func (o Options) destQuestions(sources []string, dest string, here vfs.Host) vfs.Questions {
	q := vfs.Questions{
		Preparation: o.Preparation,
		Stat:        []string{dest},
		Lstat:       []string{dest},
		Resolve:     []string{dest},
		Opens:       []vfs.OpenQuestion{{Path: dest, Options: o.trust()}},
	}
	if o.MakeDest && !o.MakeParents {
		q.Stat, q.Resolve = append(q.Stat, above(dest)), append(q.Resolve, above(dest))
	}
	if len(sources) != 1 || o.Relative {
		return q
	}
	if here != nil && o.Files == nil {
		attr, err := here.Stat(sources[0], vfs.Follow)
		isDir := attr.Mode.IsDir()
		q.Opens[0].List = err == nil && isDir
		if err == nil && !isDir && o.RenameFile { // renameFile
			q.Opens = append(q.Opens, vfs.OpenQuestion{Path: above(dest), Options: o.trust()})
		}
	}
	if _, name := split(sources[0]); o.Delete && name != "" && !strings.HasPrefix(name, ".") {
		q.Lstat = append(q.Lstat, under(dest, name)) // checkEarlierCopy
	}
	return q
}

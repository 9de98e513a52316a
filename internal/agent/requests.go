package agent

import "psync/internal/wire"

// taskOf returns what deals with a request, or nil if m is none.
func taskOf(m wire.Message) task {
	switch m := m.(type) {
	case *wire.PathQuery:
		return (*pathQuery)(m)
	case *wire.Account:
		return (*account)(m)
	case *wire.OpenPath:
		return (*openPath)(m)
	}
	if t := dirTask(m); t != nil {
		return t
	}
	if t := fileTask(m); t != nil {
		return t
	}
	return nodeTask(m)
}

// dirTask is taskOf for requests about directories and their entries.
func dirTask(m wire.Message) task {
	switch m := m.(type) {
	case *wire.OpenDir:
		return (*openDir)(m)
	case *wire.Mkdir:
		return (*mkdir)(m)
	case *wire.List:
		return (*list)(m)
	case *wire.Lstat:
		return (*lstat)(m)
	case *wire.Readlink:
		return (*readlink)(m)
	case *wire.Symlink:
		return (*symlink)(m)
	case *wire.Link:
		return (*hardLink)(m)
	case *wire.Mknod:
		return (*mknod)(m)
	case *wire.Rename:
		return (*rename)(m)
	case *wire.Remove:
		return (*remove)(m)
	case *wire.Statfs:
		return (*statfs)(m)
	case *wire.Count:
		return (*count)(m)
	case *wire.Sync:
		return (*syncTask)(m)
	}
	return nil
}

// fileTask is taskOf for requests about files.
func fileTask(m wire.Message) task {
	switch m := m.(type) {
	case *wire.Put:
		return (*put)(m)
	case *wire.Get:
		return (*get)(m)
	case *wire.Read:
		return (*read)(m)
	case *wire.Write:
		return (*write)(m)
	case *wire.Finish:
		return (*finish)(m)
	case *wire.Create:
		return (*create)(m)
	case *wire.Resize:
		return (*resize)(m)
	case *wire.Copy:
		return (*copyRange)(m)
	case *wire.Extents:
		return (*extents)(m)
	case *wire.StatFile:
		return (*statFile)(m)
	case *wire.Sums:
		return (*sums)(m)
	}
	return nil
}

// nodeTask is taskOf for requests about metadata.
func nodeTask(m wire.Message) task {
	switch m := m.(type) {
	case *wire.Carry:
		return (*carry)(m)
	case *wire.Xattrs:
		return (*xattrs)(m)
	case *wire.ReadXattr:
		return (*readXattr)(m)
	case *wire.XattrSize:
		return (*xattrSize)(m)
	case *wire.WriteXattr:
		return (*writeXattr)(m)
	case *wire.Flags:
		return (*flags)(m)
	}
	return nil
}

package sftpfs

import (
	"path"
	"strings"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/hosttest"
	"psync/internal/vfs/suite"
)

// unkept maps the tests of promises of vfs that SFTP cannot keep to the reasons. The parts that it can keep are tested
// in this package.
var unkept = map[string]string{
	"Chtimes meets entries of each kind":                                 "links have no times here",
	"Chtimes sets nanoseconds, before 1970 and after 2038 too":           "times are whole seconds from 1970 to 2106",
	"Chtimes leaves a time where a zero time is given":                   "times are whole seconds",
	"no call sets the change time":                                       "there is none",
	"an open directory keeps working when it is renamed":                 "a directory is a path",
	"the parent follows a directory that moves":                          "a directory is a path",
	"a link in a moved directory leads on from there":                    "a directory is a path",
	"trees may be deeper than any path":                                  "a directory is a path",
	"Remove with a premise keeps another file of the same size and time": "no request identifies files",
	"Link gives a file another name":                                     "no request returns the number of links",
	"Link takes a file of another directory":                             "no request returns the number of links",
}

// chmodPromise needs a server that runs as this process does.
const chmodPromise = "Chmod sets permissions and special bits"

func TestDirKeepsThePromisesOfVFS(t *testing.T) {
	for _, s := range servers(t) {
		t.Run(s.name, func(t *testing.T) {
			h := newHost(t, s, Options{})
			skipped := make(map[string]bool)
			suite.TestDir(t, func(tb testing.TB) vfs.Dir {
				name := strings.ReplaceAll(path.Base(tb.Name()), "_", " ")
				if name == chmodPromise && s.user != 0 {
					tb.Skip("the suite sets the group of this process, not that of the server")
				}
				if why, ok := unkept[name]; ok {
					skipped[name] = true
					tb.Skip(why)
				}
				d, err := h.Open(s.tempDir(tb), vfs.OpenOptions{})
				must(tb, err)
				return d
			})
			for name := range unkept {
				if !skipped[name] {
					t.Errorf("the suite has no promise %q", name)
				}
			}
		})
	}
}

func TestSharedDir(t *testing.T) {
	for _, s := range servers(t) {
		t.Run(s.name, func(t *testing.T) {
			h, another := newHost(t, s, Options{}), newHost(t, s, Options{})
			suite.TestSharedDir(t, func(tb testing.TB) (d, other vfs.Dir) {
				if strings.HasSuffix(tb.Name(), anotherFile) {
					tb.Skip(unkept[strings.ReplaceAll(anotherFile, "_", " ")])
				}
				dir := s.tempDir(tb)
				d, err := h.Open(dir, vfs.OpenOptions{})
				must(tb, err)
				other, err = another.Open(dir, vfs.OpenOptions{})
				must(tb, err)
				return d, other
			})
		})
	}
}

// anotherFile is a promise that SFTP cannot keep.
const anotherFile = "Remove_with_a_premise_keeps_another_file_of_the_same_size_and_time"

func TestHostKeepsThePromisesOfVFS(t *testing.T) {
	for _, s := range servers(t) {
		t.Run(s.name, func(t *testing.T) { hosttest.TestHost(t, newHost(t, s, Options{}), s.tempDir(t)) })
	}
}

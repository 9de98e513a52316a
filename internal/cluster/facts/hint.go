package facts

import (
	"errors"
	"strings"

	"psync/internal/queue"
)

// hints say what can be done about a fact that differs, by the beginning of its name.
var hints = []struct{ name, hint string }{
	{"--", "type the same command on all hosts"},
	{"the order of flags", "type the same command on all hosts"},
	{"the verb", "type the same command on all hosts"},
	{"the tree at ", "mount the same directory there on all hosts; findmnt -T shows what is mounted"},
	{"the root of ", "mount the same directory there on all hosts; findmnt -T shows what is mounted"},
	{"the list of mounts below ", "mount the same directories there on all hosts"},
	{"what is copied of ", "type the same operands on all hosts"},
	{"the content of ", "copy the file to all hosts, or put it where all of them see it"},
	{"the version of psync", "install the same psync on all hosts"},
	{"the umask", "set the same umask on all hosts"},
	{"the time of --m", "set the same time zone on all hosts, or write the time with one: 2030-12-31T12:00:00Z"},
	{"CVSIGNORE", "set the environment variable alike on all hosts"},
	{"the user", "run psync as the same user, by number, on all hosts"},
	{"the group", "run psync with the same groups, by number, on all hosts"},
	{"the list of groups", "run psync with the same groups, by number, on all hosts"},
	{"the set of capabilities", "run psync with the same capabilities on all hosts; containers often lack some"},
}

// Hint returns what can be done about the error of a host that cannot join a job, or "".
func Hint(err error) string {
	differs, is := errors.AsType[*queue.DifferenceError](err)
	if !is {
		return ""
	}
	for _, row := range hints {
		if strings.HasPrefix(differs.Name, row.name) {
			return row.hint
		}
	}
	return ""
}

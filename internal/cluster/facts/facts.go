// Package facts finds out what must be the same for all hosts that share a job: the command, what its files hold, the program,
// the privilege, and the trees.
//
// Two hosts that differ in any of it would work against each other: the one removes what the other copies, or copies to an
// empty directory because a mount is missing.
package facts

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"psync/internal/cluster/scope"
	"psync/internal/queue"
	"psync/internal/vfs"
)

// A Process is what hosts compare of the processes that work on a job, apart from trees.
type Process struct {
	Host         string // its name
	Command      scope.Command
	Sums         []string // of Command.Files, in their order
	CVSIgnore    string   // the environment variable
	After        time.Time
	Before       time.Time // when files were modified that take part, by --max-age and --min-age; zero: at any time
	Version      string
	User         vfs.User
	Capabilities uint64
	Umask        fs.FileMode
}

// Facts returns the facts of a process, and those of its trees. The most telling come first.
func (p Process) Facts(trees queue.Facts) queue.Facts {
	facts := queue.Facts{{Name: queue.HostFact, Value: p.Host}}
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, queue.Fact{Name: name, Value: short(value)})
		}
	}
	add("the version of psync", withoutSystem(p.Version))
	add("the verb", p.Command.Verb)
	flags := p.Command.SharedFlags()
	facts = append(facts, flagFacts(flags)...)
	for i, name := range p.Command.Files {
		add("the content of "+name, p.Sums[i])
	}
	if slices.ContainsFunc(flags, mayReadCVSIgnore) {
		add("CVSIGNORE", p.CVSIgnore)
	}
	add("the time of --max-age", instant(p.After))
	add("the time of --min-age", instant(p.Before))
	facts = append(facts, trees...)
	add("the user", strconv.Itoa(p.User.UID))
	add("the group", strconv.Itoa(p.User.GID))
	groups := slices.Sorted(slices.Values(p.User.Groups))
	add("the list of groups", strings.Trim(fmt.Sprint(slices.Compact(groups)), "[]"))
	add("the set of capabilities", fmt.Sprintf("%#x", p.Capabilities))
	add("the umask", fmt.Sprintf("%04o", p.Umask))
	// Rules, and flags of metadata, count in their order. This differs after all that says more.
	add("the order of flags", sum(strings.Join(flags, "\x00")))
	return facts
}

// flagFacts returns a fact for each flag that was typed.
func flagFacts(flags []string) (facts queue.Facts) {
	values := make(map[string][]string)
	for _, flag := range flags {
		name, value, hasValue := strings.Cut(flag, "=")
		if values[name] == nil {
			facts = append(facts, queue.Fact{Name: name})
		}
		if !hasValue {
			value = queue.Given
		}
		values[name] = append(values[name], value)
	}
	for i, f := range facts {
		facts[i].Value = short(strings.Join(values[f.Name], " "))
	}
	return facts
}

func mayReadCVSIgnore(flag string) bool {
	return flag == "--cvs-exclude" || strings.HasPrefix(flag, "--filter=") && strings.Contains(flag, "C")
}

func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// withoutSystem cuts off what the program is built for: hosts may have different processors.
func withoutSystem(version string) string {
	if i := strings.LastIndexByte(version, ' '); i > 0 && strings.Contains(version[i:], "/") {
		return version[:i]
	}
	return version
}

const maxValue = 200

// short returns a text that can be printed and stays within the limits of a queue. Texts that differ still do.
func short(text string) string {
	if len(text) <= maxValue && strings.IndexFunc(text, func(r rune) bool { return !strconv.IsPrint(r) || r == '\uFFFD' }) < 0 {
		return text
	}
	return fmt.Sprintf("%.*q (%d bytes, checksum %s)", maxValue/4, text, len(text), sum(text))
}

func sum(text string) string { return fmt.Sprintf("%.6x", sha256.Sum256([]byte(text))) }

package bench

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// A peer is a tool that copies trees.
type peer struct {
	name  string
	keeps string   // "all": times, modes and owners; "times"; "no times"; "?"
	argv  []string // the command, with the places below
	probe probe
}

// The places of a command. The last two are the same path.
const (
	srcPlace = "{src}"
	dstPlace = "{dst}" // does not exist yet
	dirPlace = "{dir}" // an empty directory
)

// A probe tells a tool from another of the same name. The zero probe holds for all.
type probe struct {
	args []string
	want string // what the output of the tool contains
}

const (
	psyncName    = "psync"
	baselineName = "cp -r"
)

// knownPeers returns the tools that are measured where they are found on PATH.
func knownPeers() []peer {
	return []peer{
		// On the BSDs -r follows symbolic links; to GNU cp, -r and -R are one.
		{name: baselineName, keeps: "no times", argv: []string{"cp", "-R", srcPlace, dstPlace}},
		{name: "cp -a", keeps: "all", argv: []string{"cp", "-a", srcPlace, dstPlace}},
		{name: "rsync -a", keeps: "all", argv: []string{"rsync", "-a", srcPlace + "/", dstPlace}},
		{
			name: "rclone copy", keeps: "times",
			argv: []string{"rclone", "copy", "--quiet", "--links", "--create-empty-src-dirs", srcPlace, dstPlace},
		},
		{name: "fcp", keeps: "no times", argv: []string{"fcp", srcPlace, dstPlace}},
		{name: "xcp -r", keeps: "times", argv: []string{"xcp", "-r", srcPlace, dstPlace}},
		{
			name: "parsync copy", keeps: "times",
			argv: []string{"parsync", "copy", srcPlace, dstPlace},
			// Another parsync pulls from ssh hosts; it answers --help whatever the verb.
			probe: probe{args: []string{"copy", "--help"}, want: "parsync copy"},
		},
	}
}

// parsePeer reads the value of -peer, name=command.
func parsePeer(s string) (peer, error) {
	name, command, _ := strings.Cut(s, "=")
	p := peer{name: strings.TrimSpace(name), keeps: "?", argv: strings.Fields(command)}
	if i := slices.IndexFunc(knownPeers(), p.sameName); i >= 0 {
		p.keeps = knownPeers()[i].keeps
	}
	if p.name == "" || len(p.argv) == 0 {
		return peer{}, errors.New("want name=command")
	}
	if !p.mentions(srcPlace) || p.mentions(dstPlace) == p.mentions(dirPlace) {
		return peer{}, fmt.Errorf("the command needs %s, and %s or %s", srcPlace, dstPlace, dirPlace)
	}
	return p, nil
}

func (p peer) mentions(place string) bool {
	return slices.ContainsFunc(p.argv, func(arg string) bool { return strings.Contains(arg, place) })
}

// command returns the command that copies src to dst.
func (p peer) command(src, dst string) []string {
	fill := strings.NewReplacer(srcPlace, src, dstPlace, dst, dirPlace, dst)
	argv := make([]string, len(p.argv))
	for i, arg := range p.argv {
		argv[i] = fill.Replace(arg)
	}
	return argv
}

// find returns nil if p can be measured, else why not.
func (p peer) find(ctx context.Context) error {
	path, err := exec.LookPath(p.argv[0])
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("not on PATH")
	case err != nil:
		return err
	case p.probe.want == "":
		return nil
	}
	// Its exit code does not matter: some tools fail when asked for help.
	out, _ := exec.CommandContext(ctx, path, p.probe.args...).CombinedOutput()
	if !strings.Contains(string(out), p.probe.want) {
		return fmt.Errorf("%s is another tool", path)
	}
	return nil
}

// findPeers returns the tools to measure, and the known ones that are not there
// with the reason. A tool that was asked for by name must be there.
func findPeers(ctx context.Context, opt options) (found []peer, absent []string, err error) {
	asked := opt.peers
	if opt.psync != "" {
		p := peer{name: psyncName, keeps: "times", argv: []string{opt.psync, "copy", srcPlace, dstPlace}}
		asked = append([]peer{p}, asked...)
	}
	for _, p := range asked {
		if err := p.find(ctx); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p.name, err)
		}
		found = append(found, p)
	}
	for _, p := range knownPeers() {
		if slices.ContainsFunc(asked, p.sameName) {
			continue
		}
		if err := p.find(ctx); err != nil {
			absent = append(absent, fmt.Sprintf("%s (%v)", p.name, err))
			continue
		}
		found = append(found, p)
	}
	if len(opt.only) > 0 {
		found, err = namedOnly(found, opt.only)
		return found, nil, err
	}
	if len(found) == 0 {
		return nil, nil, errors.New("no tool found to measure")
	}
	return found, absent, nil
}

func (p peer) sameName(q peer) bool { return p.name == q.name }

// namedOnly returns the peers with these names.
func namedOnly(peers []peer, names []string) ([]peer, error) {
	var only []peer
	for _, name := range names {
		i := slices.IndexFunc(peers, func(p peer) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no tool named %q found", name)
		}
		only = append(only, peers[i])
	}
	return only, nil
}

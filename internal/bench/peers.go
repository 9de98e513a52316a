package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// A peer is a tool to measure.
type peer struct {
	name     string            // as -only names it
	workers  int               // of psync, as -threads wants them; 0: its own choice
	keeps    string            // "all": times, modes and owners; "times"; "no times"; "?"
	commands map[kind][]string // with the placeholders below
	probe    probe
	compiler string // compiles the program; empty: the program is on PATH
}

// The placeholders of a command. {dst} and {dir} are the same path.
const (
	srcPlace = "{src}"
	dstPlace = "{dst}" // for a copy, this does not exist yet
	dirPlace = "{dir}" // for a copy, this is an empty directory
	sshPlace = "{ssh}" // a configuration file of ssh
)

// A probe distinguishes a tool from others of the same name. The zero probe accepts all.
type probe struct {
	args []string
	want string // what the output must contain
}

// label returns the label of p in a table.
func (p peer) label() string {
	if p.workers > 0 {
		return fmt.Sprintf("%s -j %d", p.name, p.workers)
	}
	return p.name
}

func (p peer) sameName(q peer) bool { return p.name == q.name }

// command returns the command of p for k on a stage.
func (p peer) command(k kind, st *stage) []string {
	fill := strings.NewReplacer(srcPlace, st.src, dstPlace, st.dst, dirPlace, st.dst, sshPlace, st.ssh, limitPlace, st.limit)
	argv := slices.Clone(p.commands[k])
	for i, arg := range argv {
		argv[i] = fill.Replace(arg)
	}
	return argv
}

func mentions(argv []string, place string) bool {
	return slices.ContainsFunc(argv, func(arg string) bool { return strings.Contains(arg, place) })
}

// find returns an error if p cannot be measured.
func (p peer) find(ctx context.Context) error {
	for _, k := range slices.Sorted(maps.Keys(p.commands)) {
		path, err := exec.LookPath(cmp.Or(p.compiler, p.commands[k][0]))
		switch {
		case errors.Is(err, exec.ErrNotFound):
			return errors.New("not on PATH")
		case err != nil:
			return err
		case p.probe.want != "":
			return p.probe.ask(ctx, path) // a tool with a probe is one program
		}
	}
	return nil
}

// ask returns an error unless the program at path is the tool that p is for.
func (p probe) ask(ctx context.Context, path string) error {
	// The exit code does not matter: some tools fail when asked for help.
	out, _ := exec.CommandContext(ctx, path, p.args...).CombinedOutput()
	if !strings.Contains(string(out), p.want) {
		return fmt.Errorf("%s is another tool", path)
	}
	return nil
}

// parsePeer parses the value of -peer, name=command or name@kinds=command.
func parsePeer(s string) (peer, error) {
	name, command, _ := strings.Cut(s, "=")
	name, list, limited := strings.Cut(name, "@")
	p := peer{name: strings.TrimSpace(name), keeps: "?", commands: make(map[kind][]string)}
	argv := strings.Fields(command)
	if p.name == "" || len(argv) == 0 {
		return peer{}, errors.New("want name=command or name@kinds=command")
	}
	if i := slices.IndexFunc(knownPeers(), p.sameName); i >= 0 {
		p.keeps = knownPeers()[i].keeps
	}
	does := []kind{copying}
	if limited {
		var err error
		if does, err = parseKinds(list); err != nil {
			return peer{}, err
		}
	}
	for _, k := range does {
		if err := k.takes(argv); err != nil {
			return peer{}, err
		}
		p.commands[k] = argv
	}
	return p, nil
}

// addPeer adds p, or adds its commands to the peer of the same name.
func addPeer(peers []peer, p peer) []peer {
	if i := slices.IndexFunc(peers, p.sameName); i >= 0 {
		maps.Copy(peers[i].commands, p.commands)
		return peers
	}
	return append(peers, p)
}

// findPeers returns the tools to measure, and the missing known tools with reasons. It returns an error if a
// tool that was requested by name is missing.
func findPeers(ctx context.Context, opt options) (found []peer, absent []string, err error) {
	asked, known := append(psyncPeers(opt.psync, opt.threads), opt.peers...), knownPeers()
	switch {
	case opt.ssh:
		asked, known = append(sshPsyncPeers(opt.psync, opt.threads), opt.peers...), sshPeers()
	case len(opt.latencies) == 0:
		known = append(known, limitPeer())
	}
	for _, p := range asked {
		if err := p.find(ctx); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p.name, err)
		}
		found = append(found, p)
	}
	for _, p := range known {
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
		absent = nil
		if found, err = namedOnly(found, opt.only); err != nil {
			return nil, nil, err
		}
	}
	for _, k := range opt.kinds {
		if len(able(found, k)) == 0 {
			return nil, nil, fmt.Errorf("no tool found that can do %s", k)
		}
	}
	return found, absent, nil
}

// namedOnly returns the peers with these names.
func namedOnly(peers []peer, names []string) ([]peer, error) {
	var only []peer
	for _, name := range names {
		n := len(only)
		for _, p := range peers {
			if p.name == name {
				only = append(only, p)
			}
		}
		if len(only) == n {
			return nil, fmt.Errorf("no tool named %q found", name)
		}
	}
	return only, nil
}

// able returns the peers that can do k.
func able(peers []peer, k kind) []peer {
	var can []peer
	for _, p := range peers {
		if p.commands[k] != nil {
			can = append(can, p)
		}
	}
	return can
}

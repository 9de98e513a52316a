package cli

import (
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/metadata"
	"psync/internal/report"
)

const umask fs.FileMode = 0o027

// parseOn returns the flags of a verb as they are on a system after some arguments.
func parseOn(p *metadata.Profile, v verb, args ...string) (*copyFlags, error) {
	c, f := new(cobra.Command), &copyFlags{verb: v}
	f.profile = p
	f.add(c)
	err := c.ParseFlags(args)
	if err == nil {
		err = f.check(c.Flags())
	}
	return f, err
}

// parseCompare does the same for compare.
func parseCompare(p *metadata.Profile, args ...string) (*compareFlags, error) {
	f := new(compareFlags)
	f.profile = p
	c := new(app).compareCommandOf(f)
	err := c.ParseFlags(args)
	if err == nil {
		err = f.check(c)
	}
	return f, err
}

// What -a keeps where it is that of rsync, and what was implied by it alone.
var archived = metadata.Keep{Perms: true, Mtime: true, Owner: true, Group: true}

// with returns k after some changes.
func with(k metadata.Keep, changes ...func(*metadata.Keep)) metadata.Keep {
	for _, change := range changes {
		change(&k)
	}
	return k
}

func asked(a report.Attr) func(*metadata.Keep) { return func(k *metadata.Keep) { k.Asked = a } }

func modes(k *metadata.Keep) { k.Modes = true }

// askedACLs are asked for by name, and kept wherever they are.
func askedACLs(k *metadata.Keep) { k.ImpliedACLs = false }

func noXattrs(k *metadata.Keep) { k.Xattrs, k.NoXattrs = false, true }

func noPerms(k *metadata.Keep) { k.Perms, k.Modes, k.NoPerms, k.Umask = false, false, true, umask }

func TestKeepOfFlags(t *testing.T) {
	type keep = metadata.Keep
	times := keep{Mtime: true}
	synced := keep{Mtime: true, Modes: true}
	all := with(archived, func(k *keep) { k.ACLs, k.Xattrs, k.ImpliedACLs = true, true, true })
	mac := with(all, func(k *keep) { k.Btime, k.Flags = true, true })
	tests := []struct {
		verb verb
		args string
		want keep
	}{
		{bareVerb, "", keep{}},
		{bareVerb, "--sync", synced},
		{bareVerb, "--delete", keep{}},
		{copyVerb, "", times},
		{syncVerb, "", synced},

		{bareVerb, "--times", with(times, asked(report.Times))},
		{bareVerb, "--times --atimes", keep{Mtime: true, Atime: true, Asked: report.Times}},
		{bareVerb, "--owner --group", keep{Owner: true, Group: true, Asked: report.Owner | report.Group}},
		{bareVerb, "--owner=false --group=false", keep{}},
		{bareVerb, "-rltj8", with(times, asked(report.Times))},
		{bareVerb, "--no-times", keep{}},
		{copyVerb, "--no-times", keep{}},
		{copyVerb, "--no-t", keep{}},
		{copyVerb, "--times=false", keep{}},
		{copyVerb, "--no-times=false", with(times, asked(report.Times))},
		{copyVerb, "-t --no-times", keep{}},
		{copyVerb, "--no-times -t", with(times, asked(report.Times))},
		{copyVerb, "-tU --no-t", keep{Atime: true, Asked: report.Times}},
		{copyVerb, "-U --no-U", times},
		{syncVerb, "-U", with(synced, func(k *keep) { k.Atime = true }, asked(report.Times))},
		{syncVerb, "-og", with(synced, func(k *keep) { k.Owner, k.Group = true, true }, asked(report.Owner|report.Group))},
		{copyVerb, "-O", with(times, func(k *keep) { k.OmitDirTimes = true })},
		{copyVerb, "-OJ --no-O", with(times, func(k *keep) { k.OmitLinkTimes = true })},
		{copyVerb, "--fileflags", with(times, func(k *keep) { k.Flags = true }, asked(report.Flags))},
		{copyVerb, "--fileflags --no-fileflags", times},
		{copyVerb, "-H", with(times, asked(report.HardLinks))},
		{copyVerb, "-H --no-H", times},
		{copyVerb, "-D", with(times, asked(report.Devices|report.Specials))},
		{copyVerb, "--devices", with(times, asked(report.Devices))},
		{copyVerb, "-D --no-specials", with(times, asked(report.Devices))},
		{copyVerb, "--numeric-ids", times},
		{copyVerb, "--no-numeric-ids", times},

		{copyVerb, "-p", with(times, func(k *keep) { k.Perms = true }, asked(report.Mode))},
		{syncVerb, "-p", with(synced, func(k *keep) { k.Perms = true }, asked(report.Mode))},
		{bareVerb, "--no-perms", with(keep{}, noPerms)},
		{copyVerb, "--no-p", with(times, noPerms)},
		{syncVerb, "--no-perms", with(synced, noPerms)},
		{syncVerb, "--no-perms -p", with(synced, func(k *keep) { k.Perms = true }, asked(report.Mode))},
		{syncVerb, "-p --no-perms", with(synced, noPerms)},

		{bareVerb, "-a", archived},
		{copyVerb, "--archive", archived},
		{syncVerb, "-a", with(archived, modes)},
		{bareVerb, "-a --no-o", with(archived, func(k *keep) { k.Owner = false })},
		{bareVerb, "--no-o -a", archived},
		{bareVerb, "-a --no-owner --no-g --no-t --no-D", keep{Perms: true}},
		{bareVerb, "-a --no-p", with(archived, noPerms)},
		{bareVerb, "--no-p -a", archived},
		{bareVerb, "-ao", with(archived, asked(report.Owner))},
		{bareVerb, "-oa", with(archived, asked(report.Owner))},
		{bareVerb, "-o --no-o -a", archived},
		{bareVerb, "-a -o --no-o", with(archived, func(k *keep) { k.Owner = false })},
		{bareVerb, "-rlptgoD", with(archived, asked(report.Mode|report.Times|report.Group|report.Owner|report.Devices|report.Specials))},
		{bareVerb, "-a --archive=false", with(keep{}, noPerms)},

		{bareVerb, "-A", keep{Perms: true, ACLs: true, Asked: report.ACLs}},
		{bareVerb, "-A --no-p", with(keep{ACLs: true, Asked: report.ACLs}, noPerms)},
		{bareVerb, "--no-p -A", keep{Perms: true, ACLs: true, Asked: report.ACLs}},
		{bareVerb, "-A --no-A", keep{Perms: true}},
		{bareVerb, "-pA --no-A", keep{Perms: true, Asked: report.Mode}},
		{bareVerb, "-X", keep{Xattrs: true, Asked: report.Xattrs}},
		{bareVerb, "-aX", with(archived, func(k *keep) { k.Xattrs = true }, asked(report.Xattrs))},
		{bareVerb, "-aHAXS", with(all, askedACLs, asked(report.HardLinks|report.ACLs|report.Xattrs))},
		{bareVerb, "--archive-all", all},
		{bareVerb, "--archive-all -X", with(all, asked(report.Xattrs))},
		{bareVerb, "-X --archive-all", with(all, asked(report.Xattrs))},
		{bareVerb, "--archive-all --no-X", with(all, noXattrs)},
		{bareVerb, "-a --strict-rsync-a", archived},
		{bareVerb, "-N --no-N", keep{}},
	}
	for _, tt := range tests {
		check(t, metadata.Linux, "linux", tt.verb, tt.args, tt.want)
	}

	// Elsewhere times of birth can be set, and on macOS -a keeps more.
	born := func(k *keep) { k.Btime = true }
	for _, tt := range []struct {
		profile *metadata.Profile
		name    string
		args    string
		want    keep
	}{
		{metadata.FreeBSD, "freebsd", "-a", archived},
		{metadata.FreeBSD, "freebsd", "-N", keep{Btime: true, Asked: report.Btime}},
		{metadata.FreeBSD, "freebsd", "-aHAXSN", with(all, born, askedACLs, asked(report.HardLinks|report.ACLs|report.Xattrs|report.Btime))},
		{metadata.FreeBSD, "freebsd", "--archive-all", with(all, born)},
		{metadata.Darwin, "darwin", "-a", mac},
		{metadata.Darwin, "darwin", "--archive-all", mac},
		{metadata.Darwin, "darwin", "-aHAXSN", with(mac, askedACLs, asked(report.HardLinks|report.ACLs|report.Xattrs|report.Btime))},
		{metadata.Darwin, "darwin", "-a --strict-rsync-a", archived},
		{metadata.Darwin, "darwin", "--strict-rsync-a -a", archived},
		{metadata.Darwin, "darwin", "--strict-rsync-a -aX", with(archived, func(k *keep) { k.Xattrs = true }, asked(report.Xattrs))},
		{metadata.Darwin, "darwin", "--strict-rsync-a --archive-all", with(all, born)},
		{metadata.Darwin, "darwin", "-a --no-X --no-fileflags", with(mac, noXattrs, func(k *keep) { k.Flags = false })},
		{metadata.Darwin, "darwin", "-a --no-A --no-N", with(mac, func(k *keep) { k.ACLs, k.ImpliedACLs, k.Btime = false, false, false })},
		{metadata.Darwin, "darwin", "--no-X -a", mac},
		{metadata.Darwin, "darwin", "-X --archive=false", with(keep{}, noPerms, noXattrs)},
	} {
		check(t, tt.profile, tt.name, bareVerb, tt.args, tt.want)
	}
}

// TestForksAreKept is about what verbs keep without being told to: on macOS resource forks and
// Finder info, which are extended attributes.
func TestForksAreKept(t *testing.T) {
	times, forks := metadata.Keep{Mtime: true}, metadata.Keep{Mtime: true, Xattrs: true}
	for _, tt := range []struct {
		verb verb
		args string
		want metadata.Keep
	}{
		{bareVerb, "", metadata.Keep{}},
		{bareVerb, "--sync", with(times, modes)},
		{copyVerb, "", forks},
		{syncVerb, "", with(forks, modes)},
		{copyVerb, "-X", with(forks, asked(report.Xattrs))},
		{copyVerb, "--no-X", with(times, noXattrs)},
		{syncVerb, "--no-xattrs", with(times, modes, noXattrs)},
		{copyVerb, "--no-t", metadata.Keep{Xattrs: true}},
		{copyVerb, "--strict-rsync-a", times},
		{copyVerb, "-a --strict-rsync-a", archived},
		{copyVerb, "-a --strict-rsync-a -X", with(archived, func(k *metadata.Keep) { k.Xattrs = true }, asked(report.Xattrs))},
	} {
		check(t, metadata.Darwin, "darwin", tt.verb, tt.args, tt.want)
	}
	for args, want := range map[string]metadata.Keep{
		"":                 with(forks, modes),
		"--size-only":      {Modes: true, Xattrs: true},
		"--no-X":           with(times, modes, noXattrs),
		"--strict-rsync-a": with(times, modes),
	} {
		f, err := parseCompare(metadata.Darwin, strings.Fields(args)...)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.options(1, false).Keep; !reflect.DeepEqual(got, want) {
			t.Errorf("compare %s:\nkeep %+v\nwant %+v", args, got, want)
		}
	}
}

func check(t *testing.T, p *metadata.Profile, system string, v verb, args string, want metadata.Keep) {
	t.Helper()
	t.Run(fmt.Sprintf("%s %d %s", system, v, args), func(t *testing.T) {
		t.Helper()
		f, err := parseOn(p, v, strings.Fields(args)...)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.keep(f.sync, umask); !reflect.DeepEqual(got, want) {
			t.Errorf("\nkeep %+v\nwant %+v", got, want)
		}
	})
}

func TestHardLinksAndHolesOfFlags(t *testing.T) {
	tests := []struct {
		args             string
		hardLinks, holes bool
	}{
		{"", false, false},
		{"-a", false, false},
		{"-H", true, false},
		{"--hard-links --no-H", false, false},
		{"-S", false, true},
		{"--sparse --no-S", false, false},
		{"--no-sparse -S", false, true},
		{"-aHAXS", true, true},
		{"--archive-all", true, true},
		{"--archive-all --no-hard-links", false, true},
		{"--archive-all --archive=false", true, true},
	}
	for _, tt := range tests {
		f, err := parse(copyVerb, strings.Fields(tt.args)...)
		if err != nil || f.hardLinks() != tt.hardLinks || f.sparse() != tt.holes {
			t.Errorf("%q: hard links %v, sparse %v, %v; want %v, %v", tt.args, f.hardLinks(), f.sparse(), err, tt.hardLinks, tt.holes)
		}
	}
}

func TestTimesOfBirthThatCannotBeSet(t *testing.T) {
	for _, args := range []string{"-N", "--crtimes", "-aHAXSN", "--archive-all -N", "--no-N -N"} {
		_, err := parseOn(metadata.Linux, copyVerb, strings.Fields(args)...)
		if err == nil || !strings.Contains(err.Error(), "--crtimes: this system cannot set times of birth") {
			t.Errorf("%s: error %v", args, err)
		}
		if _, err := parseCompare(metadata.Linux, strings.Fields(strings.ReplaceAll(args, "S", ""))...); err == nil {
			t.Errorf("compare %s: no error", args)
		}
	}
}

func TestComparedMetadata(t *testing.T) {
	type keep = metadata.Keep
	plain := keep{Modes: true, Mtime: true}
	tests := []struct {
		args      string
		want      keep
		hardLinks bool
		sizeOnly  bool
		specials  bool
	}{
		{"", plain, false, false, false},
		{"--no-times", keep{Modes: true}, false, true, false},
		{"--no-t -c", keep{Modes: true}, false, false, false},
		{"--size-only", keep{Modes: true}, false, true, false},
		{"--size-only -t", with(plain, asked(report.Times)), false, true, false},
		{"--no-perms", with(plain, func(k *keep) { k.Modes, k.NoPerms = false, true }), false, false, false},
		{"-og", with(plain, func(k *keep) { k.Owner, k.Group = true, true }, asked(report.Owner|report.Group)), false, false, false},
		{"-p", with(plain, func(k *keep) { k.Perms = true }, asked(report.Mode)), false, false, false},
		{"-a", with(archived, modes), false, false, true},
		{"-a --no-D", with(archived, modes), false, false, false},
		{"-aHAX", with(archived, modes, func(k *keep) { k.ACLs, k.Xattrs = true, true }, asked(report.HardLinks|report.ACLs|report.Xattrs)), true, false, true},
		{"-O", with(plain, func(k *keep) { k.OmitDirTimes = true }), false, false, false},
		{"-U --fileflags", with(plain, func(k *keep) { k.Atime, k.Flags = true, true }, asked(report.Times|report.Flags)), false, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			f, err := parseCompare(metadata.Linux, strings.Fields(tt.args)...)
			if err != nil {
				t.Fatal(err)
			}
			o := f.options(1, false)
			if !reflect.DeepEqual(o.Keep, tt.want) {
				t.Errorf("\nkeep %+v\nwant %+v", o.Keep, tt.want)
			}
			if o.HardLinks != tt.hardLinks || o.Policy.SizeOnly != tt.sizeOnly || o.Policy.Devices != tt.specials || o.Policy.Specials != tt.specials {
				t.Errorf("hard links %v, policy %+v", o.HardLinks, o.Policy)
			}
		})
	}
	for _, args := range []string{"-S", "--chmod=go-w", "--chown=0", "--numeric-ids"} {
		if _, err := parseCompare(metadata.Linux, args); err == nil || !strings.Contains(err.Error(), "unknown") {
			t.Errorf("compare %s: error %v", args, err)
		}
	}
}

// TestEveryShortNegation says which long flag each letter behind --no- stands for.
func TestEveryShortNegation(t *testing.T) {
	c, f := new(cobra.Command), &copyFlags{verb: syncVerb}
	f.add(c)
	for letters, long := range map[string]string{
		"p": "perms", "t": "times", "U": "atimes", "N": "crtimes", "o": "owner", "g": "group", "H": "hard-links",
		"A": "acls", "X": "xattrs", "S": "sparse", "O": "omit-dir-times", "J": "omit-link-times", "D": "D",
		"r": "recursive", "l": "links",
	} {
		if flag := c.Flags().Lookup("no-" + letters); flag == nil || flag.Name != "no-"+long {
			t.Errorf("--no-%s is %+v, want --no-%s", letters, flag, long)
		}
		if flag := c.Flags().ShorthandLookup(letters); flag == nil || flag.Name != long {
			t.Errorf("-%s is %+v, want --%s", letters, flag, long)
		}
	}
	for _, args := range []string{"--no-a", "--no-archive", "--no-v", "--no-j", "--no-chown"} {
		if c.Flags().Lookup(strings.TrimPrefix(args, "--")) != nil {
			t.Errorf("%s exists", args)
		}
	}
}

// TestNoFlagIsListedWithoutUsage looks for lines of --help that say nothing.
func TestNoFlagIsListedWithoutUsage(t *testing.T) {
	c, f := new(cobra.Command), &copyFlags{verb: copyVerb}
	f.add(c)
	for _, flags := range []*pflag.FlagSet{c.Flags(), new(app).compareCommand().Flags()} {
		flags.VisitAll(func(flag *pflag.Flag) {
			if flag.Usage == "" && !flag.Hidden {
				t.Errorf("--%s has no usage", flag.Name)
			}
		})
	}
}

func TestChmodOfFlags(t *testing.T) {
	f, err := parse(copyVerb, "--chmod=F600,go-w", "--chmod", "+x")
	if err != nil {
		t.Fatal(err)
	}
	var want metadata.Chmod
	for _, spec := range []string{"F600,go-w", "+x"} {
		c, err := metadata.ParseChmod(spec, umask)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, c...)
	}
	k := f.keep(false, umask)
	if !reflect.DeepEqual(k.Chmod, want) || k.Asked != report.Mode {
		t.Errorf("chmod %v, asked %b; want %v, mode", k.Chmod, k.Asked, want)
	}
	if _, err := parse(copyVerb, "--chmod="); err == nil {
		t.Error("an empty --chmod is no error")
	}
}

func TestDataless(t *testing.T) {
	for args, want := range map[string]bool{"": false, "--dataless=skip": false, "--dataless=fetch": true, "--dataless fetch --dataless skip": false} {
		f, err := parse(copyVerb, strings.Fields(args)...)
		if err != nil || bool(f.dataless) != want {
			t.Errorf("%q: fetch %v, %v", args, f.dataless, err)
		}
	}
}

package flags

import (
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/localfs"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/report"
	"psync/internal/vfs"
)

const umask fs.FileMode = 0o027

// parseOn returns the options of a verb on a system after parsing args.
func parseOn(p *metadata.Profile, v Verbs, args ...string) (*Options, error) {
	c := new(cobra.Command)
	o := Define(c, v)
	o.keep.profile = p
	err := c.ParseFlags(args)
	if err == nil {
		err = o.Complete(c.Flags(), nil)
	}
	if err == nil {
		here := operand.Host{Host: localfs.Host{}}
		err = o.FindAccounts(&o.Engine.Keep, operand.Hosts{Source: here, Dest: here})
	}
	return o, err
}

// kept returns the attributes that options keep, for a user with a umask, regardless of what DST cannot keep.
func kept(o *Options) metadata.Keep {
	o.Engine.User = vfs.User{UID: 1}
	k := o.Bind(o.Engine, false, umask).Keep
	k.Asked &^= report.Symlinks
	return k
}

// archived is what -a keeps where it equals rsync's -a, including what only -a implies.
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
		verb Verbs
		args string
		want keep
	}{
		{Bare, "", keep{}},
		{Bare, "--sync", synced},
		{Bare, "--delete", keep{}},
		{Copy, "", times},
		{Sync, "", synced},

		{Bare, "--times", with(times, asked(report.Times))},
		{Bare, "--times --atimes", keep{Mtime: true, Atime: true, Asked: report.Times}},
		{Bare, "--owner --group", keep{Owner: true, Group: true, Asked: report.Owner | report.Group}},
		{Bare, "--owner=false --group=false", keep{}},
		{Bare, "-rltj8", with(times, asked(report.Times))},
		{Bare, "--no-times", keep{}},
		{Copy, "--no-times", keep{}},
		{Copy, "--no-t", keep{}},
		{Copy, "--times=false", keep{}},
		{Copy, "--no-times=false", with(times, asked(report.Times))},
		{Copy, "-t --no-times", keep{}},
		{Copy, "--no-times -t", with(times, asked(report.Times))},
		{Copy, "-tU --no-t", keep{Atime: true, Asked: report.Times}},
		{Copy, "-U --no-U", times},
		{Sync, "-U", with(synced, func(k *keep) { k.Atime = true }, asked(report.Times))},
		{Sync, "-og", with(synced, func(k *keep) { k.Owner, k.Group = true, true }, asked(report.Owner|report.Group))},
		{Copy, "-O", with(times, func(k *keep) { k.OmitDirTimes = true })},
		{Copy, "-OJ --no-O", with(times, func(k *keep) { k.OmitLinkTimes = true })},
		{Copy, "--fileflags", with(times, func(k *keep) { k.Flags = true }, asked(report.Flags))},
		{Copy, "--fileflags --no-fileflags", times},
		{Copy, "-H", with(times, asked(report.HardLinks))},
		{Copy, "-H --no-H", times},
		{Copy, "-D", with(times, asked(report.Devices|report.Specials))},
		{Copy, "--devices", with(times, asked(report.Devices))},
		{Copy, "-D --no-specials", with(times, asked(report.Devices))},
		{Copy, "--numeric-ids", times},
		{Copy, "--no-numeric-ids", times},

		{Copy, "-p", with(times, func(k *keep) { k.Perms = true }, asked(report.Mode))},
		{Sync, "-p", with(synced, func(k *keep) { k.Perms = true }, asked(report.Mode))},
		{Bare, "--no-perms", with(keep{}, noPerms)},
		{Copy, "--no-p", with(times, noPerms)},
		{Sync, "--no-perms", with(synced, noPerms)},
		{Sync, "--no-perms -p", with(synced, func(k *keep) { k.Perms = true }, asked(report.Mode))},
		{Sync, "-p --no-perms", with(synced, noPerms)},

		{Bare, "-a", archived},
		{Copy, "--archive", archived},
		{Sync, "-a", with(archived, modes)},
		{Bare, "-a --no-o", with(archived, func(k *keep) { k.Owner = false })},
		{Bare, "--no-o -a", archived},
		{Bare, "-a --no-owner --no-g --no-t --no-D", keep{Perms: true}},
		{Bare, "-a --no-p", with(archived, noPerms)},
		{Bare, "--no-p -a", archived},
		{Bare, "-ao", with(archived, asked(report.Owner))},
		{Bare, "-oa", with(archived, asked(report.Owner))},
		{Bare, "-o --no-o -a", archived},
		{Bare, "-a -o --no-o", with(archived, func(k *keep) { k.Owner = false })},
		{Bare, "-rlptgoD", with(archived, asked(report.Mode|report.Times|report.Group|report.Owner|report.Devices|report.Specials))},
		{Bare, "-a --archive=false", with(keep{}, noPerms)},
		{Copy, "--metadata", with(archived, func(k *keep) { k.Xattrs = true })},
		{Copy, "--metadata=false", times},
		{Sync, "--metadata --metadata=false", synced},
		{Copy, "-a --metadata=false", archived},

		{Bare, "-A", keep{Perms: true, ACLs: true, Asked: report.ACLs}},
		{Bare, "-A --no-p", with(keep{ACLs: true, Asked: report.ACLs}, noPerms)},
		{Bare, "--no-p -A", keep{Perms: true, ACLs: true, Asked: report.ACLs}},
		{Bare, "-A --no-A", keep{Perms: true}},
		{Bare, "-pA --no-A", keep{Perms: true, Asked: report.Mode}},
		{Bare, "-X", keep{Xattrs: true, Asked: report.Xattrs}},
		{Bare, "-aX", with(archived, func(k *keep) { k.Xattrs = true }, asked(report.Xattrs))},
		{Bare, "-aHAXS", with(all, askedACLs, asked(report.HardLinks|report.ACLs|report.Xattrs))},
		{Bare, "--archive-all", all},
		{Bare, "--archive-all -X", with(all, asked(report.Xattrs))},
		{Bare, "-X --archive-all", with(all, asked(report.Xattrs))},
		{Bare, "--archive-all --no-X", with(all, noXattrs)},
		{Bare, "-a --strict-rsync-a", archived},
		{Bare, "-N --no-N", keep{}},
	}
	for _, tt := range tests {
		check(t, metadata.Linux, "linux", tt.verb, tt.args, tt.want)
	}

	// Elsewhere creation times can be set, and on macOS -a keeps more.
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
		check(t, tt.profile, tt.name, Bare, tt.args, tt.want)
	}
}

// TestForksAreKept checks what verbs keep without any flag: on macOS, resource forks and Finder info, which are
// extended attributes.
func TestForksAreKept(t *testing.T) {
	times, forks := metadata.Keep{Mtime: true}, metadata.Keep{Mtime: true, Xattrs: true}
	for _, tt := range []struct {
		verb Verbs
		args string
		want metadata.Keep
	}{
		{Bare, "", metadata.Keep{}},
		{Bare, "--sync", with(times, modes)},
		{Copy, "", forks},
		{Sync, "", with(forks, modes)},
		{Copy, "-X", with(forks, asked(report.Xattrs))},
		{Copy, "--no-X", with(times, noXattrs)},
		{Sync, "--no-xattrs", with(times, modes, noXattrs)},
		{Copy, "--no-t", metadata.Keep{Xattrs: true}},
		{Copy, "--strict-rsync-a", times},
		{Copy, "-a --strict-rsync-a", archived},
		{Copy, "-a --strict-rsync-a -X", with(archived, func(k *metadata.Keep) { k.Xattrs = true }, asked(report.Xattrs))},
	} {
		check(t, metadata.Darwin, "darwin", tt.verb, tt.args, tt.want)
	}
	for args, want := range map[string]metadata.Keep{
		"":                 with(forks, modes),
		"--size-only":      {Modes: true, Xattrs: true},
		"--no-X":           with(times, modes, noXattrs),
		"--strict-rsync-a": with(times, modes),
	} {
		f, err := parseOn(metadata.Darwin, Compare, strings.Fields(args)...)
		if err != nil {
			t.Fatal(err)
		}
		if got := kept(f); !reflect.DeepEqual(got, want) {
			t.Errorf("compare %s:\nkeep %+v\nwant %+v", args, got, want)
		}
	}
}

func check(t *testing.T, p *metadata.Profile, system string, v Verbs, args string, want metadata.Keep) {
	t.Helper()
	t.Run(fmt.Sprintf("%s %d %s", system, v, args), func(t *testing.T) {
		t.Helper()
		f, err := parseOn(p, v, strings.Fields(args)...)
		if err != nil {
			t.Fatal(err)
		}
		if got := kept(f); !reflect.DeepEqual(got, want) {
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
		f, err := parse(Copy, strings.Fields(tt.args)...)
		if err != nil || f.Engine.HardLinks != tt.hardLinks || f.Engine.Content.Sparse != tt.holes {
			t.Errorf("%q: hard links %v, sparse %v, %v; want %v, %v", tt.args, f.Engine.HardLinks, f.Engine.Content.Sparse, err, tt.hardLinks, tt.holes)
		}
	}
}

func TestCreationTimesThatCannotBeSet(t *testing.T) {
	for _, args := range []string{"-N", "--crtimes", "-aHAXSN", "--archive-all -N", "--no-N -N"} {
		_, err := parseOn(metadata.Linux, Copy, strings.Fields(args)...)
		if err == nil || !strings.Contains(err.Error(), "--crtimes: this system cannot set creation times") {
			t.Errorf("%s: error %v", args, err)
		}
		if _, err := parseOn(metadata.Linux, Compare, strings.Fields(strings.ReplaceAll(args, "S", ""))...); err == nil {
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
			f, err := parseOn(metadata.Linux, Compare, strings.Fields(tt.args)...)
			if err != nil {
				t.Fatal(err)
			}
			o := f.Bind(f.Engine, false, 0)
			if !reflect.DeepEqual(o.Keep, tt.want) {
				t.Errorf("\nkeep %+v\nwant %+v", o.Keep, tt.want)
			}
			if o.HardLinks != tt.hardLinks || o.Policy.SizeOnly != tt.sizeOnly || o.Policy.Devices != tt.specials || o.Policy.Specials != tt.specials {
				t.Errorf("hard links %v, policy %+v", o.HardLinks, o.Policy)
			}
		})
	}
	for _, args := range []string{"-S", "--chmod=go-w", "--chown=0"} {
		if _, err := parseOn(metadata.Linux, Compare, args); err == nil || !strings.Contains(err.Error(), "unknown") {
			t.Errorf("compare %s: error %v", args, err)
		}
	}
}

// TestEveryShortNegation lists the long flag that each letter after --no- stands for.
func TestEveryShortNegation(t *testing.T) {
	c := new(cobra.Command)
	Define(c, Sync)
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

// TestNoFlagIsListedWithoutUsage looks for lines of --help without a description.
func TestNoFlagIsListedWithoutUsage(t *testing.T) {
	for _, v := range []Verbs{Bare, Copy, Sync, Compare, Delete} {
		c := new(cobra.Command)
		Define(c, v)
		c.Flags().VisitAll(func(flag *pflag.Flag) {
			if _, help := pflag.UnquoteUsage(flag); help == "" && !flag.Hidden {
				t.Errorf("--%s has no help", flag.Name)
			}
		})
	}
}

func TestChmodOfFlags(t *testing.T) {
	f, err := parse(Copy, "--chmod=F600,go-w", "--chmod", "+x")
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
	k := kept(f)
	if !reflect.DeepEqual(k.Chmod, want) || k.Asked != report.Mode {
		t.Errorf("chmod %v, asked %b; want %v, mode", k.Chmod, k.Asked, want)
	}
	if _, err := parse(Copy, "--chmod="); err == nil {
		t.Error("an empty --chmod is no error")
	}
}

func TestDataless(t *testing.T) {
	for args, want := range map[string]bool{"": false, "--dataless=skip": false, "--dataless=fetch": true, "--dataless fetch --dataless skip": false} {
		f, err := parse(Copy, strings.Fields(args)...)
		if err != nil || f.Engine.FetchDataless != want {
			t.Errorf("%q: fetch %v, %v", args, f.Engine.FetchDataless, err)
		}
	}
}

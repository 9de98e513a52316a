package main

import (
	"os"
	"path/filepath"
	"strings"
)

var cpSpecials = []cpGroup{
	{
		name: "special files",
		tree: `
			fifo 640 @2001-01-01T00:00:00Z (fifo)
			socket 4755 @2001-01-01T00:00:00Z (socket)
			f 644 one
			s/fifo 600 (fifo)
			s/socket 600 (socket)
			s/l -> fifo
			s/f 644 text
			t/s/fifo 644 old
			t/s/socket/
			t/s/l 644 old
			e/
			o 600 (socket)`,
		each: [][]string{
			{"-r", "-R", "-a", "-rp", "-rd", "-rl", "-l", "-s", "-rv", "-rn", "-ru", "-rf", "-rb", "-r --remove-destination", "umask=077 -r", "umask=0 -rp", "-ri <y,y,y", "user -r", "user -a", "-al", "-rH"},
			{"fifo new", "socket new", "fifo e", "s new", "s t", "fifo o", "fifo f", "socket fifo", "s/l new", "fifo socket f e"},
		},
	}, {
		name: "special files that are opened",
		tree: `
			f 644 one
			socket 755 (socket)
			l -> socket
			e/socket 644 old`,
		each: [][]string{
			{"", "-p", "-f", "-v", "--copy-contents", "-r --copy-contents", "--attributes-only", "-b", "-n", "-u"},
			{"socket new", "socket e", "l new", "f socket", "f l", "socket f"},
		},
	}, {
		name:  "devices",
		needs: "device",
		tree: `
			null 640 @2001-01-01T00:00:00Z (char 0x103)
			zero 600 (char 0x103)
			disk 600 (block 0x801)
			l -> null
			f 644 one
			s/null 600 (char 0x103)
			s/f 644 text
			t/s/null 644 old
			e/`,
		each: [][]string{
			{"", "-r", "-R", "-a", "-rp", "-rd", "-rl", "-p", "-d", "-v", "-u", "-rf", "-r --remove-destination", "-b", "-n", "-r --copy-contents", "-a --copy-contents", "umask=077 -r", "user -r", "user -a", "-f", "--attributes-only", "--sparse=always", "--reflink=always"},
			{"null new", "null e", "f null", "null f", "l new", "f l", "s new", "s t", "null zero", "null l e"},
		},
	}, {
		name: "devices of the system",
		tree: `
			f 644 one
			e/`,
		lines: []string{
			"/dev/null new", "/dev/null f", "/dev/null e", "-p /dev/null new", "--sparse=always /dev/null new", "--attributes-only /dev/null f", "user f /dev/null", "user -v f /dev/null", "user -n f /dev/null", "user -r /dev/null new", "user -r f /dev/null", "user f f /dev/null", "-i f /dev/null <n", "/dev/stdin new <text", "-v /dev/stdin e <text,lines",
			"f /dev/stdout", "-v f /dev/stdout", "--copy-contents -r /dev/stdin new <text", "/dev/stdin f e <text", "-r /dev/stdin new <text", "-rL /dev/stdin new <text", "f /dev/stderr",
		},
	}, {
		name: "holes",
		tree: `
			plain 644 "data"*30000
			empty 644`,
		more: plantHoles,
		each: [][]string{
			{"", "--sparse=auto", "--sparse=always", "--sparse=never", "--reflink=auto", "--reflink=never", "--reflink", "--reflink=always", "--sparse=always --reflink=auto", "--sparse=never --reflink=never", "--sparse=always --reflink=never", "-p", "-a"},
			{"holes new", "zeros new", "end new", "mixed new", "plain new", "empty new", "only new", "-r . d/new", "holes plain", "zeros mixed", "plain holes", "-r s t", "--attributes-only zeros new", "holes zeros d"},
		},
	}, {
		name: "attributes only",
		tree: `
			f 4750 @2001-01-01T00:00:00Z @user.x=1 one
			g 600 two
			g2 (= g)
			ro 444 three
			secret 000 four
			l -> f
			l2 -> g
			d/ 700 @2001-01-01T00:00:00Z
			d/f 640 new
			d/l -> f
			d/p 600 (fifo)
			o/d/f 600 old
			o/d/l -> nowhere`,
		each: [][]string{
			{"", "user"},
			{"--attributes-only", "--attributes-only -p", "--attributes-only -a", "--attributes-only -b", "--attributes-only -f", "--attributes-only --remove-destination", "--attributes-only -n", "--attributes-only -d", "--attributes-only -l", "--attributes-only -s", "--attributes-only --reflink=always", "--attributes-only -v", "--attributes-only --preserve=xattr", "--attributes-only --preserve=links"},
			{"f new", "f g", "f ro", "secret new", "f secret", "l l2", "-r d new", "-r d o", "f g2", "-P l g", "f l2"},
		},
	},
}

// plantHoles makes files with holes, with zeros, and with both.
func plantHoles(dir string) error {
	write := func(name string, size int64, zeros bool, offsets ...int64) error {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer f.Close()
		if err := f.Truncate(size); err != nil {
			return err
		}
		if zeros {
			if _, err := f.Write(make([]byte, size)); err != nil {
				return err
			}
		}
		for _, off := range offsets {
			if _, err := f.WriteAt([]byte("data"), off); err != nil {
				return err
			}
		}
		return nil
	}
	for _, sub := range []string{"s", "t", "t/s", "d"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name    string
		size    int64
		zeros   bool
		offsets []int64
	}{
		{"holes", 1 << 20, false, []int64{0, 512 << 10}},
		{"zeros", 256 << 10, true, nil},
		{"mixed", 256 << 10, true, []int64{100 << 10}},
		{"end", 1 << 20, false, []int64{1<<20 - 4}},
		{"only", 300_001, false, nil},
		{"s/holes", 1 << 20, false, []int64{256 << 10}},
		{"s/zeros", 200_000, true, nil},
		{"t/s/holes", 1 << 19, true, nil},
		{"t/s/zeros", 1 << 19, false, nil},
	} {
		if err := write(f.name, f.size, f.zeros, f.offsets...); err != nil {
			return err
		}
	}
	return nil
}

var cpUsage = []cpGroup{
	{
		name: "options alone",
		tree: `
			f 640 @2001-02-03T04:05:06.7Z @user.a=b one
			g 600 two
			d/ 750
			d/a 644 three
			d/l -> a
			d/h (= d/a)
			d/sub/b 755 four
			e/d/a 600 old
			l -> f`,
		each: [][]string{
			{
				"-a", "--archive", "--attributes-only", "--backup", "-b", "--copy-contents", "-d", "-f", "--force", "-i <", "--interactive <y", "-H", "-l", "--link", "-L", "--dereference", "-n", "--no-clobber", "-P", "--no-dereference", "-p", "--preserve", "--no-preserve=mode", "--parents", "-R", "-r",
				"--recursive", "--reflink=auto", "--remove-destination", "--sparse=auto", "--strip-trailing-slashes", "-s", "--symbolic-link", "-S .old", "--suffix=.old", "-T", "--no-target-directory", "-u", "--update", "-v", "--verbose", "-x", "--one-file-system", "-Z", "--context", "--context=ctx", "--context=", "-ax", "-rx",
			},
			{"f new", "f g", "f e", "d new", "d e", "-r d new", "-r d e", "-rv d e", "l e", "f l", "d/ d/a e"},
		},
	}, {
		name: "bad usage",
		tree: `
			f 644 one
			g 644 two
			d/a 644 three
			-r 644 four`,
		lines: []string{
			"", "f", "-r", "-r f", "-t d", "-T f", "--", "-- f", "-", "- f", "f -",
			"-y f g", "-ry f g", "-rvy f g", "-yr f g", "--foo f g", "--foo=3 f g", "-rfoo f g", "-é f g", "-\xff f g", "-= f g", "-1 f g", "-W f g", "-A f g", "-h", "-V", "f g -y", "f -y g --foo",
			"--recursive=3 f g", "--force= f g", "--archive=x f g", "--ve=x f g", "--update=x=y f g", "--sparse", "f g --sparse", "-t", "f -t", "f -rt", "-S", "f g -S", "--suffix", "--target-directory", "--no-preserve", "f g --no-preserve",
			"--no f g", "--no- f g", "--no-p f g", "--no-pr=mode f g", "--no-t f g", "--no-c f g", "--no-d f g", "--re f g", "--rec f g", "--ref f g", "--rem f g", "--s f g", "--sp=auto f g", "--str f g", "--su=x f g", "--sy f g", "--st f g", "--p f g", "--pa f g", "--par f g", "--pr f g", "--pre=mode f g",
			"--a f g", "--ar f g", "--at f g", "--b f g", "--c f g", "--co f g", "--con f g", "--cop f g", "--copy f g", "--d f g", "--de f g", "--f f g", "--i f g <y", "--l f g", "--li f g", "--o f g", "--t=d f", "--u f g", "--v f g", "--ver f g", "--verb f g", "--x f g", "--n f g", "--r f g", "--h=x", "--version=x", "--A f g", "--ARCHIVE f g",
			"--sparse=x f g", "--sparse= f g", "--sparse=a f g", "--sparse=al f g", "--sparse=n f g", "--sparse=NEVER f g", "--sparse=never, f g", "--reflink=x f g", "--reflink= f g", "--reflink=a f g", "--reflink=al f g", "--reflink=n f g", "--reflink=\"two words\" f g", "--backup=x f g", "--preserve=\"two\\nlines\" f g", "--sparse=it's f g", "--sparse=é f g",
			"LC_ALL=C.UTF-8 --sparse=x f g", "LC_ALL=C.UTF-8 --preserve=x f g", "LC_ALL=C.UTF-8 --backup=x f g", "LC_ALL=C.UTF-8 --backup=n f g", "LC_ALL=C.UTF-8 -y f g", "LC_ALL=C.UTF-8 --foo f g", "LC_ALL=C.UTF-8 -é f g", "LC_ALL=C.UTF-8 --no f g", "LC_ALL=C.UTF-8 --sparse=é f g", "LC_ALL=C.UTF-8 --sparse=\"it's\" f g", "LC_ALL=C.UTF-8 --sparse", "LC_ALL=C.UTF-8 VERSION_CONTROL=x -b f g",
			"-ls f g", "--link --symbolic-link f g", "-bn f g", "-nb f g", "--backup=none -n f g", "-n -S x f g", "--reflink --sparse=always f g", "--reflink --sparse=never f g", "--reflink=always --sparse=auto f new", "--sparse=never --reflink f g", "--reflink=never --sparse=always f new", "-lsn -b f g", "-t d -T f", "-t d -t d f", "-t nothing -t d", "-T f g d", "--parents f g",
			"f d -r", "f -v d", "-v -- -r d", "-- -v f d", "-- -r d", "./-r d", "f new --", "-- f new -v", "POSIXLY_CORRECT=1 f d -v", "POSIXLY_CORRECT=1 -v f d", "POSIXLY_CORRECT=1 f -v d", "POSIXLY_CORRECT= f -v d", "POSIXLY_CORRECT=1 f new -y", "-vtd f", "-vtd -- -r", "-rvft d f", "-fS.o f g", "-vS .o f g", "-fb f g -S .o",
			"-a -y", "-y --help", "--foo --version", "-t d -y f", "--sparse=x -y", "-y --sparse=x", "--preserve=context f new", "-Z --preserve=context f new", "--context=x --preserve=context f new", "--context=x -a f new", "-aZ f new",
		},
	}, {
		name: "names",
		tree: `
			"a b" 644 1
			"it's" 644 2
			"two\nlines" 644 3
			"é" 644 4
			"\xff\xfe" 644 5
			"-x" 644 6
			"tab\t" 644 7
			"\"dq\"" 644 8
			"$x" 644 9
			"\\" 644 10
			"*" 644 11
			"~" 644 12
			"#" 644 13
			"=" 644 14
			"'\"" 644 15
			"\x7f" 644 16
			"\u200b" 644 17
			"\u00a0" 644 18
			"日本" 644 19
			"a\u0301" 644 20
			"it's\n" 644 21
			" " 644 22
			"é'" 644 23
			"latin\xe9\x0a" 644 24
			"\U0001f600" 644 25
			"\ufeff" 644 26
			"\u0085" 644 27
			d/
			"d d/it's/\n" 644 28`,
		each: [][]string{
			{"", "LC_ALL=C.UTF-8", "LC_ALL=POSIX", "LC_ALL= LANG=C.UTF-8", "LC_ALL= LC_CTYPE=C.UTF-8 LANG=C", "LC_ALL=nowhere.UTF-8"},
			{
				"-v " + allOddNames + " d", "-v -t nothing " + allOddNames, "-rv . d", "-n " + allOddNames + " nothing", `-- -x d`, `-v "it's" "no\nthing"`, `-b "a b" "it's" -v`, `-v -S "\n'" "a b" "it's"`, `-r "d d" "d d/it's"`, `-T "a b" "d d"`, `-s "it's" d`,
				`"nothing at all" "it's not\there" "\xff not" "é not" "-- not" d`, `-i "a b" "it's" <n`, `-i "two\nlines" é <y`, `-l "a b" "it's"`, `-P --parents -v "d d/it's/\n" d`, `"a b" "it's/x"`, `d "d d" "it's"`,
			},
		},
	},
}

// allOddNames are those of the files with odd names, as words of a line.
var allOddNames = strings.Join([]string{
	`"a b"`, `"it's"`, `"two\nlines"`, "é", `"\xff\xfe"`, "./-x", `"tab\t"`, `"\"dq\""`, "$x", `"\\"`, "*", "~", "#", "=", `"'\""`, `"\x7f"`, `"\u200b"`, `"\u00a0"`, "日本", `"a\u0301"`, `"it's\n"`, `" "`, `"é'"`, `"latin\xe9\x0a"`, "\U0001f600", `"\ufeff"`, `"\u0085"`,
}, " ")

package main

// cpSameFiles has command lines that copy a file to itself.
var cpSameFiles = []cpGroup{{
	name: "same file",
	tree: `
		f 644 one
		hard (= f)
		other 600 two
		s/f2 644 in a directory
		link -> f
		link2 -> f
		hardlink (= link)
		chain -> link
		out -> other`,
	each: [][]string{
		{
			"", "-f", "-b", "-bf", "--backup=t", "-f --backup=t", "--remove-destination", "--remove-destination -b", "-l", "-lf", "-lb", "-l --remove-destination", "-s", "-sf", "-sb", "-s --remove-destination",
			"-d", "-df", "-db", "-dbf", "-dl", "-dlf", "-dlb", "-d --remove-destination", "-P", "-a", "-n", "-u", "-bu", "-i <y", "-i <n", "-r", "-v", "-vbf", "-T", "-H", "--attributes-only", "-p",
		},
		{"f f", "f hard", "f link", "link f", "link link", "link link2", "link hardlink", "hard link", "link hard", "./f f", "f ./f", "s/../f f", "chain f", "chain link", "link chain", "f chain", "out f", "@/f @/link"},
	},
}}

// modesOfAllKinds is a tree to copy, s, and one to copy it into, o. Both have other modes.
const modesOfAllKinds = `
	s/ 751
	s/f000 000 a
	s/f400 400 a
	s/f444 444 a
	s/f555 555 a
	s/f644 644 a
	s/f666 666 a
	s/f777 777 a
	s/f1777 1777 a
	s/f2755 2755 a
	s/f2644 2644 a
	s/f4755 4755 a
	s/f6755 6755 a
	s/d500/ 500
	s/d500/f 644 a
	s/d555/ 555
	s/d555/d/f 600 a
	s/d700/ 700
	s/d777/ 777
	s/d777/f 660 a
	s/d1777/ 1777
	s/d1777/f 644 a
	s/d2755/ 2755
	s/d2755/f 644 a
	s/d2755/d/
	s/d6700/ 6700
	s/d077/ 277
	o/ 710
	o/f000 644 old
	o/f400 600 old
	o/f444 640 old
	o/f644 444 old
	o/f666 604 old
	o/f2755 4711 old
	o/f4755 2644 old
	o/f6755 644 old
	o/d500/ 755
	o/d555/ 700
	o/d700/ 555
	o/d777/ 2750
	o/d777/f 6777 old
	o/d1777/ 755
	o/d2755/ 755
	o/d2755/f 4600 old
	setgid/ 2775
	sticky/ 1777`

var cpModes = []cpGroup{
	{
		name: "modes",
		tree: modesOfAllKinds,
		each: [][]string{
			{"", "umask=0", "umask=077", "user", "user umask=0", "user umask=077"},
			{"-r", "-rp", "-r --preserve=mode", "-r --no-preserve=mode", "-a", "-r --preserve=ownership", "-r --preserve=timestamps", "-rp --no-preserve=mode", "-r --no-preserve=mode -p", "-r --no-preserve=all", "-a --no-preserve=ownership", "-rf", "-r --remove-destination", "-r --attributes-only", "-rp --attributes-only", "-rb", "-rpb", "-rl"},
			{"s new", "s/. o", "s setgid"},
		},
	}, {
		name: "modes of operands",
		tree: modesOfAllKinds,
		each: [][]string{
			{"", "umask=0", "umask=077", "user", "user umask=0222"},
			{"", "-p", "-a", "--no-preserve=mode", "-f", "--preserve=mode --no-preserve=ownership"},
			{"s/f000 new", "s/f444 new", "s/f666 new", "s/f777 new", "s/f1777 new", "s/f2755 new", "s/f4755 new", "s/f6755 new", "s/f6755 setgid", "s/f644 o", "s/f666 s/f2755 s/f4755 o", "s/f6755 o/d777/f", "s/f644 sticky"},
		},
	}, {
		name:  "owners",
		needs: "root",
		tree: `
			s/ 755 @owner=1000:1001
			s/mine 644 @owner=65534:65534 a
			s/other 4755 @owner=1000:65534 a
			s/group 2755 @owner=65534:1001 a
			s/both 6755 @owner=1000:1001 a
			s/link @owner=1000:1001 -> mine
			s/d/ 2775 @owner=1000:1001
			s/d/f 6644 @owner=1000:1001 a
			o/ 777 @owner=1002:1002
			o/mine 666 @owner=65534:65534 old
			o/other 666 @owner=1002:1002 old
			o/both 6755 @owner=1000:1001 old
			o/link @owner=1002:1002 -> other
			o/d/ 777 @owner=1002:1002
			all/ 777`,
		each: [][]string{
			{"", "user", "umask=077"},
			{"-r", "-rp", "-a", "-r --preserve=ownership", "-rp --no-preserve=ownership", "-r --preserve=mode", "-r --preserve=ownership,timestamps", "-rl", "-rpb", "-rpf", "-a --attributes-only", "-rp --parents"},
			{"s all/new", "s/. o", "s/both all", "s/other all", "s/group all", "s/link all"},
		},
	}, {
		name: "preserved attributes",
		tree: `
			f 4640 @2001-02-03T04:05:06.7Z @user.red=1 one
			f2 (= f)
			g 600 @user.blue=2 two
			d/ 2750 @2002-02-03T04:05:06.000000001Z @user.green=3
			d/x 600 @1999-01-01T00:00:00.999999999Z x
			d/y (= d/x)
			l @2003-01-01T00:00:00.5Z -> f
			o/d/ 700 @user.yellow=4
			o/d/x 666 @user.yellow=4 old
			o/f 604 @user.yellow=4 old
			o/f2 (= o/f)`,
		each: [][]string{
			{"", "user", "umask=0077"},
			{
				"", "-p", "-a", "-d", "--preserve", "--preserve=all", "--preserve=mode", "--preserve=timestamps", "--preserve=ownership", "--preserve=links", "--preserve=xattr", "--preserve=context", "--preserve=m", "--preserve=o,t,l", "--preserve=mode,timestamps,xattr", "--preserve=a",
				"--preserve=", "--preserve=,", "--preserve=mode,", "--preserve=,mode", "--preserve=mode,,links", "--preserve=foo", "--preserve=mode,foo", "--preserve=Mode", `--preserve="mode links"`, "--preserve=mode=links", "--preserve mode",
				"--no-preserve", "--no-preserve=", "--no-preserve=all", "--no-preserve=mode", "--no-preserve=xattr,context", "--no-preserve=foo", "--no-preserve mode", "--no-preserve=context", "--no-preserve=l",
				"-a --no-preserve=xattr", "-a --no-preserve=links", "-a --no-preserve=timestamps", "-a --no-preserve=all", "--no-preserve=all -a", "-p --no-preserve=mode,ownership", "--preserve=all --no-preserve=timestamps,links", "--preserve=xattr --no-preserve=all", "-p --preserve=xattr", "-dp",
			},
			{"f f2 o", "-r d f2 f o", "-r d new"},
		},
	}, {
		name:  "lists of rights",
		needs: "acl",
		tree: `
			f 664 @system.posix_acl_access="\x02\x00\x00\x00\x01\x00\x06\x00\xff\xff\xff\xff\x02\x00\x07\x00\xe8\x03\x00\x00\x04\x00\x04\x00\xff\xff\xff\xff\x10\x00\x06\x00\xff\xff\xff\xff\x20\x00\x00\x00\xff\xff\xff\xff" text
			plain 640 text
			s/ 750 @system.posix_acl_default="\x02\x00\x00\x00\x01\x00\x07\x00\xff\xff\xff\xff\x04\x00\x05\x00\xff\xff\xff\xff\x20\x00\x00\x00\xff\xff\xff\xff"
			s/f 600 text
			s/d/
			o/ 755 @system.posix_acl_default="\x02\x00\x00\x00\x01\x00\x07\x00\xff\xff\xff\xff\x02\x00\x07\x00\xe8\x03\x00\x00\x04\x00\x07\x00\xff\xff\xff\xff\x10\x00\x07\x00\xff\xff\xff\xff\x20\x00\x04\x00\xff\xff\xff\xff"
			o/f 664 @system.posix_acl_access="\x02\x00\x00\x00\x01\x00\x06\x00\xff\xff\xff\xff\x02\x00\x01\x00\xe9\x03\x00\x00\x04\x00\x04\x00\xff\xff\xff\xff\x10\x00\x06\x00\xff\xff\xff\xff\x20\x00\x00\x00\xff\xff\xff\xff" old
			e/`,
		each: [][]string{
			{"", "user", "umask=077"},
			{"", "-p", "-a", "--preserve=mode", "--no-preserve=mode", "--preserve=xattr", "-p --no-preserve=mode", "--remove-destination -p", "-b -p", "-a --no-preserve=xattr", "--attributes-only -p"},
			{"f e", "f o", "plain o", "plain o/f", "-r s new", "-r s o", "-r o new", "-r o e", "-r s/. o", "--parents -r s/d o"},
		},
	}, {
		name: "closed to users",
		tree: `
			f 644 one
			secret 000 two
			g 444 three
			w 200 four
			d/closed/ 000
			d/closed/in 644 in
			d/f 644 after
			noread/ 300
			noread/f 644 x
			nosearch/ 444
			nosearch/f 644 x
			o/ 555
			o/f 644 old
			o/ro 444 old
			open/g 444 old
			open/f 222 old
			open/secret 600 old
			open/d/ 500
			open/d/f 400 old
			lo -> o/f
			ln -> o/new
			ls -> nosearch/f`,
		each: [][]string{
			{"user"},
			{"", "-f", "-r", "-a", "-p", "--remove-destination", "-b", "-i <y", "-if <y", "-i --remove-destination <n,y", "-l", "-lf", "-s", "-n", "-u", "-rv", "-fv", "--attributes-only", "-rP", "-T"},
			{
				"secret new", "f secret open", "w new", "d new", "d f open", "noread new", "noread/f new", "nosearch new", "nosearch/f new", "ls new", "f o", "f o/ro", "f o/new", "g open", "f g open", "f lo", "f ln",
				"f nosearch", "f nosearch/f", "f noread", "f noread/f", "noread/. open", "f d/closed", "f d/closed/in", "d/closed/in new", "-t d/closed f", "-t nosearch f g", "--parents d/closed/in open", "--parents nosearch/f open", "--parents d/f o",
			},
		},
	},
}

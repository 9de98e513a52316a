package main

var cpBackups = []cpGroup{
	{
		name: "backups",
		tree: `
			f 640 one
			f~ 600 older one
			g 600 @1999-01-01T00:00:00Z two
			g~ 644 backup
			h 600 three
			h.~1~ 644 first
			h.~9~ 644 ninth
			h.~10~ 644 tenth
			h.~x~ 644 none
			h.~ 644 none
			i 600 four
			i~/
			l -> g
			d/g 600 in d
			d/f~ 600 backup in d
			d/f 644 in d
			d/sub/g 644 deeper
			e/d/g 644 old
			e/d/g~ 644 old backup
			e/d/g.~3~ 644 third
			e/f -> ../g
			e/g/`,
		each: [][]string{
			{
				"-b", "--backup", "--backup=none", "--backup=off", "--backup=numbered", "--backup=t", "--backup=existing", "--backup=nil", "--backup=simple", "--backup=never", "--backup=n", "--backup=x", "--backup=", "--backup=num", "--b=t",
				"-S .bak", "-S.bak", "--suffix=.bak", "--suffix .bak", `-S ""`, "-S a/b", "-S /", "-b -S .x", "--backup=t -S .x", "--backup=none -S .x", "-S .x -S .y", "-S ~",
				"SIMPLE_BACKUP_SUFFIX=.y -b", "SIMPLE_BACKUP_SUFFIX=a/b -b", "SIMPLE_BACKUP_SUFFIX= -b", "SIMPLE_BACKUP_SUFFIX=.y", "SIMPLE_BACKUP_SUFFIX=.y -S .z", "VERSION_CONTROL=t -b", "VERSION_CONTROL=off -b", "VERSION_CONTROL=x -b", "VERSION_CONTROL=x", "VERSION_CONTROL=x --backup=t",
				"VERSION_CONTROL=t --backup", "VERSION_CONTROL=t --backup=simple", "VERSION_CONTROL=t -S .x", "VERSION_CONTROL= -b", "VERSION_CONTROL=none -b -S .x", "-bf", "-bi <y", "-bi <n", "-bn", "-nb", "-bu", "-b --remove-destination", "-bv", "-bl", "-bs", "-bd", "-ba", "-bT", "-b --attributes-only",
			},
			{"f g", "f h", "f new", "f i", "-r d e", "f e", "f f", "f~ f", "g l", "f l", "h f f g e"},
		},
	}, {
		name: "backups of everything",
		tree: `
			f 644 one
			s/f 644 new
			s/d 644 new
			s/e/in 644 new
			s/p 600 (fifo)
			s/l -> f
			o/f 600 (socket)
			o/d/in 644 old
			o/e 644 old
			o/p -> nowhere
			o/l 600 (fifo)
			a 644 1
			a~ 644 2
			b.~1~ 644 1
			b 644 2
			"with space" 644 1`,
		each: [][]string{
			{"-b", "-bv", "--backup=t", "--backup=t -v", "-S .x -v", "-bf", "-bfv", "-f --backup=t", "-b --remove-destination -v", "-bP", "-bvr", "-bvrP"},
			{"s/f o", "s/d o", "-r s/p o/p", "-r s/. o", "s/l o", "a~ a", "./a~ a", "a a", "b b", "b b.~1~", "b.~1~ b", `f "with space"`, `"with space" "with space"`, "s/../f a", "f o/f", "-r s/. s"},
		},
	}, {
		name: "numbers of backups",
		tree: `
			f 644 new
			a 644 a
			a.~99~ 644 99
			b 644 b
			b.~099~ 644 99
			c 644 c
			c.~0~ 644 0
			d 644 d
			d.~99999999999999999999~ 644 many
			e 644 e
			e.~18446744073709551615~ 644 many
			g 644 g
			g.~9~/
			h 644 h
			h.~1~ -> nowhere
			i 644 i
			i.~1~.~2~ 644 both
			j 644 j
			j.~-1~ 644 negative
			.k 644 k
			.k.~7~ 644 7`,
		each: [][]string{
			{"--backup=t", "--backup=nil", "-b", "--backup=simple -v"},
			{"f a", "f b", "f c", "f d", "f e", "f g", "f h", "f i", "f j", "f .k", "f ./a", "f @/a"},
		},
	},
}

// cpOverwriting has options that say when a file is replaced.
var cpOverwriting = []cpGroup{
	{
		name: "update",
		tree: `
			new 640 @2010-01-01T00:00:00Z new
			old 600 @2001-01-01T00:00:00Z old
			same 644 @2010-01-01T00:00:00Z same
			just 644 @2010-01-01T00:00:00.000000001Z just newer
			second 644 @2010-01-01T00:00:01Z a second newer
			hard (= new)
			s/a 644 @2010-01-01T00:00:00Z a
			s/b 644 @2001-01-01T00:00:00Z b
			s/c (= s/b)
			s/d/
			s/l @2010-01-01T00:00:00Z -> a
			s/p 600 @2010-01-01T00:00:00Z (fifo)
			t/s/ @2020-01-01T00:00:00Z
			t/s/a 600 @2001-01-01T00:00:00Z old
			t/s/b 600 @2010-01-01T00:00:00Z newer
			t/s/c 600 @2010-01-01T00:00:00Z newer, too
			t/s/d 600 @2010-01-01T00:00:00Z no directory
			t/s/l @2001-01-01T00:00:00Z -> b
			t/s/p 600 @2010-01-01T00:00:00Z (socket)
			e/
			l @2001-01-01T00:00:00Z -> new
			lo @2020-01-01T00:00:00Z -> old
			dangling @2020-01-01T00:00:00Z -> nowhere`,
		each: [][]string{
			{"-u", "--update", "-up", "-un", "-nu", "-ui <n", "-ui <y", "-ub", "-uv", "-uf", "-uP", "-ul", "-us", "-ua", "-ur", "-u --remove-destination", "-u --attributes-only -p", "-n", "-nv", "-nr", "-na", "-i <", "-i <y", "-ri <y,n,y,n"},
			{"new old", "old new", "new same", "same just", "just same", "second same", "new hard", "new l", "old l", "l old", "lo new", "new lo", "new dangling", "new missing", "s t", "-r s t", "s/. t/s", "new old e", "old same second t/s", "nothing new"},
		},
	}, {
		name: "answers",
		tree: `
			a 644 a
			b 644 b
			c 644 c
			o/a 600 old
			o/b 444 old
			o/c 000 old
			o/d/a 4755 old
			d/a 644 new
			l -> o/a`,
		each: [][]string{
			{"", "user"},
			{"-i", "-if", "-in", "-ni", "-iv", "-ib", "-i --remove-destination", "-il", "-is", "LC_ALL=C.UTF-8 -i", "-ri"},
			{"<y", "<n", "<", "<Y", "<yes", "<no,y,y", "<y,n,y", `"< y"`, `<y\c`, "<n,n,n,n", "<j", "<,y,y"},
			{"a o", "a b c d o", "a l", "a new"},
		},
	}, {
		name:  "update of newer versions",
		needs: "9.5",
		tree: `
			new 640 @2010-01-01T00:00:00Z new
			old 600 @2001-01-01T00:00:00Z old
			e/new 644 @2020-01-01T00:00:00Z newest`,
		each: [][]string{
			{"--update=all", "--update=none", "--update=none-fail", "--update=older", "--update=n", "--update=a", "--update=x", "--update=", "-u --update=all", "--update=all -u", "--update=none -n", "-n --update=all", "--update=none -b", "--update=none-fail -v", "-i --update=none <y", "--update=older -i <y", "--update=none -f"},
			{"new old", "old new", "new old e", "new missing"},
		},
	},
}

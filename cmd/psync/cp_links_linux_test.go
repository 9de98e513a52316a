package main

var cpLinks = []cpGroup{
	{
		name: "hard links",
		tree: `
			s/a 644 @2001-01-01T00:00:00Z a
			s/b (= s/a)
			s/c 640 @2003-01-01T00:00:00Z c
			s/sub/a2 (= s/a)
			s/sub/c2 (= s/c)
			s/l -> a
			s/l2 (= s/l)
			s/sub/l3 -> ../c
			s/p 600 (fifo)
			s/p2 (= s/p)
			x (= s/a)
			e/
			t/s/a 600 @2002-01-01T00:00:00Z old
			t/s/b (= t/s/a)
			t/s/c 600 @2000-01-01T00:00:00Z old
			t/s/kept (= t/s/c)
			t/s/l -> c
			t/s/sub/a2 (= s/a)
			t/x (= t/s/a)`,
		each: [][]string{
			{
				"-r", "-rd", "-a", "-r --preserve=links", "-rL --preserve=links", "-rH --preserve=links", "-a --no-preserve=links", "-rl", "-al", "-rlf", "-rlL", "-rlP", "-au", "-ru", "-an", "-ab", "-a --backup=t",
				"-a --remove-destination", "-rl --remove-destination", "-rv --preserve=links", "-av", "-alb", "-alv", "-rs", "-ai <y,n,y,n,y,n,y", "-ri <n", "-af", "-avf", "-aT", "-auv --attributes-only", "-a --attributes-only", "-rlu", "-rln",
			},
			{"s e", "s t", "s/. t/s", "s/a s/b e", "s/a s/b x t", "s x e", "x s t", "s/sub x e", "s/l s/l2 e", "s/a t/s/b", "s/a t/s/sub/a2", "t/x s/a e"},
		},
	}, {
		name: "following links",
		tree: `
			s/f 644 one
			s/l -> f
			s/ld -> dir
			s/dir/x 600 x
			s/dangling -> nowhere
			s/loop -> loop
			s/out -> ../outside
			s/outd -> ../od
			od/y 640 y
			od/up -> .
			outside 640 text
			ls -> s
			lls -> ls
			lf -> s/f
			ld -> s/dangling
			e/
			t/s/ld/
			t/s/l 600 old
			t/s/f -> l
			t/s/dir -> ../../od`,
		each: [][]string{
			{
				"", "-r", "-R", "-rL", "-rH", "-rP", "-rd", "-a", "-aL", "-aH", "-H", "-L", "-P", "-d", "-rHL", "-rLP", "-rPH", "-rLd", "-La", "-rLv", "-rl", "-rlL", "-rlH", "-rLf", "-rLb", "-ru", "-rp", "-pP",
				"-r --remove-destination", "-r --copy-contents",
			},
			{"ls new", "ls/ new", "ls/. new", "s new", "s t", "lls new", "lf new", "lf ls e", "s/dangling new", "ld e", "s/dir s/ld e", "od new", "s/outd e", "s/outd/ e", "s/l t/s", "s/l t/s/f"},
		},
	}, {
		name: "symbolic links",
		tree: `
			f 640 one
			g 600 @1999-01-01T00:00:00Z two
			h -> g
			d/x 644 x
			d/sub/y 644 y
			e/x -> nowhere
			l -> f
			ld -> d
			here -> .
			dangling -> nowhere`,
		each: [][]string{
			{"-s", "-sf", "-sb", "-sv", "-sr", "-s --remove-destination", "-svf", "-sn", "-su", "-si <y", "-sL", "-sP", "-sa", "-sp", "-sT", "-rsv", "-rsf", "POSIXLY_CORRECT=1 -s"},
			{
				"f new", "f g", "f h", "f e", "f ./new", "f e/new", "f here/new", "f here", "@/f new", "@/f e", "@/f e/new", "@/d/x e", "d/x new", "d/x e", "d/x .", "l new", "@/l e", "dangling new", "f dangling", "d new", "@/d new", "@/d e", "@/d @/new",
				"d d2", "nothing new", "@/nothing e", "f f", "f new/", "f l", "l f", "../w/f new", "e/../f new", "@/f @/g e", "f g new", "f d", "ld new", "-t e @/f @/g", "--parents d/sub/y e", "-l f new",
			},
		},
	}, {
		name: "made hard links",
		tree: `
			f 640 one
			f2 (= f)
			g 600 @1999-01-01T00:00:00Z two
			h -> g
			d/x 644 x
			d/l -> x
			e/d/x 600 old
			l -> f
			ld -> d
			dangling -> nowhere`,
		each: [][]string{
			{"-l", "-lf", "-lb", "-lv", "-lr", "-l --remove-destination", "-lvf", "-ln", "-lu", "-li <y", "-lL", "-lP", "-lH", "-la", "-lp", "-lT", "-rlv", "-rlf", "-rlL", "-rlb", "-d -l"},
			{"f new", "f g", "f h", "f e", "f f2", "f2 f", "l new", "l g", "l h", "h l", "dangling new", "f dangling", "d new", "d e", "ld new", "f l", "l f", "nothing new", "f new/", "d/l e", "d/l d/x e", "f f2 e", "--parents d/x e"},
		},
	},
}

// severalParents is a tree with directories of many modes above files.
const severalParents = `
	f 644 one
	a/ 750
	a/b/ 2705
	a/b/c 644 @2001-01-01T00:00:00Z c
	a/b/d/e 600 e
	a/closed/ 500
	a/closed/f 644 x
	a/none/ 000
	a/none/f 644 x
	a/open/ 777
	a/open/f 666 x
	la -> a
	lb -> a/b
	e/
	full/ 700
	full/a/ 711
	full/a/b/ 700
	full/a/b/c 600 @2002-01-01T00:00:00Z old
	linked/a -> ../real
	real/
	wrong/a 644 no directory
	deep/a/b 644 no directory
	dangling/a -> nowhere`

var cpParents = []cpGroup{
	{
		name: "parents",
		tree: severalParents,
		each: [][]string{
			{"", "-p", "-v", "-r", "-a", "-rv", "-rvp", "--preserve=mode", "--preserve=timestamps", "--no-preserve=mode", "umask=077", "umask=077 -p", "-l", "-b", "-f", "-n", "-u", "--remove-destination", "user -p", "user"},
			{"--parents"},
			{
				"a/b/c e", "f e", "a/b/c new", "a/b/c f", "a/b e", "a/b/ e", "a/b/. e", "./a/b/c e", "a/../a/b/c e", "a//b///c e", "la/b/c e", "lb/c e", "a/b/c full", "a/b full", "a full", "a/b/c linked", "a/b linked", "a/b/c wrong", "a/b/c deep",
				"a/b/c dangling", "a/b/c a/b/d/e e", "a/b/d/e a/b/c f e", "nothing/x e", "a/nothing e", "f/x e", "-t e a/b/c", "-T a/b/c e", "a/closed/f e", "a/none/f e", "a/open/f e", ". e", ".. e", "../w/a/b/c e", "a/b/c a/b/c e", "a/b/c a/b e", "a/b a/b/c e", "/ e/nothing",
				"a/b/c e/", "a/b/c .", "a/b/c full/a", "a/b/c ./full//",
			},
		},
	}, {
		name: "parents with slashes",
		tree: severalParents,
		lines: []string{
			"--parent a/b/c e", "--path a/b/c e", "--pa a/b/c e", "--parents --strip-trailing-slashes a/b/c/ e", "--parents a/b/c/ e", "-r --parents --strip-trailing-slashes a/b/ la/ e", "-r --parents la/ e", "-rv --parents la// e", "-r --parents la e", "-rL --parents la e", "-rH --parents la e",
			"--parents @/a/b/c e", "-rv --parents @/a/b e", "--parents -s @/a/b/c e", "--parents -s a/b/c .", "--parents -i a/b/c full <n", "--parents -i a/b/c full <y", "--parents --backup=t a/b/c full", "--parents --attributes-only -p a/b/c full", "--parents -x a/b/c e", `--parents "" e`, "--parents a/b/c", "--parents", "-rp --parents a/b/d/ a/open/ e",
		},
	},
}

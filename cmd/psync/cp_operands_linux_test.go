package main

import "strings"

var cpOperands = []cpGroup{
	{
		name: "operands",
		tree: `
			f 640 @2001-02-03T04:05:06.7Z one
			g 600 @2002-02-03T04:05:06Z two
			d/ 750
			d/a 644 three
			d/sub/b 755 four
			e/
			full/f/
			full/d 644 a file
			l -> f
			ld -> d
			dangling -> nowhere
			deep -> missing/nowhere
			loop -> loop
			"a b" 644 five`,
		lines: []string{
			"f new", "f g", "f e", "f g e", "f g new", "f g l", "f g f", "f d", "f e/", "f e/.", "f e/..", "f new/", "f g/", "f new/x", "f g/x", "f full", "f full/f",
			"f f", "f ./f", "f .", "./f .", "d/a .", "f g .", "l .", "f d/..", `"a b" c`,
			"d new", "d e", "d f", "d f e", "f d e", "d/ new", "ld new", "ld e", ". new", ".. e",
			"-r d new", "-r d e", "-r d new/", "-r d new/x", "-r d f", "-r d/ f", "-r d full", "-r d/ new", "-r d/. new", "-r d/. e", "-r d/./. e", "-r d/sub/.. e", "-r d/sub/../ new",
			"-r . e", "-r . new", "-r ./ new", "-r .. e", "-r ../w e", "-r d .", "-r d/. .", "-r f new", "-r f e", "-r f new/", "-r f d e", "-r f d new", "-r d d e", "-r d d/ e", "-r d ./d e", "-r d d/sub e",
			"-t e f g", "-t e", "-t nodir f", "-t f g", "-te f", "--target-directory=e f", "--target-directory e f", "-t e -t e f", "-t e -t d f", "-t ld f", "-t dangling f", "-t e/ f", "-t . d/a", `-t "" f`,
			"-T f e", "-T f new", "-T f new/", "-T f g", "-T -r d e", "-T f g new", "-T f", "-t e -T f", "-T -t e f", "-rT d/ e/", "-rT d new", "-rT d ld", "-rT e ld", "-rT d f", "-rT e full", "-T f ld", "-T f d/", "-bT f ld", "-fT f ld", "-T l new",
			"f g f e", "f ./f e", "f f e", "f l e", "-P f l e", "l l e", "-P l l e", "f f f e", "-b f f e", "--backup=t f f e", "-u f f e", "-n f f e", "-i f f e <y", "-f f f e", "-l f f e", "-s @/f @/f e", "-v f f e", "-r d/a d/sub/b e",
			"f nothing e", "nothing f e", "nothing new", "nothing e", "nothing g", "nothing nothing e", "f/x new", "f/ new", "f/. new", "f/.. new", "l/ new", "ld/ new", "d/nothing e", "nothing/x e", "nothing/ e", "-r nothing/ new",
			`"" new`, `f ""`, `"" e`, `"" ""`, `-r "" new`, `-r d ""`, `-T f ""`, `f g ""`, `"" f e`,
			"@/f @/new", "@/f e", "@/f @/e", "f @/d/../g", "../w/f e", "../w/f ../w/g", "-r @/d @/e", "f //@/e", "f e//", "f e///new", "-v f e///", "-v f .//e", "-v f e/./new", "-v d//a e", "-rv d/// e", "-rv d//sub e/", "-rv ./d e/.",
		},
	}, {
		name: "links as operands",
		tree: `
			f 640 @2001-02-03T04:05:06Z one
			d/a 644 three
			e/
			l -> f
			l2 -> g
			g 644 two
			ld -> d
			le -> e
			dangling -> nowhere
			deep -> missing/nowhere
			updir -> e/nowhere
			loop -> loop`,
		each: [][]string{
			{"", "-f", "--remove-destination", "-b", "-n", "-u", "-i <y", "-l", "-lf", "-s", "-sf", "-P", "-d", "-a", "-v", "-r", "-p", "POSIXLY_CORRECT=1", "-T", "--attributes-only", "-L"},
			{"f dangling", "f deep", "f updir", "f loop", "f l2", "l l2", "l dangling", "dangling l", "dangling new", "loop new", "l new", "l2 l", "loop dangling", "d/a le", "l ld", "dangling loop"},
		},
	}, {
		name: "links to directories as operands",
		tree: `
			f 640 one
			d/a 644 three
			e/d/
			e2/d -> ../d
			e3/d -> ../f
			e4/d 644 text
			l -> f
			ld -> d
			le -> e
			loop -> loop
			dangling -> nowhere`,
		each: [][]string{
			{"-r", "-rL", "-rH", "-rP", "-a", "-rd", "-rf", "-rb", "-r --remove-destination", "-rv", "-rl", "-rT", "-r --strip-trailing-slashes", "-rn", "-ru"},
			{"d le", "d ld", "d loop", "d dangling", "d e", "d e2", "d e3", "d e4", "ld new", "ld/ new", "ld/. new", "ld e2", "ld/ e", "ld le/", "ld l", "l ld", "d/ l", "d/a ld", "f/ new", "l/ new"},
		},
	}, {
		name: "into itself",
		tree: `
			f 644 one
			g 644 two
			d/a 644 three
			d/sub/b 644 four
			d/up -> ..
			e/
			ld -> d
			lsub -> d/sub`,
		lines: []string{"-r ld d", "-a ld d", "-rH ld d/sub", "-rv ld/ d", "-rT ld d"},
		each: [][]string{
			{"-r", "-rT", "-a", "-rl", "-rL", "-rb", "-rv", "-r --parents", "-rH", "-ru"},
			{"d d", "d d/sub", "d d/new", "d d/sub/new", "d ld", "d lsub", ". d", ". new", ". .", "d/. d", "d ./d/sub", "d/sub d", "d/sub/. e ./e e", "d/. d/.. e", "e d/sub/. e", "d/sub/.. d", "f d", "d f d", "d d d", "f d g d/sub", "d d/new e", "@/d d/sub", "@/d @/d/new", "d/ d/", "e e", "e/ d/../e"},
		},
	}, {
		name: "just created",
		tree: `
			t 600 target
			x/f 644 @2001-01-01T00:00:00Z x
			y/f 640 @2002-01-01T00:00:00Z y
			z/f 600 @2000-01-01T00:00:00Z z
			x/s -> ../t
			y/s 644 text
			z/s -> ../nowhere
			x/d/1 644 1
			y/d/1 644 one
			y/d/2 644 2
			z/d 644 no directory
			x/e -> ../t
			y/e -> ../y/f
			old/f 644 @1999-01-01T00:00:00Z old
			new/`,
		each: [][]string{
			{"", "-b", "--backup=t", "--backup=existing", "-f", "-n", "-u", "-i <y,y,y", "-i <n,n,n", "--remove-destination", "-l", "-lf", "-P", "-a", "-r", "-rv", "-rb", "-d --backup=t", "-rL", "-rH", "-a --remove-destination", "-av"},
			{"x/f y/f new", "x/f y/f z/f new", "x/f y/f old", "x/s y/s new", "y/s x/s new", "z/s y/s new", "x/s z/s y/f new", "x/d y/d new", "x/d z/d new", "z/d x/d new", "x/e y/e new", "x/f x/../x/f new", "x/f y/f new new", "-t new x/s y/s"},
		},
	}, {
		name: "just created links",
		tree: `
			x/f 644 x
			y/f 640 y
			e/
			n/`,
		each: [][]string{
			{"-s", "-sf", "-sb", "-s --remove-destination", "-sn", "-s --backup=t", "-su"},
			{"@/x/f @/y/f e", "@/x/f @/x/f e", "x/f y/f .", "@/x/f y/f e", "-r @/x @/y e"},
		},
	}, {
		name: "long names",
		tree: `
			f 644 one
			e/
			` + strings.Repeat("n", 255) + ` 644 text
			e/` + strings.Repeat("n", 255) + ` 644 old
			` + strings.Repeat("m", 254) + ` 644 text
			e/` + strings.Repeat("m", 254) + ` 644 old`,
		lines: []string{
			"f " + strings.Repeat("n", 256), strings.Repeat("n", 256) + " new", "f e/" + strings.Repeat("n", 256), strings.Repeat("n", 255) + " e", strings.Repeat("n", 255) + " e/new",
			"-r e " + strings.Repeat("n", 256), "-t " + strings.Repeat("n", 256) + " f", "f f " + strings.Repeat("n", 256), "-s " + strings.Repeat("a", 4096) + " new", "-s " + strings.Repeat("a", 255) + " new",
			"-b " + strings.Repeat("n", 255) + " e", "--backup=t " + strings.Repeat("n", 255) + " e", "-b -S .long " + strings.Repeat("n", 255) + " e", "-b " + strings.Repeat("m", 254) + " e", "--backup=t " + strings.Repeat("m", 254) + " e", "-S .suffix " + strings.Repeat("m", 254) + " e",
			strings.Repeat("./", 2100) + "f new", "f " + strings.Repeat("./", 2100) + "new", "f " + strings.Repeat("./", 2000) + "new", strings.Repeat("e/../", 800) + "f new", "--parents e/" + strings.Repeat("n", 255) + " e", "-rv --parents " + strings.Repeat("./", 1000) + "e e",
		},
	},
}

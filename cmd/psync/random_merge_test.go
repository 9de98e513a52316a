package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"psync/internal/campaign"
)

// TestRandomMerge gives rsync and psync rsync several sources whose contents meet in one directory. Both must make the same of
// them. MERGE in the environment is the number of command lines, and MERGE_SEED the seed of the first, or "random".
func TestRandomMerge(t *testing.T) {
	needRsync(t)
	for _, seed := range campaign.Seeds("MERGE", 20, 200) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			r := rsyncRun{Rand: rand.New(rand.NewPCG(seed, 0)), dir: t.TempDir()}
			if diff := r.compareMerge(); len(diff) > 0 {
				t.Errorf("%s\n%s", strings.Join(diff, "\n"), strings.Join(r.said, "\n"))
			}
		})
	}
}

// compareMerge merges up to three trees by both programs, and returns the differences.
func (r *rsyncRun) compareMerge() []string {
	trees := make(map[string]tree)
	for _, name := range []string{"a", "b", "c"} {
		trees[name] = make(tree)
		r.tree(trees[name], "", 0)
		trees[name] = trees[name].withoutOrphans()
	}
	dst := make(tree)
	if r.chance(70) {
		r.changed(trees[r.one("a", "b", "c")], "", dst)
	}
	operands := r.mergedOperands(trees)
	trees["dst"] = dst.withoutOrphans()
	flags := r.mergeFlags()
	if slices.ContainsFunc(operands, func(operand string) bool { return len(operand) > len("a/./") }) {
		// rsync does not apply rules to what leads to an operand, and removes sources although one name was not copied.
		flags = slices.DeleteFunc(flags, func(flag string) bool {
			return flag == "--remove-source-files" || strings.HasPrefix(flag, "--exclude") && operands[0] == "-R"
		})
	}
	if operands[0] == "-R" { // directories that lead to operands of two sources get the mode of another one of them
		for _, t := range trees {
			for path, e := range t {
				if e.kind == 'd' {
					e.mode = 0o755
					t[path] = e
				}
			}
		}
	}
	diff := r.both(trees, append(append(flags, operands...), "dst"))
	for i, said := range []string{
		"symlink has no referent", // of a link that is not copied, because another source has something of that name
		"cannot be merged with --remove-source-files",
	} {
		if len(diff) > 0 && strings.Contains(r.said[i], said) {
			return nil
		}
	}
	return diff
}

// mergedOperands returns directories, and entries of them that exist. With --relative, directories as a whole and other
// operands do not go together.
func (r *rsyncRun) mergedOperands(trees map[string]tree) (operands []string) {
	names := []string{"a", "b", "c"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:2+r.IntN(2)]
	relative, whole := r.chance(30), r.chance(60)
	if relative {
		operands = append(operands, "-R")
	}
	for _, name := range names {
		paths := trees[name].paths()
		switch {
		case relative && whole:
			operands = append(operands, name+"/./")
		case whole || len(paths) == 0 && !relative:
			operands = append(operands, name+r.one("/", "/", "/."))
		case len(paths) > 0:
			for range 1 + r.IntN(2) {
				path := paths[r.IntN(len(paths))]
				slash := ""
				if trees[name][path].kind == 'd' {
					slash = r.one("", "", "/")
				}
				if relative {
					path = "./" + path
				}
				operands = append(operands, name+"/"+path+slash)
			}
		}
	}
	if len(operands) == 1 && relative {
		return []string{"a/", "b/"}
	}
	return operands
}

// mergeFlags returns flags of a command line that copies directories.
func (r *rsyncRun) mergeFlags() []string {
	flags := []string{r.one("-a", "-a", "-r", "-rt", "-rlt", "-rlptD"), "-i"}
	for _, flag := range []string{
		"-n", "--existing", "--ignore-existing", "-u", "-b", "--max-size=15", "--exclude=a", "--exclude=b/", "--include=c", "-c", "-I",
		"-L", "-k", "-x", "-H", "--delay-updates", "--no-t", "-O",
	} {
		if r.chance(10) {
			flags = append(flags, flag)
		}
	}
	if r.chance(40) {
		flags = append(flags, r.one("--delete", "--delete-excluded", "--force"))
	} else if r.chance(15) && !slices.ContainsFunc(flags, func(flag string) bool { return flag == "-L" || flag == "-k" || flag == "--delay-updates" }) {
		flags = append(flags, "--remove-source-files")
	}
	if slices.Contains(flags, "-b") { // rsync's dry runs take directories with backups for removed
		flags = slices.DeleteFunc(flags, func(flag string) bool { return flag == "--force" })
	}
	return fair(flags)
}

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"psync/internal/campaign"
	"psync/internal/selftest"
)

// programs run as processes of their own. All but psync, psync-selftest and confined start the program that
// follows, in some special way; so they can be put before each other.
var programs = map[string]func(){
	"psync":          func() { psync(os.Getenv("SHARE") != "") },
	"psync-selftest": func() { os.Exit(selftest.Main(os.Args[1:], os.Stdout, os.Stderr)) },
	"allocations":    countAllocations,
	"confined":       confined,
	"held":           hold,
	"faulty":         faulty,
	"asuser":         asUser,
	"umask":          withUmask,
	"brokenpipe":     withBrokenPipe,
	"stuckpipe":      withStuckPipe,
	"interrupt":      signalWhen(syscall.SIGINT),
	"insist":         insist,
	"hangup":         signalWhen(syscall.SIGHUP),
	"terminate":      signalWhen(syscall.SIGTERM),
	"killed":         signalWhen(syscall.SIGKILL),
	"meanwhile":      meanwhile,
}

// commands run within the test.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":     cmdExits,
	"calm":      cmdCalm,
	"tree":      cmdTree,
	"same":      cmdSame,
	"plant":     cmdPlant,
	"fill":      cmdFill,
	"deep":      cmdDeep,
	"multiply":  cmdMultiply,
	"socket":    cmdSocket,
	"sparse":    cmdSparse,
	"allocated": cmdAllocated,
	"give":      cmdGive,
	"mount":     cmdMount,
	"sshd":      cmdSSHD,
	"cpboth":    cmdCpBoth,
}

// conditions report what the machine, and the user who runs the tests, can do.
var conditions = map[string]func() bool{
	"root":    sync.OnceValue(isRoot),
	"asuser":  sync.OnceValue(func() bool { return exec.Command("asuser", "psync", "version").Run() == nil }),
	"acl":     sync.OnceValue(hasACLs),
	"mount":   sync.OnceValue(canMount),
	"vfat":    sync.OnceValue(canMountVFAT),
	"ext4":    sync.OnceValue(canMountExt4),
	"xfs":     sync.OnceValue(canMountXFS),
	"btrfs":   sync.OnceValue(canMountBtrfs),
	"xattr":   sync.OnceValue(hasXattrs),
	"device":  sync.OnceValue(canMakeDevices),
	"sshd":    sync.OnceValue(func() bool { return canServeSSH("sftp", "-b", os.DevNull) }),
	"sshell":  sync.OnceValue(func() bool { return canServeSSH("ssh") }), // runs commands by the user's shell, too
	"noise":   sync.OnceValue(hasNoisyShell),
	"unshare": sync.OnceValue(func() bool { return exec.Command("unshare", "--mount", "true").Run() == nil }),
	"strace":  sync.OnceValue(func() bool { return exec.Command("strace", "-f", "-o", os.DevNull, "true").Run() == nil }),

	// What the tests start ignores these signals if the tests do.
	"hangup":    func() bool { return !signal.Ignored(syscall.SIGHUP) },
	"interrupt": func() bool { return !signal.Ignored(syscall.SIGINT) },

	"thorough":   campaign.Thorough,
	"fault":      sync.OnceValue(canFault),
	"overlay":    sync.OnceValue(canMountOverlay),
	"immutable":  sync.OnceValue(canFreeze),
	"capability": sync.OnceValue(canGrant),
	"gnucp":      hasModelCp,
}

// TestMain runs the tests, or one of the programs. With SHARE set, the workers of psync share everything that
// they can.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); {
	case strings.HasPrefix(name, "psync-") && programs[name] == nil:
		os.Args[0] = "psync" // as --bootstrap has called it
	case name == "rsync":
		programs["psync"]() // by a link of that name, which psync looks at itself
	}
	if programs[filepath.Base(os.Args[0])] == nil {
		syscall.Umask(0o022) // the user's own must not decide what the scripts see
		mountPrivately()
	}
	testscript.Main(tests{m}, programs)
}

// TestScripts runs testdata/script at the top of the module. What the scripts
// can do beyond package testscript is described at the functions above.
func TestScripts(t *testing.T) {
	letUserIn(t)
	testscript.Run(t, testscript.Params{
		WorkdirRoot:        workdirs(t),
		Dir:                filepath.Join("..", "..", "testdata", "script"),
		Setup:              setup,
		Cmds:               commands,
		Condition:          condition,
		RequireUniqueNames: true,
	})
}

// workdirs returns a directory for those of the scripts, which is removed at the end of the test. To make a file, ext4
// passes over all inodes that were freed within minutes, so nothing but large files may be removed before.
func workdirs(t *testing.T) string {
	t.Helper()
	root, err := os.MkdirTemp("", "scripts")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		walk(root, func(path string, e fs.DirEntry) {
			if e.IsDir() {
				_ = os.Chmod(path, 0o700)
			}
		})
		if err := os.RemoveAll(root); err != nil {
			t.Error(err)
		}
	})
	return root
}

// removeLargeFiles frees what most of a disk would be full of if it stayed until all scripts have ended.
func removeLargeFiles(root string) {
	walk(root, func(path string, e fs.DirEntry) {
		if info, err := e.Info(); err == nil && e.Type().IsRegular() && info.Size() > 1<<16 {
			_ = os.Remove(path)
		}
	})
}

// walk calls visit with all entries below root that it can reach.
func walk(root string, visit func(path string, e fs.DirEntry)) {
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil {
			visit(path, e)
		}
		return nil
	})
}

func setup(env *testscript.Env) error {
	env.Defer(func() { removeLargeFiles(env.WorkDir) })
	env.Values[testingKey{}] = env.T()
	psync, err := exec.LookPath("psync")
	if err != nil {
		return err
	}
	env.Setenv("PSYNC", psync) // its path
	env.Setenv("LC_ALL", "C")
	env.Setenv("SHARE", os.Getenv("SHARE"))
	if env.Getenv("GORACE") == "" {
		env.Setenv("GORACE", "atexit_sleep_ms=0") // or else each process takes a second
	}
	// The user of asuser must get into the temporary directory, and write there.
	return errors.Join(os.Chmod(filepath.Dir(env.WorkDir), 0o755), os.Chmod(env.WorkDir, 0o777))
}

// letUserIn opens the directories of the programs to the user of asuser.
func letUserIn(t *testing.T) {
	t.Helper()
	for _, program := range []string{"psync", "asuser"} {
		path, err := exec.LookPath(program)
		if err != nil {
			t.Fatal(err)
		}
		bin := filepath.Dir(path)
		if err := errors.Join(os.Chmod(bin, 0o755), os.Chmod(filepath.Dir(bin), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
}

func condition(name string) (bool, error) {
	holds, known := conditions[name]
	if !known {
		return false, fmt.Errorf("unknown condition %s", name)
	}
	return holds(), nil
}

// isRoot reports whether files can be given to anybody, which root cannot in
// every container.
func isRoot() bool {
	return os.Geteuid() == 0 && worksOn("root", func(dir string) error { return os.Chown(dir, nobodyUID, nobodyUID) })
}

// canFault reports whether the kernel lets single system calls of a program fail.
func canFault() bool {
	return worksOn("fault", func(dir string) error {
		return exec.Command("faulty", "-fault", "(op stat, err EIO)", dir, "sh", "-c", "! ls -d "+dir).Run()
	})
}

func hasACLs() bool {
	return worksOn("acl", func(dir string) error {
		return exec.Command("setfacl", "-m", "default:user:0:rwx", dir).Run()
	})
}

// hasXattrs reports whether files can have extended attributes, and there is a program for them.
func hasXattrs() bool {
	return worksOn("xattr", func(dir string) error {
		return exec.Command("setfattr", "-n", "user.test", "-v", "value", dir).Run()
	})
}

// canMakeDevices reports whether there can be devices, which root cannot make in every container.
func canMakeDevices() bool {
	return worksOn("device", func(dir string) error {
		null := filepath.Join(dir, "null")
		return errors.Join(exec.Command("mknod", null, "c", "1", "3").Run(), os.Remove(null))
	})
}

// canGrant reports whether programs can be given capabilities.
func canGrant() bool {
	return worksOn("capability", func(dir string) error {
		file := filepath.Join(dir, "file")
		return errors.Join(os.WriteFile(file, nil, 0o755), exec.Command("setcap", "cap_net_raw=ep", file).Run(), os.Remove(file))
	})
}

// canFreeze reports whether files can be made immutable.
func canFreeze() bool {
	return worksOn("immutable", func(dir string) error {
		return errors.Join(exec.Command("chattr", "+i", dir).Run(), exec.Command("chattr", "-i", dir).Run())
	})
}

// worksOn reports whether something can be done with a temporary directory.
func worksOn(name string, do func(dir string) error) bool {
	dir, err := os.MkdirTemp("", name)
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	return do(dir) == nil
}

// cmdExits wants a program to end with an exit code:
//
//	exits CODE PROGRAM [ARG...]
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// cmdCalm fails unless a program wrote nothing to standard error, except for the note about attributes that
// no option asked to keep:
//
//	calm
func cmdCalm(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: calm")
	}
	for line := range strings.Lines(ts.ReadFile("stderr")) {
		if !strings.HasPrefix(line, "psync: note: ") {
			ts.Fatalf("on standard error: %s", line)
		}
	}
}

package bench

import "strconv"

const psyncName = "psync"

// psyncWorkers returns the numbers of workers to measure the psync binary at path with; 0 is its own choice. It
// returns none if path is empty.
func psyncWorkers(path string, threads []int) []int {
	switch {
	case path == "":
		return nil
	case len(threads) == 0:
		return []int{0}
	}
	return threads
}

// psyncPeers returns a peer for each number of workers of the psync binary at path. Without numbers, psync
// chooses; without a path, there are no peers.
func psyncPeers(path string, threads []int) []peer {
	var peers []peer
	for _, n := range psyncWorkers(path, threads) {
		command := func(words ...string) []string {
			if n > 0 {
				words = append([]string{words[0], "-j", strconv.Itoa(n)}, words[1:]...)
			}
			return append([]string{path}, words...)
		}
		sync := command("sync", srcPlace, dstPlace)
		peers = append(peers, peer{
			name: psyncName, workers: n, keeps: "times",
			commands: map[kind][]string{
				copying: command("copy", srcPlace, dstPlace),
				noop:    sync, changed: sync,
				deleting: command("delete", "-f", dstPlace),
			},
		})
	}
	return peers
}

// knownPeers returns the tools that are measured if they are found on PATH.
func knownPeers() []peer {
	cpUpdate := []string{"cp", "-a", "-u", srcPlace + "/.", dstPlace}
	rsync := []string{"rsync", "-a", srcPlace + "/", dstPlace}
	rclone := func(verb string) []string {
		return []string{"rclone", verb, "--quiet", "--links", "--create-empty-src-dirs", srcPlace, dstPlace}
	}
	parsync := []string{"parsync", "sync", srcPlace, dstPlace}
	return []peer{
		{
			// On the BSDs -r follows symbolic links; to GNU cp, -r and -R are one.
			name: "cp -r", keeps: "no times",
			commands: map[kind][]string{copying: {"cp", "-R", srcPlace, dstPlace}},
		},
		{name: "cp -a", keeps: "all", commands: map[kind][]string{copying: {"cp", "-a", srcPlace, dstPlace}}},
		{
			name: "cp -a -u", keeps: "all",
			commands: map[kind][]string{noop: cpUpdate, changed: cpUpdate},
			// Others have no -u, or one with another meaning.
			probe: probe{args: []string{"--version"}, want: "coreutils"},
		},
		{name: "rsync -a", keeps: "all", commands: map[kind][]string{copying: rsync, noop: rsync, changed: rsync}},
		{
			name: "rclone", keeps: "times",
			commands: map[kind][]string{copying: rclone("copy"), noop: rclone("sync"), changed: rclone("sync")},
		},
		{name: "fcp", keeps: "no times", commands: map[kind][]string{copying: {"fcp", srcPlace, dstPlace}}},
		// It copies hard links as separate files, and fills holes.
		{name: "cpz", keeps: "no times", commands: map[kind][]string{copying: {"cpz", srcPlace, dstPlace}}},
		{name: "xcp", keeps: "times", commands: map[kind][]string{copying: {"xcp", "-r", srcPlace, dstPlace}}},
		{
			name: "parsync", keeps: "times",
			commands: map[kind][]string{
				copying: {"parsync", "copy", srcPlace, dstPlace},
				noop:    parsync, changed: parsync,
				deleting: {"parsync", "delete", dstPlace},
			},
			// Another tool called parsync pulls from ssh hosts; it answers --help with any verb.
			probe: probe{args: []string{"copy", "--help"}, want: "parsync copy"},
		},
		{name: "rm -rf", keeps: "nothing", commands: map[kind][]string{deleting: {"rm", "-rf", dstPlace}}},
		{name: "rmz", keeps: "nothing", commands: map[kind][]string{deleting: {"rmz", dstPlace}}},
		{name: "find -delete", keeps: "nothing", commands: map[kind][]string{deleting: {"find", dstPlace, "-delete"}}},
	}
}

// sshPsyncPeers returns the psync binary at path with both ways to access another host: through a psync there, and
// by SFTP. An empty path means no peers.
func sshPsyncPeers(path string, threads []int) []peer {
	var peers []peer
	for _, n := range psyncWorkers(path, threads) {
		for _, way := range []struct{ name, flag string }{
			{psyncName, "--remote-psync=" + path},
			{psyncName + " (SFTP)", "--remote-psync=none"},
		} {
			command := func(verb string) []string {
				words := []string{path, verb, "-a", "--ssh-config=" + sshPlace, way.flag}
				if n > 0 {
					words = append(words, "-j", strconv.Itoa(n))
				}
				return append(words, srcPlace, dstPlace)
			}
			peers = append(peers, peer{
				name: way.name, workers: n, keeps: "all",
				commands: map[kind][]string{copying: command("copy"), noop: command("sync")},
			})
		}
	}
	return peers
}

// sshPeers returns the tools that are measured between hosts if they are found on PATH.
func sshPeers() []peer {
	rsync := func(name, ssh string) peer {
		command := []string{"rsync", "-a", "-e", ssh, srcPlace + "/", dstPlace}
		return peer{name: name, keeps: "all", commands: map[kind][]string{copying: command, noop: command}}
	}
	return []peer{
		rsync("rsync -a", "ssh -F "+sshPlace),
		rsync("rsync -a, AES-GCM", "ssh -F "+sshPlace+" -c aes128-gcm@openssh.com"),
	}
}

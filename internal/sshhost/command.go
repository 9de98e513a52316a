package sshhost

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"strings"
)

// cacheDir is where --bootstrap puts psync, below the home directory.
const cacheDir = "$HOME/.cache/psync"

// The commands are words and quoted words that sh, zsh, fish and tcsh, any of which the user's shell at the host may
// be, read in the same way.

// script returns a command that has sh run a script without single quotes, backslashes and exclamation marks.
func script(format string, args ...any) string { return "sh -c '" + fmt.Sprintf(format, args...) + "'" }

// maxFirstFrames is how many bytes of frames a command line has at most.
const maxFirstFrames = 4 << 10

// serveArguments returns the arguments of psync for serving the files of a host. They have the first frames, unless
// these are too long for that.
func serveArguments(first []byte) string {
	if len(first) > maxFirstFrames {
		return "serve --stdio"
	}
	return "serve --stdio --first=" + base64.RawURLEncoding.EncodeToString(first)
}

// serveCommand returns a function that returns the command that runs, with some arguments, the psync at a path on a host
// or, if that is "", the one that is found on PATH or in the usual places, which a login shell may not have.
func serveCommand(path string) func(arguments string) string {
	if path != "" {
		return plainServeCommand(path)
	}
	return func(arguments string) string {
		return script("PATH=$PATH:$HOME/.local/bin:$HOME/bin:/usr/local/bin:/opt/homebrew/bin:%s; exec psync %s", cacheDir, arguments)
	}
}

// plainServeCommand is serveCommand for a host where there may be no shell: it finds psync on PATH only.
func plainServeCommand(path string) func(arguments string) string {
	return func(arguments string) string { return cmp.Or(path, "psync") + " " + arguments }
}

// IsPlain reports whether a path means itself to every shell, except that a tilde is the home directory.
func IsPlain(path string) bool {
	const marks = "/._-+,@%:=" // and letters and digits
	for i, c := range path {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && !strings.ContainsRune(marks, c) && !(c == '~' && i == 0) {
			return false
		}
	}
	return path != "" && path[0] != '-' && path[0] != '='
}

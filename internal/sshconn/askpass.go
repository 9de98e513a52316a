package sshconn

import (
	"context"
	"os/exec"
	"strings"
)

// Askpass returns a function that asks the user with the program named by SSH_ASKPASS, or nil if the program
// is not to be used: if there is a terminal, the user is asked there unless SSH_ASKPASS_REQUIRE prefers the
// program.
func Askpass(getenv func(string) string, terminal bool) func(ctx context.Context, prompt string) (string, error) {
	program, require := getenv("SSH_ASKPASS"), getenv("SSH_ASKPASS_REQUIRE")
	display := getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != ""
	switch {
	case program == "", require == "never":
		return nil
	case require == "force", require == "prefer" && display, !terminal && display:
	default:
		return nil
	}
	return func(ctx context.Context, prompt string) (string, error) {
		out, err := exec.CommandContext(ctx, program, prompt).Output()
		return strings.TrimRight(string(out), "\r\n"), err
	}
}

//go:build !linux

package main

import "errors"

// startPaced starts a program.
func startPaced(args []string, _ string) paced {
	cmd := command(args)
	if err := cmd.Start(); err != nil {
		die(err)
	}
	return startPolled(process(cmd.Process.Pid))
}

func hold() { die(errors.ErrUnsupported) }

func faulty() { die(errors.ErrUnsupported) }

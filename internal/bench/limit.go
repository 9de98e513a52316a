package bench

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
)

// limitName is the name of our C program that does as little as the work allows. Other tools are compared with its
// time.
const limitName = "C limit"

// limitPlace is the placeholder for that program in a command.
const limitPlace = "{limit}"

//go:embed limit/limit.c
var limitSource []byte

// limitPeer returns the C program, which is compiled for each run of psync-bench.
func limitPeer() peer {
	return peer{
		name: limitName, keeps: "times", compiler: "cc",
		commands: map[kind][]string{
			copying:  {limitPlace, "copy", srcPlace, dstPlace},
			noop:     {limitPlace, "noop", srcPlace, dstPlace},
			deleting: {limitPlace, "delete", dstPlace},
		},
	}
}

// limitProgram returns the path of the program in the work directory dir.
func limitProgram(dir string) string { return filepath.Join(dir, "limit") }

// compileLimit compiles the program in the work directory dir.
func compileLimit(ctx context.Context, compiler, dir string) error {
	program := limitProgram(dir)
	if err := os.WriteFile(program+".c", limitSource, 0o600); err != nil {
		return err
	}
	if _, err := execute(ctx, []string{compiler, "-O2", "-pthread", "-o", program, program + ".c"}); err != nil {
		return fmt.Errorf("%s: %w", compiler, err)
	}
	return nil
}

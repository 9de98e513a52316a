//go:build !linux

package main

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

// richPairs is whether pairs have metadata that only some entries have.
const richPairs = false

func (e entry) makeSpecial(string) error { return errors.ErrUnsupported }

func (*extra) putAttrs(string) error { return errors.ErrUnsupported }

func (*extra) putACLs(string) error { return errors.ErrUnsupported }

func extras(string, unix.Stat_t, bool) (string, error) { return "", errors.ErrUnsupported }

func canMountQuietly() bool { return false }

func mountQuietly(*testing.T, string) {}

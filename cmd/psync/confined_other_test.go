//go:build !linux

package main

import "errors"

func confined() { die(errors.ErrUnsupported) }

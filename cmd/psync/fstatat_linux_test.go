//go:build !amd64

package main

import "golang.org/x/sys/unix"

const sysFstatat = unix.SYS_FSTATAT

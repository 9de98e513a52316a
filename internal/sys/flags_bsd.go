//go:build darwin || freebsd

package sys

// UtimeOmit in place of nanoseconds leaves a time as it is. The value is that of
// both systems' sys/stat.h; x/sys lacks it.
const UtimeOmit = -2

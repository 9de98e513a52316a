//go:build !darwin

package bench

// maxRSSUnit is the unit of ru_maxrss in bytes.
const maxRSSUnit = 1 << 10

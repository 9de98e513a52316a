// Package killtimer has the kernel kill this process at a time, whatever the process does then.
package killtimer

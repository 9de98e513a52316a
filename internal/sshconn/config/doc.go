// Package config finds out what the configuration of OpenSSH says about a host.
//
// Where ssh is installed, it is asked by "ssh -G", which evaluates everything as it does itself; this
// may run commands, if the user's files have some for Match. Elsewhere the files are read here, and
// what cannot be evaluated is an error.
//
// What ssh prints cannot be told from its defaults. Where these are unfortunate, as with limits of time
// and the order of ciphers, the fields of [Host] say what becomes of them.
package config

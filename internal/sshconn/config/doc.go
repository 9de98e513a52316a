// Package config determines what the configuration of OpenSSH says about a host.
//
// If ssh is installed, the package runs "ssh -G", which evaluates everything as ssh itself does, including
// commands of Match. Otherwise it reads the files itself, and what it cannot evaluate is an error.
//
// The output of ssh does not show which values are defaults. For unfortunate defaults, such as timeouts and
// the order of ciphers, the fields of [Host] describe what happens.
package config

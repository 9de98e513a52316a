// Package sshconn connects to hosts according to the configuration of OpenSSH. A connection provides channels to
// commands and subsystems on the host.
//
// A [Dialer] determines the configuration of a host with "ssh -G" if ssh is installed, and by reading the
// files otherwise. It then speaks the SSH protocol itself, without a process: through the hosts of ProxyJump
// or with ProxyCommand, with keys from the agent and from files, and with passwords and answers that it asks
// for through functions of its caller. If the user's ssh is already connected to the host, and listens on its
// ControlPath, the Dialer uses that connection. For what only ssh can do, such as Kerberos or keys in
// hardware, it starts ssh. It also does so if the user names an ssh command; any other command provides one
// channel, its standard input and output.
//
// # Host keys
//
// A key is accepted if a known_hosts file has it, or the authority that signed it, for the host. The key of
// an unknown host is accepted, and added to the user's file, if the user says yes or has said so in advance.
// A key that differs from the known one, or that is revoked, is never accepted: nothing disables that, not
// even StrictHostKeyChecking. The checks also apply to each jump host.
//
// # Secrets
//
// The Dialer keeps accepted passphrases and passwords in memory, so that a lost connection can be made again
// without questions. It does not retry a host that has refused to authenticate the user, because servers
// penalize that.
package sshconn

// Package sshconn connects to hosts as the configuration of OpenSSH says. A connection gives channels to commands and
// subsystems that run there.
//
// A [Dialer] asks "ssh -G" what applies to a host, where ssh is installed, and reads the files
// itself elsewhere. It then speaks the protocol itself, without a process: through the hosts of
// ProxyJump or by ProxyCommand, with the keys of the agent and of files, with passwords and answers
// that it asks for by functions of its caller. If the user's ssh already is connected to the host,
// and listens on its ControlPath, its connection is used. What only ssh can do, such as Kerberos or
// keys in hardware, is left to an ssh that is started for it. The same is done if the user names an
// ssh to be used; any other command gives one channel by its standard input and output.
//
// # Host keys
//
// A key is accepted if a known_hosts file has it for the host, or has the authority that signed it.
// A host that none of the files knows is accepted if the user says yes, or has said so in advance;
// it is then added to the user's file. A key that differs from the known one, or that is revoked, is
// never accepted: nothing switches that off, StrictHostKeyChecking neither. The checks also apply
// to each host on the way.
//
// # Secrets
//
// Passphrases and passwords that were accepted are kept in memory by the Dialer, so that a lost
// connection can be made again without questions. A host that has refused to authenticate the user
// is not asked again, since servers penalise that.
package sshconn

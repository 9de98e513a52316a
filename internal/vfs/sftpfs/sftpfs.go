// Package sftpfs implements vfs over SFTP, version 3 of the protocol, with the extensions of OpenSSH.
//
// A [Host] speaks to one server through one or more channels, of which this package knows nothing but
// that they carry bytes. A directory is a path below an opened root, and each operation is one on a path:
// SFTP has no handles that entries can be reached from. So, unlike with other implementations,
//   - what a component of a path leads to may be changed by others between two operations. The path of a
//     root has no symbolic link in it when it is opened, and no operation goes through an entry that
//     is known to be one, but a server cannot be asked to follow none.
//   - a directory that is renamed while it is open is not found again, and a path may be too long.
//   - an entry is identified by its path, or by the one that it had before this Host renamed it. Hard links, and
//     a directory that is mounted twice, are not recognised, and there is one device.
//
// SETSTAT follows links, so it is sent only for what is known not to be one. What else the protocol lacks is
// unsupported: times and owners of links, special files, fractions of seconds, times before 1970 and after 2106,
// extended attributes, ACLs, flags, times of change and of creation.
//
// The attributes that come with a listing are remembered while the directory is open, until this Host changes
// the entry, so that a tree whose entries are compared costs four or five requests a directory, and none an
// entry. There is a limit to what is remembered, beyond which the server is asked. Package sftp holds the
// whole listing of a directory in memory, however large it is.
//
// Servers report most errors as a mere failure. What can be found out is: whether an entry exists already,
// is of the wrong type, or whether the file system is full or read-only.
package sftpfs

package flags

const (
	noDaemon = "psync knows no daemon of rsync: reach the host by ssh, as HOST:PATH"
	noBatch  = "psync writes no batches: copy to each destination, or give --copy-dest"
)

// rsyncFlags are all flags of rsync 3.4 and 3.5 that psync does not have.
var rsyncFlags = []foreignFlag{
	{names: "partial", because: "nothing is ever left in part under its name"},
	{names: "info debug", value: true, because: "-v, -i and --stats choose what is shown, and --progress the bar"},
	{names: "stderr outbuf", value: true, because: "errors go to standard error, in whole lines"},
	{names: "inc-recursive i-r no-inc-recursive no-i-r", because: "directories are listed when their turn comes, and entries are removed after their directory is copied"},
	{names: "secluded-args protect-args s old-args no-secluded-args no-protect-args no-s no-old-args", because: "no name passes through a shell of the other host"},
	{names: "trust-sender", because: "what another host sends is checked always"},
	{names: "compress-choice zc compress-level zl compress-threads zt skip-compress", value: true, because: "compression is zstd, at the level that suits the connection"},
	{names: "checksum-choice cc block-size B checksum-seed", value: true, because: "psync chooses checksums and blocks itself"},
	{names: "max-alloc", value: true, because: "memory is bounded anyway"},
	{names: "blocking-io no-motd", because: "there is neither a remote shell that needs it, nor a daemon"},
	{names: "8-bit-output 8", because: "letters beyond ASCII are shown as the locale of the environment says"},

	{names: "append append-verify", instead: "psync completes files by copying them, over ssh only the blocks that differ: leave it out"},
	{names: "partial-dir", value: true, instead: "nothing is left in part, and what was copied is not copied again by the next run: leave it out, or write to another volume by --temp-dir"},
	{names: "fuzzy y", instead: "psync does not search for similar files: --copy-dest=DIR takes unchanged ones from DIR"},
	{names: "iconv", value: true, instead: "names are kept byte for byte: convert them by convmv afterwards"},
	{names: "fake-super", instead: "owners are kept in the file system or not at all: run it as root, or pack the tree by tar"},
	{names: "munge-links", instead: "links are kept as they are: --safe-links leaves out those that lead out of the tree"},
	{names: "copy-devices write-devices", instead: "contents of devices are copied by dd"},
	{names: "drop-D", instead: "write --no-D"},
	{names: "confine-root", value: true, instead: "psync serve --root confines a host; here, links that others may have planted are not followed anyway"},
	{names: "rsync-path", value: true, instead: "write --remote-psync=PATH, which is the psync there"},
	{names: "copy-as", value: true, instead: "run psync as that user, by sudo -u USER psync"},
	{names: "remote-option M", value: true, instead: "the options of the other host are those of this command line: leave it out"},
	{names: "ipv4 4", instead: "write -e 'ssh -4', or AddressFamily inet in the configuration of ssh"},
	{names: "ipv6 6", instead: "write -e 'ssh -6', or AddressFamily inet6 in the configuration of ssh"},
	{names: "port", value: true, instead: "the port stands in the operand: ssh://HOST:PORT/PATH"},
	{names: "address sockopts", value: true, instead: "psync opens no sockets of its own: set it in the configuration of ssh"},
	{names: "daemon config dparam no-detach password-file early-input", instead: noDaemon},
	{names: "write-batch only-write-batch read-batch", value: true, instead: noBatch},
	{names: "protocol", value: true, instead: "psync does not speak to rsync: install psync on the other host, or let SFTP serve"},
	{names: "version V", instead: "psync version prints it"},
}

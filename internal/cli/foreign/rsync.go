package foreign

const (
	noDaemon = "psync knows no daemon of rsync: reach the host by ssh, as HOST:PATH"
	noBatch  = "psync writes no batches: copy to each destination, or give --copy-dest"
)

// Rsync are all flags of rsync 3.4 and 3.5 that psync does not have.
var Rsync = []Flag{
	{Names: "partial", Because: "nothing is ever left in part under its name"},
	{Names: "info debug", Value: true, Because: "-v, -i and --stats choose what is shown, and --progress the bar"},
	{Names: "stderr outbuf", Value: true, Because: "errors go to standard error, in whole lines"},
	{Names: "inc-recursive i-r no-inc-recursive no-i-r", Because: "directories are listed when their turn comes, and entries are removed after their directory is copied"},
	{Names: "secluded-args protect-args s old-args no-secluded-args no-protect-args no-s no-old-args", Because: "no name passes through a shell of the other host"},
	{Names: "trust-sender", Because: "what another host sends is checked always"},
	{Names: "compress-choice zc compress-level zl compress-threads zt skip-compress", Value: true, Because: "compression is zstd, at the level that suits the connection"},
	{Names: "checksum-choice cc checksum-seed", Value: true, Because: "psync chooses checksums itself"},
	{Names: "block-size B", Value: true, Because: "psync chooses blocks itself"},
	{Names: "old-compress new-compress msgs2stderr no-msgs2stderr", Because: "they are older names of what has no effect"},
	{Names: "max-alloc", Value: true, Because: "memory is bounded anyway"},
	{Names: "blocking-io no-motd", Because: "there is neither a remote shell that needs it, nor a daemon"},
	{Names: "8-bit-output 8", Because: "letters beyond ASCII are shown as the locale of the environment says"},

	{Names: "iconv", Value: true, Instead: "names are kept byte for byte: convert them by convmv afterwards"},
	{Names: "fake-super", Instead: "owners are kept in the file system or not at all: run it as root, or pack the tree by tar"},
	{Names: "munge-links", Instead: "links are kept as they are: --safe-links leaves out those that lead out of the tree"},
	{Names: "copy-devices write-devices", Instead: "contents of devices are copied by dd"},
	{Names: "remove-sent-files", Instead: "write --remove-source-files"},
	{Names: "@", Value: true, Instead: "write --modify-window=SECONDS"},
	{Names: "drop-D", Instead: "write --no-D"},
	{Names: "confine-root", Value: true, Instead: "psync serve --root confines a host; here, links that others may have planted are not followed anyway"},
	{Names: "rsync-path", Value: true, Instead: "write --remote-psync=PATH, which is the psync there"},
	{Names: "copy-as", Value: true, Instead: "run psync as that user, by sudo -u USER psync"},
	{Names: "remote-option M", Value: true, Instead: "the options of the other host are those of this command line: leave it out"},
	{Names: "ipv4 4", Instead: "write -e 'ssh -4', or AddressFamily inet in the configuration of ssh"},
	{Names: "ipv6 6", Instead: "write -e 'ssh -6', or AddressFamily inet6 in the configuration of ssh"},
	{Names: "port", Value: true, Instead: "the port stands in the operand: ssh://HOST:PORT/PATH"},
	{Names: "address sockopts", Value: true, Instead: "psync opens no sockets of its own: set it in the configuration of ssh"},
	{Names: "config", Value: true, Instead: "psync has neither a daemon nor remotes of rclone: other hosts are HOST:PATH, by ssh"},
	{Names: "daemon dparam no-detach password-file early-input", Instead: noDaemon},
	{Names: "write-batch only-write-batch read-batch", Value: true, Instead: noBatch},
	{Names: "protocol", Value: true, Instead: "psync does not speak to rsync: install psync on the other host, or let SFTP serve"},
	{Names: "version V", Instead: "psync version prints it"},
}

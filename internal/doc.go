// Package internal holds the map of psync: what each package is for, and which
// packages it may use. A package imports lower floors only; imports_test.go
// enforces the table below, so a change of the map is a change of this file.
//
//	15 program           is what the main functions of psync and psync-cluster have in common
//	15 cluster/command   is the command line of psync-cluster
//	14 bench             measures psync against the copiers that a machine has
//	14 selftest          tries what a system and a volume really do, and what a copy makes of it
//	14 cli               turns words into runs, shows what they do, and maps errors to exit codes and hints
//	13 cli/misuse        says what is wrong with a command line, and what to type instead
//	13 cli/help          prints the help of psync and of its verbs
//	13 cluster/member    has this process take part in a job that several hosts share, as its command line says
//	12 cli/flags         defines the flags of psync, and what they say together
//	12 cli/proof         prints what a journal proves
//	11 cluster           has runs of the engine on several hosts share one job by a queue, and keeps the journal of that job
//	11 run               carries out copies, comparisons and removals, with their hosts, logs, journals and confinement
//	11 engine/enginetest makes trees alike by the engine, for tests of file systems
//	11 selftest/copying  checks what becomes of trees when psync copies them
//	10 engine            runs workers that claim directories and apply planned steps
//	10 cluster/facts     finds out what must be the same for all hosts that share a job
//	10 operand/removal   checks what is to be removed, and opens the directories that contain it
//	9  operand           refuses operands that cannot end well, and opens their directories
//	9  bench/chart       draws charts
//	9  selftest/facts    checks what a system and a volume do that psync goes by
//	9  cli/cpflags       parses command lines of cp(1)
//	8  cli/rsyncflags    translates command lines of rsync(1)
//	9  cli/manpage       writes man pages of commands
//	9  engine/dirs       makes directories of a destination, and finds out what a copy needs to know of a pair of directories
//	9  engine/entry      copies or compares entries that are not directories
//	9  record/page       makes a page to look at of logs
//	8  cli/argv          rewrites and checks arguments before flags are parsed
//	8  cli/flaggroup     lists flags under headings
//	8  cluster/overview  shows the state of a job that hosts share
//	8  engine/aliasop    finds operands, and entries of directories, whose names the destination treats as the name of another one
//	8  engine/mirror     removes from a destination what its source lacks
//	8  engine/place      makes entries of a destination under their names
//	8  engine/rootwatch  finds out that the path of a directory leads elsewhere than before
//	8  gnucp             copies as cp(1) of the GNU system does, by workers that claim directories
//	8  selftest/survey   finds out, before a tree is copied, what its destination will not keep
//	8  selftest/tree     makes and compares trees with all metadata, for checks
//	8  record            writes the logs of a run, and the list of what failed
//	8  ui/hang           reports what a program waits for that has been interrupted and does not end
//	7  engine/job        holds what a run is to do and knows of its directories, and reports what becomes of them
//	7  gnucp/contents    copies files as cp(1) does
//	7  selftest/check    runs checks, each in a directory of its own
//	7  sshhost           opens hosts that ssh reaches as file systems, by a psync there or by SFTP
//	7  ui                renders report events and statistics: bar, lines, summary, and names that are safe to print
//	6  agent             answers requests of a psync on another host from the files of this one
//	6  engine/pairs      opens pairs of directories, and keeps them open for the tasks below them
//	6  gnucp/attrs       gives copies the attributes that cp(1) gives them
//	6  vfs/remotefs      implements vfs on a psync that runs on another host
//	6  vfs/hosttest      holds what every implementation of vfs.Host must keep, for tests
//	6  vfs/suite         holds what every implementation of vfs.Dir must keep, for tests
//	5  agent/socket      lets further channels reach a server, by a socket, and another server end it
//	5  cli/foreign       knows flags and verbs of other programs, and says what to write instead
//	5  cli/stdout        writes standard output for programs that go on when it is lost
//	5  cli/values        parses the values of flags
//	5  engine/alias      finds entries of the source whose names the destination may take for one
//	5  engine/attrs      gives entries of the destination the attributes of those of the source, and lifts locks
//	5  engine/changed    finds out whether a file changes while it is read
//	5  engine/source     finds out which entries of the source take part, and what links are copied as
//	5  engine/peers      lets runs on several hosts share the directories of one copy
//	5  engine/steering   adjusts the number of workers of a run to what they get done
//	5  engine/sweep      removes temporaries of earlier runs
//	5  gnucp/entry       finds entries by paths as cp(1) does
//	5  journal/check     finds directories that a journal calls done, and that the destination does not have
//	5  manifest/check    compares the files of a tree with a list of checksums
//	5  vfs/remotefs/files reads and writes the files of a psync on another host
//	5  vfs/remotefs/listing receives listings of directories of a psync on another host, and what comes ahead of them
//	5  vfs/fstest        describes trees as text, for tests
//	4  engine/accounts   finds the accounts of a destination that those of a source stand for
//	4  engine/backup     keeps what a destination has before it is replaced, rewritten or removed
//	4  engine/dirnames   holds sets of names, and finds those that a file system may take for one
//	4  engine/volume     remembers what is known of each file system of a run
//	4  gnucp/policy      decides, without I/O, what cp(1) does
//	4  localfs           implements vfs on directory descriptors
//	4  mhl/history       continues the ASC MHL history of a directory
//	4  cluster/keys      makes certificates, credentials and configurations of servers of NATS
//	4  plan              decides, without I/O, what is copied, replaced and removed, and how
//	4  ui/order          prints the lines of a run in the order in which rsync prints them
//	4  vfs/remotefs/session exchanges requests and answers with a psync on another host
//	4  vfs/plainfs       has a directory copy and check plain files by general operations, for tests
//	4  sshconn           connects to hosts as the configuration of OpenSSH says
//	4  vfs/memfs         is a file system in memory, like that of Linux or macOS, for tests
//	4  vfs/asyncfs       has a directory answer later, as a host far away does, for tests
//	4  vfs/retry         waits for volumes and hosts that are out of reach, and makes calls again
//	4  walk              has workers deal with tasks and share their entries, keeps few directories open, and knows when all are done
//	3  content           moves and compares the bytes of one file
//	3  delayfs           counts and delays the operations that reach a file system, for tests
//	3  engine/hardlink   knows the entries with several names, and which of them are being copied
//	3  gnucp/listing     holds the entries of a directory in the order of cp(1), in little memory
//	3  localfs/overlap   finds out whether one directory lies inside another, by mount tables and firmlinks
//	3  localfs/pagecache reads and writes files without filling the page cache, if that is wanted
//	3  localfs/plain     copies and compares plain files with few system calls
//	3  localfs/trusted   opens paths, following no symbolic link that another user may have planted
//	3  output            prints what workers say in the order in which one of them would have said it
//	3  metadata          plans and orders attribute changes, by tables for each system
//	3  queue/natsqueue   holds a job that hosts share on a server of NATS
//	3  vfs/retry/outcome says what errors may mean: an outage, or a call that was carried out all the same
//	3  vfs/faultfs       has the operations of a directory fail or take time, for tests
//	3  vfs/memfs/kernel  decides what operations on a file system in memory do, as Linux and macOS, for tests
//	3  sshconn/auth      authenticates users at hosts: by keys of files and of the agent, by passwords, and by answers
//	3  sshconn/client    holds connections to hosts, and the channels that are opened by them
//	3  vfs/sftpfs        implements vfs on paths of an SFTP server
//	3  wire/link         moves frames over one or several channels
//	3  cluster/server    runs a server of NATS in this process
//	3  cluster/supervisor starts this program again when its fence has killed it
//	3  cluster/fence     ends this process before other hosts can take what it works on
//	2  cluster/scope     says what of a command line hosts that share a job must have alike, and what they cannot be asked for
//	2  content/sparse    writes files with holes where their bytes are zeros
//	2  vfs/sftpfs/pipeline sends requests on files by SFTP without waiting for the answers to those before
//	2  metrics           serves the state of a run to Prometheus
//	2  sshconn/hosterror says why hosts cannot be reached, and what can be done about it
//	2  sshconn/process   starts commands, with pipes that serve as connections
//	2  localfs/stat      converts between attributes of system calls and those of vfs
//	2  manifest          writes and reads lists of files and their checksums, as sha256sum does
//	2  vfs/unionfs       shows several directories as one to read from, as rsync merges sources
//	2  testtmp           has tests keep their temporary files in memory
//	2  queue/address     parses what --queue names, and says whether the server there can be trusted
//	2  queue/memqueue    holds a job in memory that hosts share
//	2  queue/protocol    decides, without I/O, what hosts that share a job do next, and when its rounds are over
//	2  queue/queuetest   holds what every implementation of queue.Queue must keep, and a network that is not reliable, for tests
//	2  sys/killtimer     has the kernel kill this process at a time, whatever the process does then
//	2  sys               wraps the system calls that os and x/sys do not offer
//	2  ui/estimate       says how far a run has come, how fast it is and how long it will take
//	2  ui/inhand         chooses which of the files that are being copied a progress display shows
//	2  operand/glob      expands patterns in paths of other hosts, for rsync
//	2  wire              encodes and decodes frames for a psync on another host, within limits
//	1  blocksum          makes checksums of the blocks of a file, for hosts to compare
//	1  bench/farhost     is a host far away for what is measured: an SSH server behind a proxy that delays
//	1  bench/recording   shows what commands write to a terminal as an animated image
//	1  bench/tree        generates, counts and changes the trees that are copied to measure
//	1  filesfrom         holds lists of paths to copy, such as --files-from names
//	1  filter            compiles include and exclude rules
//	1  campaign          says how many of their cases tests try, for tests
//	1  getopt            parses arguments as getopt_long(3) does
//	1  journal           records which directories of a run are done, and finds out what is left to do
//	1  operand/location  parses operands: paths of this host, and of hosts that ssh reaches
//	1  landlock          has the kernel forbid the process to change what it should not, on Linux
//	1  mhl               writes and reads the files of ASC MHL histories
//	1  pace              paces work: bytes a second, workers at a time
//	1  queue             defines what hosts share that work on one job: bundles of directories, claims, records, members
//	1  quote             quotes names for cp, and shows modes, as the GNU tools do
//	1  report            defines events, failures and statistics
//	1  selftest/acl      makes ACLs, for checks
//	1  sshconn/config    finds out what the configuration of OpenSSH says about a host
//	1  sshconn/hostkey   checks the keys of hosts against known_hosts files
//	1  tempname          names files that are not complete after the process that makes them
//	1  vfs               defines Dir, File, Node, Entry, Attr
//	0  buffer            keeps memory that the bytes of files and frames go through
//	0  growstack         makes the stack of a goroutine as large as it needs at once
//	0  filter/entries    reads files whose entries are rules or paths
//	0  filter/pattern    matches paths against the patterns of rules
//	0  cli/manual        holds the texts of the manual that the flags and commands do not have themselves
//	0  lazymap           sets entries of maps that exist only once they have any
//	0  sshconn/pattern   matches names of hosts against the patterns of OpenSSH
//	0  sshconn/printable makes what hosts and commands say fit to be shown to people
//	0  vfs/suite/effect  says how operations change a tree as text, for tests
//	0  ui/info           knows the kinds of lines that --info and --debug of rsync choose, with their levels
//	0  ui/cost           estimates how long work will take, from what earlier work took
//	0  ui/terminal       asks the user on the terminal of the process, and knows whether streams are terminals
//	0  version           describes the build of the program
//
// The packages of the top floor are programs of their own, called psync-selftest, psync-bench and psync-cluster: psync
// links nothing of them, nor of queue and cluster, which imports_test.go asserts, too.
//
// Package run is psync without a command line: cli turns words into its options, and shows its results.
//
// Three seams carry the rest: [psync/internal/vfs.Dir] (where bytes live),
// [psync/internal/walk.Pool] (who does what) and [psync/internal/report.Sink]
// (who learns of it). Decisions are pure and stand in plan, metadata, filter and
// gnucp/policy; what needs a look at the files to be decided stands in operand (refusals) and engine/mirror (what
// stays); effects stand in engine and its rooms; system calls stand in sys and localfs; texts for
// people stand in cli and ui. Package gnucp keeps the contract of another program, GNU cp: what cp
// decides, and what it says, is there, and what it does is done by walk, content and localfs.
//
// Third-party packages have one room each: cobra in cli, cli/flaggroup, cli/flags, cli/help, cli/manpage, cli/misuse
// and cli/rsyncflags, progressbar in ui, x/term in ui/terminal, gobwas/glob in filter/pattern, x/text in metadata, x/time in pace, go-fuse in delayfs,
// gonum/plot in bench/chart, pkg/sftp in vfs/sftpfs, klauspost/compress in wire, cespare/xxhash in mhl, x/sys in sys, landlock,
// localfs and its rooms (x/sys/cpu in sshconn), x/crypto/ssh in
// sshconn, sshconn/auth, sshconn/client and sshconn/hostkey, nats.go in queue/natsqueue, nats-server in
// cluster/server, nkeys in cluster/keys.
//
// # The path of one file
//
//  1. cli turns flags into run.Options, those of the engine (job.Options) among them. run connects to hosts. operand
//     refuses operands that cannot end well (overlap, a missing DEST) before anything is touched, and opens both roots.
//     run opens logs, the journal and other files, and has the kernel confine the process.
//  2. engine.Run starts the workers of a walk.Pool. Each claims the task of a directory, which
//     engine/pairs opens on both sides, beneath the roots and through no link.
//  3. The source is listed in chunks of bounded size, so memory does not grow with a directory.
//     engine/source selects the entries that take part, by the rules that filter has compiled.
//     engine/alias defers names that the destination may take for one.
//  4. plan says what to do with each name. Subdirectories come first: they are made, and their tasks
//     are put at once. Then engine/entry copies files, one after the other. Idle workers share the entries
//     that no worker has started on, and ranges of large files.
//  5. engine/place makes the entry: under a new name, under a temporary name that is renamed over
//     the old entry, or in place; with a backup of what was there by engine/backup, or as a link to
//     what another tree has. content moves the bytes by the cheapest way that both volumes offer.
//  6. engine/attrs reads what else the entry has, has it planned by metadata in the order that the
//     system needs, and sets it, times last. What a volume cannot keep, engine/volume remembers.
//  7. Of an entry with several names, one worker copies the first. Those that find another name
//     meanwhile go on, and link it in a task of a later phase.
//  8. With --delete, engine/mirror finds what the source lacks when the listing is complete. Files
//     are removed at once; each directory is a task of its own, emptied by many workers and removed
//     on the way up. With --max-delete everything is only counted at first.
//  9. A directory gets its attributes when its own entries are done. Those that take rights away,
//     or that later changes would spoil, are deferred to the end of the run.
//  10. Everything that happened is a report.Event, which ui prints. Only a destination that is full or
//     read-only, a root that is unmounted, a lost connection, a limit, or an interrupt ends a run early.
//
// # Where to look
//
//	a copy from within a program      run
//	psync compare                     engine/entry/compare.go; ui/compare.go has the lines
//	psync delete                      operand/removal, run/remove.go, engine/removejob.go and remove.go; cli/delete.go asks
//	psync status                      cli/status.go, cli/proof prints it; journal/audit.go finds out what is missing
//	how many workers a run has        run/threads.go and workers.go; walk/grow.go adds some while calls wait; -j auto: engine/steering
//	                                  and pace/climber.go
//	how a directory is listed         localfs/listing.go, for macOS list.go there; engine/list.go says whether names are kept
//	how many directories stay open    run/workers.go; walk/cache.go closes the others; for cp gnucp/limits.go
//	which flag means what             cli/flags; for psync rsync cli/rsyncflags, and cli/rsync.go for what the flags do together
//	which names take part             engine/source; filter compiles the rules, and filesfrom has --files-from
//	rules of directories              engine/dirs/rules.go has them read; filter/dirfile.go reads and inherits them, merge.go there has their
//	                                  modifiers; cvs.go has what -C leaves out
//	a SRC that does not exist         operand/sources.go; with -R relative.go there, for psync rsync slash.go
//	the order of entries              that of the listing, subdirectories first: engine/directory.go; that of directories: walk/stack.go
//	-u, -c, --size-only               plan/file.go; the fields are in plan/policy.go; for cp gnucp/policy/existing.go
//	how -c compares                   content/equal.go reads both; with a host content/sums.go, and blocksum has the hash
//	--existing, --ignore-existing     plan/plan.go
//	where a SRC goes in DST           operand/operand.go, with -R operand/location/relative.go and relative.go, for psync rsync operand/slash.go
//	several sources that are merged   operand/merge.go says when; vfs/unionfs shows them as one
//	DST in SRC, SRC in DST            operand/overlap.go and sourceindest.go; localfs/overlap asks the system
//	what --list-only lists            engine/source/list.go; ui/listing.go has the format
//	flags that exclude each other     cli/flags/misuse.go; for cp cli/cpflags/cpflags.go
//	a new flag                        a table in cli/flags, and the field that it sets; for cp cli/cpflags
//	man pages                         cli/manpage/manpage.go; usage.go there for those of cp and psync-selftest
//	texts of the manual and the help  cli/manual and cli/help; those of flags stand in the tables of cli/flags
//	what a shell completes            cli/completion.go, and cli/completion for each shell; for cp cli/cpflags
//	headings of the help              cli/flags/heading.go; cli/help is what is printed
//	which task comes next             walk/stack.go
//	what is left for later            engine/queue.go has the phases, ack.go acknowledges tasks; engine/record.go has the journal record
//	                                  a directory when none of it is left
//	which names are deleted           engine/mirror/extraneous.go, guard.go there for what stays, and empty.go for the
//	                                  directories that hold it; --delete-excluded: filter/rules.go
//	whether and when they are         engine/directory.go and delete.go ask plan/removal.go; engine/mirror/premise.go looks at the
//	                                  source once more
//	--max-delete                      engine/mirror/count.go counts; engine/job/budget.go refuses; plan/removal.go has the percentage
//	names that differ only in case    engine/alias/detector.go, also those that differ in how letters are composed, or in dots and
//	                                  spaces at the end; engine/dirnames/key.go says which are alike
//	--backup                          engine/backup; dir.go and dirattrs.go there for its directories; for cp gnucp/policy/backup.go, which
//	                                  has the numbers, and gnucp/backup.go
//	temporary name or in place        plan/method.go, which engine/entry/placing.go may overrule; engine/place does it
//	how much is read at once          content/route.go, and cache.go there where the page cache is left alone
//	--append                          plan/file.go says which files; content/continue.go; engine/place/patch.go; --append-verify compares
//	                                  there first
//	how bytes are moved               content/reflink.go clones, move.go copies in the kernel, or reads and writes; copy.go chooses, route.go remembers
//	                                  what was refused
//	work that workers share           entries: walk/sharedentries.go, engine/share.go; large files: content/ranges.go, engine/entry/ranges.go
//	                                  says from which size on
//	holes                             content/extent.go; hidden.go there if the source reports none; content/sparse for --sparse
//	large files that changed in part  plan/patch.go says which; content/patch.go sends what differs; --verify checks what came of it
//	the order of chmod, chown, times  metadata/profile.go; which mode is wanted, and set-id bits after chown: planmode.go there;
//	                                  for cp gnucp/attrs
//	--chmod                           metadata/chmod.go parses and applies it
//	attributes of a directory         engine/finish.go; deferred.go for what is set last; engine/job/access.go notes changed times
//	a new attribute                   vfs/attr.go, and wire/values.go and the version in frame.go for hosts; localfs and sys read and set it;
//	                                  Keep in metadata/metadata.go, its class in plan.go, its place in profile.go; report/attr.go has its
//	                                  names and letter, cli/flags/metadataflags.go its flag; vfs/memfs/kernel for tests. One that stat(2)
//	                                  lacks is better an extended attribute, as ACLs are: localfs, metadata/xattrpolicy.go, report, the flag
//	what is not kept, and its words   engine/attrs/policy.go notes it; ui/unkept.go has the words, ui/dropped.go those for what no flag asks for
//	attributes over SFTP              vfs/sftpfs/change.go, for open files file.go, for new ones newfile.go; sftpfs.go there says what the
//	                                  protocol lacks
//	the mode of a new file            metadata/metadata.go takes the umask away, which operand/roots.go has; engine/attrs/inherited.go
//	                                  has that of a default ACL
//	owners by name, --usermap         cli/flags/accounts.go decides, by --numeric-ids, too; accountmap.go and chown.go there parse;
//	                                  engine/accounts finds them; metadata/metadata.go applies them, accounts.go there to ACLs
//	ACLs and extended attributes      metadata/xattrpolicy.go says which, by system, planxattr.go what changes, and whether two are
//	                                  equal; posixacl.go, nfs4.go and filesec.go (macOS) there have the formats of ACLs
//	new directories far away          engine/dirs/inspect.go
//	entries with several names        engine/hardlink; engine/entry/hardlink.go and awaiting.go make the links
//	a full disk                       engine/job/fatal.go says which errors, report.go there what then; engine/entry/room.go
//	                                  looks before
//	a server that does not answer     vfs/retry/outcome says which errors; vfs/retry/volume.go waits, dir.go there calls again;
//	                                  engine/entry/file.go copies files again; --retry-for: cli/flags/runflags.go
//	--require, and an empty DST       operand/roots.go; run/journal.go with --resume
//	an unmounted SRC or DST           engine/rootwatch
//	what the kernel forbids a run     run/confine.go; landlock
//	links that others plant           vfs: no call follows one; localfs/trusted for paths of operands and of files; run/exposed.go
//	a lost connection                 vfs/retry/connection.go; agent/join.go has the server end that a psync there had before; if it
//	                                  cannot be made again, vfs/lost.go, and engine/job/report.go ends the run;
//	                                  vfs/retry/reconnect.go says how often it is tried
//	a host that is silent             sshhost/silence.go reports it; vfs/remotefs/session/ping.go and agent/silence.go keep a session alive
//	--verify                          content/verify.go; engine/place/verify.go says what becomes of a mismatch
//	--delay-updates                   engine/entry/delay.go; engine/queue.go says in which phase
//	--bwlimit                         pace/limiter.go; among hosts that share a job queue/protocol/rate.go
//	creation times                    metadata/plantimes.go
//	rules for extended attributes     filter/xattrs.go; metadata/planxattr.go goes by them
//	attributes between two systems    metadata/xattrpolicy.go, by the system of DST; planxattr.go there finds what is lost
//	--link-dest and its like          plan/alternative.go decides; engine/place/alternative.go finds the file, engine/entry/alternative.go
//	                                  takes or links it
//	-L, --safe-links and their like   plan/links.go; engine/source/link.go
//	-x                                engine/subdirectory.go; engine/source/list.go
//	a file that changes meanwhile     engine/changed, racy.go there if it has just changed; engine/entry/shortcut.go leaves it to the general
//	                                  way; engine/place/unchanged.go; engine/attrs/made.go sets its time
//	what signals do                   cli/run.go: Ctrl-T shows the state where there is one, USR1 and USR2 change the workers
//	an interrupt                      program/interrupt.go
//	memory, threads, the collector    program/tune.go
//	what rsync has and psync has not  the tables of cli/manual/psync-rsync.md; operand/location refuses addresses of daemons
//	a flag that does not exist        cli/misuse; those of rsync and others: the tables of cli/manual, by cli/foreign
//	a flag that has no effect         cli/flags/ignored.go
//	locks, such as chflags uchg       engine/attrs/lift.go; engine/job/access.go and engine/mirror/remove.go ask for it
//	--fsync                           engine/place/write.go syncs each file, engine/job/fsync.go volumes: at the end, and when
//	                                  journal/writer.go says so; what must be synced without it: content/durable.go
//	-m                                engine/source/source.go
//	--remove-source-files             engine/entry/removesource.go; engine/removesource.go syncs before; engine/job/removesource.go keeps
//	                                  what has names that were not copied
//	--ignore-errors                   engine/directory.go
//	what -a keeps, by system          metadata/profile.go
//	what the user may not set         metadata/op.go; engine/attrs/op.go
//	access times of SRC               localfs/dir.go leaves them alone; run/options.go says when
//	-n                                each effect asks DryRun: file.go, special.go, hardlink.go in engine/entry, engine/dirs/make.go,
//	                                  engine/finish.go, engine/mirror/remove.go; operand/roots.go makes no DST
//	a file that was not completed     engine/place/partial.go removes it, partialdir.go keeps it; patch.go there goes on from it
//	--fuzzy                           plan/similar.go; engine/place/similar.go
//	--partial-dir                     engine/place/partialdir.go keeps it there, patch.go there takes it for a base
//	an entry that vanishes            engine/job/report.go
//	--files-from                      filesfrom/list.go; filter/entries cuts files into entries
//	--max-size, --max-age             plan/file.go; values.go and age.go in cli/values parse them
//	links, FIFOs and devices          engine/entry/special.go; engine/place/special.go makes them
//	times that a volume rounds        metadata/tolerance.go; engine/job/granularity.go measures; sys/volume.go has what systems report
//	kinds of volumes, network or not  sys/volume.go; what a run finds out about one: engine/volume
//	compression between hosts         wire/link/choice.go decides when; wire/compress.go does it
//	the lines at the end of a run     ui/summary.go; figures.go there has the numbers
//	what is counted, not listed       ui/note.go, with its lines in noteline.go; reason.go shortens errors
//	what cp refuses, and its words    gnucp/entry.go; the package gnucp/entry finds entries by paths
//	what cp does with an operand      gnucp/operand.go, -t and -T, too; with --parents parents.go; tree.go and directory.go for what is below it
//	parts of a listing from a host    agent/list.go; vfs/remotefs/listing
//	versions that differ, no psync    sshhost/greeting.go finds it out, and open.go there tries SFTP; the number is in wire/frame.go
//	when a run ends by the clock      cli/values/until.go; engine/until.go, by bytes too: pace/quota.go
//	--mhl                             mhl has the format; mhl/history, which run/checksums.go calls
//	what --resume believes            engine/record.go; engine/dirs/present.go looks at the destination, psync status --check
//	                                  by journal/check at all of it
//	--manifest                        engine/entry/hash.go; manifest has the lines, and manifest/check is compare --manifest
//	lines of -v, -i and --out-format  ui/step.go, itemize.go, outformat.go; rsync.go has what else psync rsync prints, by ui/info,
//	                                  which cli/rsyncflags/shown.go reads, and ui/order has their order
//	names that are printed            ui/escape.go; for cp quote; what a host says: sshconn/printable
//	how much is left, and how fast    ui/estimate, and ui/cost; ui/status.go has the words; ui/progress.go says when it is drawn,
//	                                  ui/bar.go draws it
//	which files in hand are shown     ui/inhand; ui/fileline.go has their lines; engine/entry/worker.go counts their bytes
//	how many files there are          engine/source/count.go; agent/count.go on another host
//	numbers, sizes and durations      ui/format.go; --stats: ui/stats.go; cli/values parses them
//	what cp -i, -n and --update do    gnucp/policy/existing.go decides; gnucp/existing.go asks, skips and fails
//	the journal's format              journal/record.go and header.go
//	a journal that is in use          journal/lock.go
//	--json, --log-file                record: event.go has the members of a line of --json; run/log.go opens the files
//	psync report                      record/page: digest.go reads the logs, page.go and cards.go say what is shown, write.go
//	                                  writes the HTML
//	exit codes and hints              cli/exit.go and cli/hints.go; cli/messages.go prints them
//	SSH operands and their flags      operand/location, run/hosts.go, cli/flags/remote.go; sshhost opens the host
//	patterns in HOST:PATH             operand/glob, which run/hosts.go calls for psync rsync; :PATH and --old-args: cli/rsyncflags/operands.go
//	how psync is found on a host      sshhost/open.go; command.go has the commands, and bootstrap.go puts it there; cli/serve.go
//	                                  is what runs
//	what a server may be asked for    agent/beneath.go, for --root; wire refuses what is out of its limits
//	how a host is reached             sshconn/native.go: by ProxyJump, by ProxyCommand, directly, or by ssh itself; sshconn/config
//	                                  reads the configuration of OpenSSH; sshconn/algorithms.go says which ciphers and keys
//	-e, and ssh itself                sshconn/dialer.go chooses; master.go there starts ssh, sshconn/client/command.go other commands
//	how a user is authenticated       sshconn/auth, key.go there for keys and their passphrases; where ssh itself connects, ssh does it
//	passwords, and other questions    ui/terminal/ask.go asks on the terminal; sshconn/askpass.go has another program ask
//	unknown and changed keys of hosts sshconn/hostkey/hostkey.go; sshconn/login.go asks the user about unknown ones; where
//	                                  ssh itself connects, ssh checks
//	what a psync asks another one     the messages of wire, in session.go, directory.go, listing.go, read.go, write.go and
//	                                  attributes.go; vfs/remotefs asks, wire/link carries it, agent answers
//	a new message                     a type in one of these files, a line of wire/message.go, a case of one of
//	                                  agent.answerDir, answerFile, answerTarget and answerHost
//	a new file system                 a package vfs/NAME, and run/hosts.go, which chooses it
//	names that DST refuses            only its system decides; record/hint.go has the hint, selftest/survey/names.go foresees them
//	what psync-selftest predicts      selftest/survey; kinds.go there has the words
//	names of temporaries              tempname; engine/sweep removes old ones, for cp gnucp/contents
//	a test of what a user sees        testdata/script, a file for each behaviour, which cmd/psync/script_test.go runs
//	tests of failures                 each call once: vfs/faultfs and fault_test.go in engine; the process killed, the power cut, random trees
//	                                  and command lines: cmd/psync
//	tests against other programs      cp: cmd/psync/cp_*_test.go; rsync: cmd/psync/random_*_test.go
//	system calls of macOS, FreeBSD    cmd/psync/headers_table_test.go and testdata/darwin-symbols.txt, which make cross checks
//	several hosts, one job            queue has the contract, protocol there decides, also how long a lease
//	                                  lasts; queuetest has a suite and a network with faults
//	what --queue does                 run/member.go is the seam; cluster/member: find.go has who begins a job and who waits, member.go the
//	                                  rest, figures.go shares of --bwlimit; cluster/command and program connect it to cli
//	how hosts share directories       cluster/exchange.go and claim.go; engine/peers is what the engine has to know, engine/exchange.go and
//	                                  shareddirectory.go what it does
//	-H, --max-delete of a shared job  cluster/list.go says how the work is divided, and keeperlist.go and partlist.go where; journal/left.go
//	                                  finds the directories, engine/entry/sharedlinks.go links; cluster/keeper.go compares counts
//	how a lease is renewed            cluster/lease.go
//	temporaries of lost hosts         cluster/process.go asks the members of the job; tempname decides
//	when a shared job is over         cluster/keeper.go, which writes its journal and audits it
//	what a server of a job holds      queue/natsqueue: a message for each change, which all hosts carry out; record.go has the records,
//	                                  follower.go receives the messages
//	a server that loses a part of it  queue/natsqueue: past.go decides, loss.go asks; queue/memqueue/server.go waits
//	who may write to it               cluster/keys/keys.go, cluster/server/server.go and queue/address
//	what hosts must have alike        cluster/scope has the flags, and says which cannot be used; cluster/facts has all
//	                                  else, and marks DST: mark.go; queue/facts.go compares; mounts: localfs/overlap
//	how a shared job gets on          cluster/overview has the lines; queue.Status what hosts report
//	a host that was stopped           cluster/fence kills it, by sys/killtimer; cluster/supervisor starts it again
//	packages and releases             Makefile, .goreleaser.yaml and .ci, none of it in internal
//	rules of this code                imports_test.go and words_test.go here; cmd/psync/*_test.go count calls, allocations and what starts
package internal

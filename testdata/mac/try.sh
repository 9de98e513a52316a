#!/bin/sh
# Tries psync on a Mac: what nobody could try who wrote it. It takes about twenty minutes and one GB
# of disk space, and nine more to time the copy of a large file. Run it from the directory of psync, and
# send back what it prints:
#
#	sh testdata/mac/try.sh [SHARE] 2>&1 | tee psync-on-my-mac.txt
#
# SHARE is a directory on a server, such as /Volumes/nas/tmp, to be tried as well: copies from there are
# timed, too, which may take long. TIMES in the environment is how often each copy is timed (3), or 0. The
# psync that is tried is the program that PSYNC in the environment names, or bin/psync; or else Go builds it, as it
# does with psync-selftest unless that is beside psync.
#
# All that is made is in one temporary directory, and in one in SHARE, and goes in the end, also after
# Ctrl-C. Of your own files none is changed, and none is named in the output.
set -u
export LC_ALL=C

here=$(cd "$(dirname "$0")/../.." && pwd) || exit
share=${1-}
times=${TIMES-3}
files=20000 # small ones, and
large=2048  # MiB of the large one, that are copied to be timed
if [ -n "$share" ] && [ ! -d "$share" ]; then
	echo "$share is no directory" >&2
	exit 1
fi

top=$(mktemp -d "${TMPDIR:-/tmp}/psync-try.XXXXXX") || exit
top=$(cd "$top" && pwd -P) || exit
far=
churning= # the process that changes a directory

cleanup() {
	trap '' INT TERM HUP
	[ -z "$churning" ] || { kill "$churning" && wait "$churning"; } 2>/dev/null
	for d in "$far" "$top"; do
		[ -n "$d" ] || continue
		chflags -R nouchg "$d" 2>/dev/null # or else what is locked could not be removed
		chmod -R -N "$d" 2>/dev/null
	done
	for m in "$top"/mnt/*; do
		[ -d "$m" ] || continue
		hdiutil detach -quiet "$m" || hdiutil detach -quiet -force "$m"
	done
	# What is still mounted must not be emptied.
	if mount | grep -qF " on $top/"; then
		echo "left behind, for something is still mounted there: $top" >&2
	else
		rm -rf "$top"
	fi
	[ -z "$far" ] || rm -rf "$far"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

if [ -n "$share" ]; then
	far=$(mktemp -d "$share/psync-try.XXXXXX") || exit
fi

psync=${PSYNC:-$here/bin/psync}
if [ ! -x "$psync" ]; then
	psync=$top/psync
	(cd "$here" && CGO_ENABLED=0 go build -o "$psync" ./cmd/psync) || exit
fi
selftest=$(dirname "$psync")/psync-selftest
if [ ! -x "$selftest" ]; then
	selftest=$top/psync-selftest
	(cd "$here" && CGO_ENABLED=0 go build -o "$selftest" ./cmd/psync-selftest) || exit
fi

failed=0

section() { printf '\n=== %s\n' "$*"; }

# shorten prints what it reads, without names of yours.
shorten() { sed -e "s|$top|TMP|g" -e "s|${far:-$top}|SHARE|g" -e "s|$HOME|HOME|g" -e "s|mounted by $user|mounted by USER|"; }
user=$(id -un)

# run prints a command and what it says, and sets $status.
run() {
	echo "\$ $*" | shorten
	"$@" >"$top/out" 2>"$top/err"
	status=$?
	shorten <"$top/out"
	shorten <"$top/err"
	[ "$status" = 0 ] || echo "(exit status $status)"
}

# check prints PASS or FAIL: check WORDS COMMAND [ARG...]
check() {
	words=$1
	shift
	if "$@"; then
		echo "PASS $words"
	else
		echo "FAIL $words"
		failed=$((failed + 1))
	fi
}

is() { [ "$1" = "$2" ]; }
has() { case $1 in *"$2"*) true ;; *) false ;; esac }
silent() { [ "$status" = 0 ] && [ ! -s "$top/out" ]; }

# image makes a disk image of a file system, and mounts it at $top/mnt/NAME: image NAME SYSTEM [SIZE]
image() {
	mkdir -p "$top/mnt/$1" &&
		hdiutil create -quiet -type SPARSE -size "${3-500m}" -uid "$(id -u)" -gid "$(id -g)" -mode 755 -fs "$2" -volname "psync-$1" "$top/$1" &&
		hdiutil attach -quiet -nobrowse -owners on -mountpoint "$top/mnt/$1" "$top/$1.sparseimage" && return
	echo "FAIL no image of $2"
	failed=$((failed + 1))
	rmdir "$top/mnt/$1"
}

# plant makes a tree of what Macs have.
plant() {
	mkdir -p "$1/doc" "$1/protected"
	echo text >"$1/doc/plain"
	cp "$1/doc/plain" "$1/doc/tagged" && xattr -w com.apple.metadata:_kMDItemUserTags red "$1/doc/tagged"
	cp "$1/doc/plain" "$1/doc/quarantined" && xattr -w com.apple.quarantine '0081;0;try;' "$1/doc/quarantined"
	cp "$1/doc/plain" "$1/doc/read-only" && chmod 444 "$1/doc/read-only"
	cp "$1/doc/plain" "$1/doc/hidden" && chflags hidden "$1/doc/hidden"
	cp "$1/doc/plain" "$1/doc/old" && touch -t 200101010101 "$1/doc/old"
	forked "$1/doc/forked"
	ln -s plain "$1/doc/link" && xattr -s -w user.x 1 "$1/doc/link"
	echo text >"$1/protected/f" && chmod +a 'everyone deny delete' "$1/protected"
	cp "$1/doc/plain" "$1/doc/locked" && chflags uchg "$1/doc/locked"
}

# forked makes a file with a resource fork and Finder info.
forked() {
	echo data >"$1"
	echo fork >"$1/..namedfork/rsrc"
	xattr -wx com.apple.FinderInfo "5445585474747874$(printf '%048d' 0)" "$1"
}

# shellcheck disable=SC2002 # where there is none, it has 0 bytes
forkOf() { cat "$1/..namedfork/rsrc" 2>/dev/null | wc -c | tr -d ' '; }

# state prints the flags and the blocks of a file.
state() { stat -f '%Sf, %b blocks, %z bytes' "$1"; }

section "this Mac"
run sw_vers
run uname -m
echo "user $(id -u)"
run "$psync" version

section "volumes"
image apfs APFS
image cased "Case-sensitive APFS"
image hfs HFS+
image exfat ExFAT
image fat "MS-DOS FAT32"
volumes=
for m in "$top"/mnt/*; do
	[ -d "$m" ] && volumes="$volumes ${m##*/}"
done
mount | grep -F " on $top/" | shorten
if [ -n "$far" ]; then
	df "$far" | tail -1 | awk '{ print "share:", $2, "blocks" }'
fi

# at returns the directory to work in on a volume.
at() {
	case $1 in
	share) echo "$far" ;;
	*) echo "$top/mnt/$1" ;;
	esac
}
[ -z "$far" ] || volumes="$volumes share"

for v in $volumes; do
	section "selftest on $v"
	run "$selftest" -v --metadata "$(at "$v")"
	check "selftest on $v" is "$status" 0
done

apfs=$top/mnt/apfs
hfs=$top/mnt/hfs

section "clones of compressed files"
mkdir "$apfs/compressed"
run ditto --hfsCompression /usr/share/dict/web2 "$apfs/compressed/words"
before=$(state "$apfs/compressed/words")
check "ditto compresses" has "$before" compressed
run "$psync" copy -a "$apfs/compressed" "$apfs/clones"
check "the source stays compressed: $before" is "$(state "$apfs/compressed/words")" "$before"
check "the clone is compressed" is "$(state "$apfs/clones/words")" "$before"
check "the clone has the same contents" cmp "$apfs/compressed/words" "$apfs/clones/words"

section "forks, beside cp"
mkdir "$apfs/forks"
forked "$apfs/forks/f"
cp "$apfs/forks/f" "$apfs/by-cp"
check "cp keeps a fork" is "$(forkOf "$apfs/by-cp")" 5
for how in "copy" "copy -a" "sync" "" "cp"; do
	# shellcheck disable=SC2086 # of words
	run "$psync" $how "$apfs/forks/f" "$apfs/compressed"
	echo "cp keeps $(forkOf "$apfs/by-cp") bytes of the fork, psync $how $(forkOf "$apfs/compressed/f")"
	case $how in
	copy* | sync) check "psync $how keeps the fork as cp does" is "$(forkOf "$apfs/compressed/f")" "$(forkOf "$apfs/by-cp")" ;;
	*) ;; # they warn
	esac
	rm -f "$apfs/compressed/f"
done

plant "$apfs/tree"
for v in $volumes; do
	section "-a twice: $v"
	to=$(at "$v")/copy
	run "$psync" sync -a "$apfs/tree" "$to"
	check "the first run" is "$status" 0
	run "$psync" sync -a -i "$apfs/tree" "$to"
	check "the second run finds nothing to do" silent
	run ls -lnOe@ "$to/doc"
done

section "locks and protected folders"
for v in apfs hfs; do
	from=$top/mnt/$v/locks
	to=$top/mnt/$v/locks-copy
	[ -d "$top/mnt/$v" ] || continue
	plant "$from"
	run "$psync" sync -a "$from" "$to"
	chflags nouchg "$from/doc/locked"
	echo "longer text" >"$from/doc/locked"
	chflags uchg "$from/doc/locked"
	run "$psync" sync -a --delete "$from" "$to"
	check "a locked file is updated on $v" cmp "$from/doc/locked" "$to/doc/locked"
	chflags nouchg "$from/doc/locked"
	rm "$from/doc/locked"
	chmod -N "$from/protected"
	rm -r "$from/protected"
	run "$psync" sync -a --delete "$from" "$to"
	check "a locked file is deleted on $v" [ ! -e "$to/doc/locked" ]
	check "a protected folder is deleted on $v" [ ! -e "$to/protected" ]
done

# reference makes a directory with the files PREFIX1 to PREFIXn: reference DIRECTORY PREFIX n
reference() {
	mkdir -p "$1" &&
		(cd "$1" && awk -v p="$2" -v n="$3" 'BEGIN { for (i = 1; i <= n; i++) { f = p i; print "text of", f >f; close(f) } }')
}

# holds reports whether a directory has all that another one has: holds DIRECTORY OTHER
holds() { ! diff -r "$2" "$1" 2>&1 | grep -vF "Only in $1" | shorten | grep .; }

# count counts the files of a tree. Those in which macOS keeps attributes on foreign volumes are parts of others.
count() { find "$1" -type f ! -name '._*' | wc -l | tr -d ' '; }

# More files than are listed at a time are removed, as a volume may list by position what is left.
reference "$top/listed/sub" f 3000
for v in $volumes; do
	section "sources are removed: $v"
	from=$(at "$v")/moving
	cp -R "$top/listed" "$from" || { echo "SKIP $v: no files can be made" && continue; }
	run "$psync" copy --remove-source-files "$from" "$top/moved-$v"
	check "the run" is "$status" 0
	check "the copy has all files" holds "$top/moved-$v" "$top/listed"
	check "the source has none" is "$(count "$from")" 0
	rm -rf "$from" "$top/moved-$v"
done

# churn makes and removes files of a directory, ten at a time, until there is $top/enough.
churn() {
	trap - EXIT INT TERM HUP # the cleaning up is not its own
	while [ ! -e "$top/enough" ]; do
		for group in 1 2 3 4 5 6 7 8 9; do
			set --
			for i in 0 1 2 3 4 5 6 7 8 9; do
				set -- "$@" "$churned/comes-$group$i"
				echo text >"$churned/comes-$group$i"
			done
			echo text >"$churned/more-$group"
			rm -f "$@" "$churned/goes-$group"*
		done
	done
}

# What comes and goes may be gone (24), or change while it is copied (23).
endedWell() {
	case $status in
	0 | 23 | 24) ! grep -q stays- "$top/err" ;;
	*) false ;;
	esac
}

reference "$top/stays" stays- 3000
for v in $volumes; do
	section "a directory that changes meanwhile: $v"
	churned=$(at "$v")/churned
	cp -R "$top/stays" "$churned" || { echo "SKIP $v: no files can be made" && continue; }
	reference "$churned" goes- 1000 || { echo "SKIP $v: no files can be made" && continue; }
	rm -f "$top/enough"
	churn &
	churning=$!
	until [ -e "$churned/more-9" ] || ! kill -0 "$churning" 2>/dev/null; do :; done
	run "$psync" copy -q "$churned" "$top/churned-$v"
	check "names came and went until its end" kill -0 "$churning"
	: >"$top/enough"
	wait "$churning"
	churning=
	check "the run fails for no file that stays" endedWell
	check "each file that was there throughout is copied" holds "$top/churned-$v" "$top/stays"
	rm -rf "$churned" "$top/churned-$v"
done

section "roots of volumes"
if [ -d "$apfs" ] && [ -d "$hfs" ]; then
	mkdir -p "$apfs/.Trashes/of-apfs" "$apfs/.TemporaryItems/of-apfs" "$hfs/.Trashes/of-hfs"
	run "$psync" sync -a -q --delete "$apfs" "$hfs"
	check "from volume to volume" is "$status" 0
	check "what the destination's trash holds stays" [ -d "$hfs/.Trashes/of-hfs" ]
	check "the source's trash is not copied" [ ! -e "$hfs/.Trashes/of-apfs" ]
	check "nor are its temporary items" [ ! -e "$hfs/.TemporaryItems/of-apfs" ]
	run "$psync" sync -a -i --delete "$apfs" "$hfs"
	check "the second run finds nothing to do" silent
fi

section "Full Disk Access"
# What a dry run lists stays here.
for d in "$HOME/Library/Safari" "$HOME/Library/Mail"; do
	if ls "$d" >/dev/null 2>&1 || [ ! -d "$d" ]; then
		echo "SKIP $(basename "$d"): this terminal has access, or there is none"
		continue
	fi
	"$psync" copy -n "$d" "$top/none" >/dev/null 2>"$top/err"
	echo "exit status $?"
	check "psync says where access to $(basename "$d") is granted" grep -q "Full Disk Access" "$top/err"
done

section "Ctrl-T"
mkdir "$top/big"
dd if=/dev/zero of="$top/big/f" bs=1048576 count=40 2>/dev/null
"$psync" copy --bwlimit=2M "$top/big" "$top/slow" >"$top/out" 2>"$top/err" &
pid=$!
sleep 2
kill -INFO "$pid"
sleep 1
kill -TERM "$pid"
wait "$pid"
echo "exit status $?"
shorten <"$top/err"
check "Ctrl-T shows how far it is" grep -q '^progress: ' "$top/err"

# timed runs a command, keeps what it says as run does, and adds the seconds that it took to a file: timed FILE COMMAND...
timed() {
	seconds=$1
	shift
	# shellcheck disable=SC2016 # The inner shell expands these: time itself must not write to the same file.
	time -p sh -c 'to=$1; shift; "$@" >"$to/out" 2>"$to/err"' sh "$top" "$@" 2>"$top/time"
	status=$?
	awk '$1 == "real" { print $2 }' "$top/time" >>"$seconds"
}

# by copies a directory as a tool does, and prints why it could not: by FILE TOOL FROM TO
by() {
	case $2 in
	psync) timed "$1" "$psync" copy -a "$3" "$4" ;;
	cp) timed "$1" cp -Rp "$3" "$4" ;;
	ditto) timed "$1" ditto "$3" "$4" ;;
	rsync) timed "$1" rsync -a "$3/" "$4" ;;
	esac
	[ "$status" = 0 ] || { echo "$2: exit status $status" && shorten <"$top/err"; }
}

# again copies where nothing is to be done, by the tools that look: again FILE TOOL FROM TO
again() {
	case $2 in
	psync)
		timed "$1" "$psync" sync -a -i "$3" "$4"
		check "psync finds nothing to do" silent
		;;
	rsync) timed "$1" rsync -a "$3/" "$4" ;;
	esac
}

# median prints the median of a file of numbers, or a dash.
median() {
	sort -n "$1" 2>/dev/null | awk '{ s[NR] = $1 } END { if (NR == 0) print "-"; else print s[int((NR + 1) / 2)] }'
}

row() { printf '%-42s %8s %8s %8s %8s\n' "$@"; }

# rows adds the medians of one kind of copy to the table: rows KIND WORDS
rows() {
	row "$2" "$(median "$took/$1.psync")" "$(median "$took/$1.cp")" "$(median "$took/$1.ditto")" "$(median "$took/$1.rsync")" >>"$table"
}

# compete has each tool copy a directory in turn, several times: compete WORDS FROM TO [again]
compete() {
	took=$top/took
	rm -rf "$took"
	mkdir "$took" || return
	round=0
	while [ "$round" -lt "$times" ]; do
		round=$((round + 1))
		for tool in psync cp ditto rsync; do
			command -v "$tool" >/dev/null || [ "$tool" = psync ] || continue
			sync # or else it would wait for what the last one wrote
			by "$took/copy.$tool" "$tool" "$2" "$3"
			[ "$tool" != psync ] || [ "$round" -gt 1 ] || check "psync copied all: $1" holds "$3" "$2"
			[ -z "${4-}" ] || again "$took/again.$tool" "$tool" "$2" "$3"
			rm -rf "$3"
		done
	done
	rows copy "$1"
	[ -z "${4-}" ] || rows again "$1, nothing to do"
}

# small makes a tree of $files files of one to eight KiB, a hundred in each directory.
small() {
	mkdir -p "$1" && (
		cd "$1" || exit
		awk -v n="$files" 'BEGIN { for (i = 0; i < n / 100; i++) print "d" i }' | xargs mkdir
		awk -v n="$files" 'BEGIN {
			for (kib = ""; length(kib) < 1023; ) kib = kib "x"
			for (i = 0; i < n; i++) {
				f = "d" int(i / 100) "/f" i
				for (j = 0; j <= i % 8; j++) print kib >f
				close(f)
			}
		}'
	)
}

# largeFile makes a directory with one file of $large MiB that has no zeros to leave out.
largeFile() { mkdir -p "$1" && dd if=/dev/urandom of="$1/f" bs=1048576 count="$large" 2>/dev/null; }

freeGB() { df -kP "$1" | awk 'NR == 2 { print int($4 / 1048576) }'; }
onAPFS() { mount | grep -q "^$(df -kP "$1" | awk 'NR == 2 { print $1 }') on .*(apfs[,)]"; }

# race times copies of two trees made in a directory: race WORDS FROM [NAME TO]...
race() {
	route=$1
	origin=$2
	shift 2
	small "$origin/small" || return
	[ -z "$room" ] || largeFile "$origin/large" || return
	while [ $# -gt 0 ]; do
		compete "$route $1: $files files" "$origin/small" "$2/to" again
		[ -z "$room" ] || compete "$route $1: $large MiB" "$origin/large" "$2/to"
		shift 2
	done
	rm -rf "$origin/small" "$origin/large"
}

section "times"
table=$top/table
room=yes
[ "$(freeGB "$top")" -ge 10 ] || { echo "SKIP the file of $large MiB: less than 10 GB are free" && room=; }
row "median of $times, in seconds" psync "cp -Rp" ditto "rsync -a" >"$table"
rsync --version 2>&1 | head -1
mkdir "$top/speed"
if [ "$times" = 0 ]; then
	echo "SKIP times: TIMES is 0"
elif ! onAPFS "$top"; then
	echo "SKIP times: temporary files are not on APFS"
else
	image speed APFS 5g
	if [ -d "$top/mnt/speed" ]; then
		race "APFS to" "$top/speed" "itself" "$top/speed" "another" "$top/mnt/speed"
	fi
	if [ -n "$far" ]; then
		race "share to" "$far/speed" "APFS" "$top/speed"
	else
		echo "SKIP times from a share: none was given"
	fi
	cat "$table"
fi

printf '\n%s checks failed\n' "$failed"
[ "$failed" = 0 ]

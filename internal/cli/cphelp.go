package cli

// cpHelp is what cp --help prints, for the name that cp was called by.
const cpHelp = `Usage: %[1]s [OPTION]... SOURCE DEST
  or:  %[1]s [OPTION]... SOURCE... DIRECTORY
  or:  %[1]s [OPTION]... -t DIRECTORY SOURCE...
Copy files, and directories with -r, as cp of the GNU system does: the same
files in the same places, the same messages, the same exit status (0, or 1 if
anything went wrong). Trees are copied by many workers at once.

  -a, --archive              as -dR --preserve=all
      --attributes-only      copy attributes, no contents
      --backup[=CONTROL], -b rename existing files first: none (off), simple
                             (never), existing (nil, the default), numbered (t);
                             $VERSION_CONTROL is the default of CONTROL
      --copy-contents        with -r: read fifos and devices instead of making them
      --debug                tell how each file was copied; implies -v
  -d                         as -P --preserve=links
  -f, --force                remove existing files that cannot be opened
  -H                         follow symbolic links in operands
  -i, --interactive          ask before overwriting (overrides an earlier -n)
      --keep-directory-symlink  a link to a directory is good as a directory of DEST
  -l, --link                 make hard links instead of copies
  -L, --dereference          follow all symbolic links
  -n, --no-clobber           skip existing files (overrides an earlier -i)
  -P, --no-dereference       copy symbolic links as such (the default with -r)
  -p                         as --preserve=mode,ownership,timestamps
      --preserve[=LIST]      keep these attributes: mode, ownership, timestamps,
                             links, context, xattr, all (default: those of -p)
      --no-preserve=LIST     do not keep them
      --parents              recreate the directories that SOURCE names
  -R, -r, --recursive        copy directories and what is in them
      --reflink[=WHEN]       share blocks with SOURCE: always (the default of
                             WHEN) or fail, auto where possible, never
      --remove-destination   remove existing files before writing
      --sparse=WHEN          make holes: auto where SOURCE has them, always, never
      --strip-trailing-slashes  from SOURCE
  -s, --symbolic-link        make symbolic links instead of copies
  -S, --suffix=SUFFIX        of backups, instead of $SIMPLE_BACKUP_SUFFIX or ~
  -t, --target-directory=DIRECTORY  copy into it
  -T, --no-target-directory  DEST is no directory to copy into
  -u, --update[=WHICH]       overwrite all, none, none-fail (none, and that is a
                             failure) or older files (the default of WHICH)
  -v, --verbose              tell what is copied
  -x, --one-file-system      leave out what is mounted in SOURCE
  -Z, --context[=CTX]        give new files the security context CTX
      --help, --version

Of psync, not of cp:
  -j, --threads N            number of workers (default 16, or 64 over a network)
      --progress             show progress on standard error
`

# Completion of psync for fish: put it, as psync.fish, into share/fish/vendor_completions.d, or source it.

function __psync_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l replaced (string match -r -- '^--[^=]+=' "$current")
    set -l value (string replace -- "$replaced" "" "$current")
    set -l directive 0
    for line in ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
        if string match -qr '^:[0-9]+$' -- $line
            set directive (string sub -s 2 -- $line)
        else
            echo -- "$replaced$line"
        end
    end
    if test (math "bitand($directive, 16)") -ne 0
        __fish_complete_directories "$value" | string replace -r '^' -- "$replaced"
    else if test (math "bitand($directive, 4)") -eq 0
        __fish_complete_path "$value" | string replace -r '^' -- "$replaced"
    end
end

complete -c psync -e
complete -c psync -f -a '(__psync_complete)'

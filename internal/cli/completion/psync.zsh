#compdef psync
# Completion of psync for zsh: put it, as _psync, into a directory of $fpath, or source it after compinit.

_psync() {
    local line directive=0 value
    local -a candidates options
    for line in "${(@f)$("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        if [[ $line == :<-> ]]; then
            directive=${line#:}
        elif [[ -n $line ]]; then
            value=${line%%$'\t'*}
            if [[ $line == *$'\t'* ]]; then
                candidates+=("${value//:/\\:}:${line#*$'\t'}")
            else
                candidates+=("${value//:/\\:}")
            fi
        fi
    done
    compset -P 1 '--*='
    (( directive & 2 )) && options=(-S '')

    local found=1
    (( $#candidates )) && _describe -V psync candidates $options && found=0
    if (( directive & 16 )); then
        _files -/ && found=0
    elif (( ! (directive & 4) )); then
        _files && found=0
    fi
    return found
}

if [[ $funcstack[1] == _psync ]]; then
    _psync "$@"
else
    compdef _psync psync
fi

# Completion of psync for bash. It needs nothing else: source it, or put it, as psync, into
# share/bash-completion/completions.

_psync() {
    # Bash splits words at = and :, which psync does not.
    local rest=${COMP_LINE:0:COMP_POINT} words=() last=-1 word blanks i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        blanks=${rest%%[![:space:]]*}
        rest=${rest#"$blanks"}
        word=${COMP_WORDS[i]}
        ((i < COMP_CWORD)) || word=$rest
        rest=${rest#"$word"}
        if [[ -n $blanks || i -eq 0 ]]; then
            last=$((last + 1))
        fi
        words[last]=${words[last]}$word
    done
    local current=${words[last]} flag=
    [[ $current != --*=* ]] || flag=${current%%=*}=
    local value=${current#"$flag"} line directive=0
    local kept=${value%"${value##*[=:]}"} # what bash has split off stays as it is
    COMPREPLY=()

    while IFS= read -r line; do
        case $line in
        :[0-9]*) directive=${line#:} ;;
        "$value"*) COMPREPLY+=("${line#"$kept"}") ;;
        esac
    done < <("${words[0]/#\~/$HOME}" __completeNoDesc "${words[@]:1}" 2>/dev/null)

    local files=
    if ((directive & 16)); then
        files=-d
    elif ((directive & 4)); then
        compopt +o default +o bashdefault 2>/dev/null
    elif ((${#COMPREPLY[@]} > 0)); then # without candidates, bash completes files by itself
        files=-f
    fi
    ((directive & 2)) && compopt -o nospace 2>/dev/null
    if [[ -n $files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do
            COMPREPLY+=("${line#"$kept"}")
        done < <(compgen $files -- "$value")
    fi
}

complete -o default -o bashdefault -F _psync psync

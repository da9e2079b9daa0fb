/// The completion scripts of the shells.
///
/// Each asks `racctl ---complete` at every Tab, so that a script knows no option and no subcommand itself.
extension ShellSyntax {
    var completionScript: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    private static let bashScript = #"""
        # Completion of racctl for bash. Try it with: source <(racctl --generate-completion-script bash)

        _racctl() {
            local rest=${COMP_LINE:0:COMP_POINT} words=() lines=() gap word line i
            # Joins the parts into which COMP_WORDBREAKS cuts a word.
            for ((i = 0; i <= COMP_CWORD; i++)); do
                gap=${rest%%[^[:space:]]*}
                rest=${rest#"$gap"}
                word=${COMP_WORDS[i]}
                if ((i == COMP_CWORD)); then word=$rest; fi
                if ((i == 0)) || [[ -n $gap ]]; then
                    words+=("$word")
                else
                    words[${#words[@]}-1]+=$word
                fi
                rest=${rest#"$word"}
            done
            while IFS= read -r line; do
                lines+=("$line")
            done < <("${1/#\~/$HOME}" ---complete bash "$COMP_WORDBREAKS" "${words[@]:1}" 2>/dev/null)
            COMPREPLY=()
            case ${lines[0]} in
            words | open)
                COMPREPLY=("${lines[@]:1}")
                if [[ ${lines[0]} == open ]]; then compopt -o nospace 2>/dev/null; fi
                ;;
            files)
                compopt -o filenames 2>/dev/null
                while IFS= read -r line; do
                    COMPREPLY+=("${lines[1]}$line")
                done < <(compgen -f -- "${lines[2]}")
                ;;
            program)
                word=${words[${#words[@]}-1]}
                if ((${#words[@]} - 2 == lines[1])); then
                    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -c -- "$word" | sort -u)
                else
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
                fi
                ;;
            esac
        }
        complete -F _racctl racctl
        """#

    private static let zshScript = #"""
        #compdef racctl
        # Completion of racctl for zsh. Put it as _racctl into a folder of $fpath, or, behind compinit, try it with:
        # source <(racctl --generate-completion-script zsh)

        _racctl() {
            local -a lines names displays
            local line word
            lines=("${(@f)$(${(Q)words[1]} ---complete zsh '' "${(@)words[2,CURRENT-1]}" "${words[CURRENT]%$SUFFIX}" \
                2>/dev/null)}")
            case $lines[1] in
            words|open)
                for line in "${(@)lines[2,-1]}"; do
                    word=${line%%$'\t'*}
                    names+=("$word")
                    if [[ $word == $line ]]; then
                        displays+=("$word")
                    else
                        line="${(r:16:)word} -- ${line#*$'\t'}"
                        displays+=("${line[1,COLUMNS-1]}")
                    fi
                done
                if (( ! $#names )); then return 1; fi
                local -a options
                if [[ $lines[1] == open ]]; then options+=(-S '' ); fi
                if [[ "$displays" == *' -- '* ]]; then options+=(-l); fi
                compadd "${(@)options}" -d displays -a names
                ;;
            files)
                if [[ -n $lines[2] ]]; then compset -P "${(b)lines[2]}"; fi
                _files
                ;;
            program)
                shift $(( lines[2] + 1 )) words
                (( CURRENT -= lines[2] + 1 ))
                _normal
                ;;
            esac
        }

        if [[ $funcstack[1] == _racctl ]]; then
            _racctl "$@"
        else
            compdef _racctl racctl
        fi
        """#

    private static let fishScript = #"""
        # Completion of racctl for fish. Try it with: racctl --generate-completion-script fish | source

        function __racctl_complete
            set -l words (commandline -opc)
            set -l lines ($words[1] ---complete fish '' (string escape -- $words[2..-1]) (commandline -ct) 2>/dev/null)
            switch "$lines[1]"
                case words open
                    printf '%s\n' $lines[2..-1]
                case files
                    for path in (__fish_complete_path "$lines[3]")
                        printf '%s\n' "$lines[2]$path"
                    end
                case program
                    set -l words $words (commandline -ct)
                    set -l start (math $lines[2] + 2)
                    complete -C (string join ' ' -- $words[$start..-1])
            end
        end
        complete -c racctl -f -a '(__racctl_complete)'
        """#
}

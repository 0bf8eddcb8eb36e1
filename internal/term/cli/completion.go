package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// AddCompletion gives a root command, which has its commands already, the one that writes completion
// scripts. A shell it does not know is an error there as an unknown command is elsewhere: the library
// would print its help and succeed.
func AddCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		for _, shell := range cmd.Commands() {
			if shell.Name() == "bash" {
				completeBash(root, shell)
			}
		}
		cmd.Args = cobra.ArbitraryArgs
		cmd.DisableFlagsInUseLine = true
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			var shells []string
			for _, c := range cmd.Commands() {
				shells = append(shells, c.Name())
			}
			slices.Sort(shells)
			return UsageError(fmt.Errorf("unknown shell %q for %q, there is %s", args[0], cmd.CommandPath(), strings.Join(shells, ", ")))
		}
	}
}

// bashScript completes in bash without the package bash-completion, which the script of the library needs and many
// machines lack. The program is asked for the values; NAME and ASK stand for its name and the way to ask.
const bashScript = `# bash completion of NAME

__NAME_complete()
{
    local line=${COMP_LINE:0:COMP_POINT} tab=$'\t' words word before="" out choice directive
    local -i i longest=0
    read -ra words <<<"$line"
    if [[ $line == *[[:space:]] ]]; then
        words+=('')
    fi
    for i in "${!words[@]}"; do
        words[i]=${words[i]/#\~\//$HOME/}
    done
    out=$("${words[0]}" ASK "${words[@]:1}" 2>/dev/null) || return
    directive=${out##*:}
    word=${words[${#words[@]}-1]}
    if [[ $word == -*=* ]]; then
        word=${word#*=} # the values alone are offered
    fi

    COMPREPLY=()
    while IFS= read -r choice; do
        if [[ $choice == "$word"* && $choice != :"$directive" ]]; then
            COMPREPLY+=("$choice")
            choice=${choice%%$tab*}
            if ((${#choice} > longest)); then
                longest=${#choice}
            fi
        fi
    done <<<"$out"

    # bash replaces what is behind the last of these characters.
    for choice in = :; do
        if [[ $word == *$choice* && $COMP_WORDBREAKS == *$choice* ]]; then
            choice=${word%"${word##*$choice}"}
            if ((${#choice} > ${#before})); then
                before=$choice
            fi
        fi
    done
    for i in "${!COMPREPLY[@]}"; do
        choice=${COMPREPLY[i]}
        if ((${#COMPREPLY[@]} > 1)) && [[ $choice == *$tab* && $COMP_TYPE != 37 && $COMP_TYPE != 42 ]]; then
            printf -v choice '%-*s  (%s)' $longest "${choice%%$tab*}" "${choice#*$tab}"
            COMPREPLY[i]=${choice:0:${COLUMNS:-80}-1}
        else
            COMPREPLY[i]=${choice%%$tab*}
        fi
        COMPREPLY[i]=${COMPREPLY[i]#"$before"}
    done
    if ((directive & NOSPACE)); then
        compopt -o nospace
    fi
    if ((directive & NOFILES)); then
        compopt +o default
    fi
}

complete -o default -F __NAME_complete NAME
`

// completeBash writes the script for bash.
func completeBash(root, bash *cobra.Command) {
	bash.Long = fmt.Sprintf(`Generate the autocompletion script for bash. It needs no package.

For this session:

  source <(%[1]s completion bash)

For every new session:

  echo 'source <(%[1]s completion bash)' >> ~/.bashrc

or, where the package bash-completion is there, loaded when it is needed:

  %[1]s completion bash > ~/.local/share/bash-completion/completions/%[1]s`, root.Name())
	bash.RunE = func(cmd *cobra.Command, _ []string) error {
		plain, err := cmd.Flags().GetBool("no-descriptions")
		if err != nil {
			return err
		}
		ask := cobra.ShellCompRequestCmd
		if plain {
			ask = cobra.ShellCompNoDescRequestCmd
		}
		_, err = strings.NewReplacer("NAME", root.Name(), "ASK", ask,
			"NOSPACE", fmt.Sprint(int(cobra.ShellCompDirectiveNoSpace)),
			"NOFILES", fmt.Sprint(int(cobra.ShellCompDirectiveNoFileComp))).WriteString(cmd.OutOrStdout(), bashScript)
		if err != nil {
			return HostError(err)
		}
		return nil
	}
}

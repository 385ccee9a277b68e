/**
 * `effect-chains completions`: scripts for shells, which call this program for candidates.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type CommandError, makeInputError } from "./Failure.js"
import { print } from "./Output.js"

/**
 * In bash the equals sign is a word of its own. The text after it is completed alone, and a candidate that ends with it
 * gets no space.
 */
const BASH_SCRIPT = `_effect_chains() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}"
  [[ "$current" != "=" ]] || current=""
  COMPREPLY=($(compgen -W "$(effect-chains complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "$current"))
  [[ "\${COMPREPLY[0]}" != *= ]] || compopt -o nospace 2>/dev/null || true
}
complete -o default -F _effect_chains effect-chains`

/**
 * Zsh runs the script as a function if it is a file in its path, and as lines if it is sourced, possibly before
 * completions are on.
 */
const ZSH_SCRIPT = `#compdef effect-chains
_effect_chains() {
  local -a found
  found=("\${(@f)$(effect-chains complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case "\${found[1]}" in
    "") _files ;;
    *=) compadd -S "" -a found ;;
    *) compadd -a found ;;
  esac
}
if [[ "\${funcstack[1]}" == _effect[-_]chains ]]; then
  _effect_chains "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit -i; }
  compdef _effect_chains effect-chains
fi`

const FISH_SCRIPT = `function __effect_chains_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l current (commandline -ct)
  effect-chains complete $words "$current" 2>/dev/null
end
complete -c effect-chains -a '(__effect_chains_complete)'`

const scripts: ReadonlyMap<string, string> = new Map([
  ["bash", BASH_SCRIPT],
  ["zsh", ZSH_SCRIPT],
  ["fish", FISH_SCRIPT]
])

/**
 * Prints the script of a shell.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = ({ shell }: { readonly shell: string }): Effect.Effect<void, CommandError> => {
  const script = scripts.get(shell)
  return script === undefined
    ? Effect.fail(
        makeInputError(`There are completions for ${[...scripts.keys()].join(", ")}, and none for "${shell}"`)
      )
    : print(script)
}

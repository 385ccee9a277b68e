/**
 * `effect-chains completions`: the scripts of shells, which ask the program itself for what may come next.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type CommandError, makeInputError } from "./Failure.js"
import { print } from "./Output.js"

/** Bash makes a word of an equals sign: what is written behind it is completed alone, and none that ends with it gets a space. */
const BASH_SCRIPT = `_effect_chains() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}"
  [[ "$current" != "=" ]] || current=""
  COMPREPLY=($(compgen -W "$(effect-chains complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "$current"))
  [[ "\${COMPREPLY[0]}" != *= ]] || compopt -o nospace 2>/dev/null || true
}
complete -o default -F _effect_chains effect-chains`

/** Zsh runs it as a function where it is a file of its path, and as lines where it is sourced, maybe before completions are on. */
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

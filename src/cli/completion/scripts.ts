export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/*
 * Each script hands the words before the cursor to `keepthread complete`, never through an evaluation, and takes its
 * lines: values, with what they mean behind a tab, and `:files`, `:dirs` or `:none` for what the shell should do with
 * paths. See docs of bash (Programmable Completion), zshcompsys(1), fish's `complete` and PowerShell's
 * Register-ArgumentCompleter.
 */

// From bash 3.2 on, which has no compopt: there paths are offered where nothing else is.
const bash = `_keepthread() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) ;;
      :dirs) compopt +o default -o dirnames 2>/dev/null ;;
      :none) compopt +o default 2>/dev/null ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <(command keepthread complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _keepthread keepthread
`;

const zsh = `#compdef keepthread
_keepthread() {
  local line
  local -a found
  for line in "\${(@f)$(command keepthread complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      '' | :none) ;;
      :files) _files ;;
      :dirs) _files -/ ;;
      *) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#found )) && _describe -t values value found
}
if [[ "\${funcstack[1]}" == _keepthread ]]; then
  _keepthread "$@"
else
  compdef _keepthread keepthread
fi
`;

const fish = `function __keepthread_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (command keepthread complete fish -- $words[2..-1] 2>/dev/null)
    switch $line
      case :none
      case :files
        __fish_complete_path (commandline -ct)
      case :dirs
        __fish_complete_directories (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c keepthread -f -a '(__keepthread_complete)'
`;

// An empty last word does not survive a call before PowerShell 7.3, so --next says that there is one.
const powershell = `Register-ArgumentCompleter -Native -CommandName keepthread -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -le $cursorPosition } | ForEach-Object { $_.Extent.Text })
  $next = if ($wordToComplete -eq '') { @('--next') } else { @() }
  & keepthread complete powershell @next '--' @words 2>$null |
    Where-Object { $_ -notmatch '^:' } |
    ForEach-Object {
      $value, $about = $_ -split "\`t", 2
      if (-not $about) { $about = $value }
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
`;

/** What a shell runs once to complete calls of the program. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };

/**
 * The words that bash hands over, put together again: it takes \`=\` and \`:\` for words of their own.
 *
 * @returns the words, and how much of the last one bash keeps before what is offered
 */
export function wordsOfBash(words: readonly string[]): {
  readonly words: readonly string[];
  readonly kept: number;
} {
  const joined: string[] = [];
  let kept = 0;
  let glue = false;
  for (const word of words) {
    const isBreak = /^[=:]+$/.test(word);
    const last = joined.at(-1);
    if (last !== undefined && (isBreak || glue)) {
      kept = isBreak ? last.length + word.length : last.length;
      joined[joined.length - 1] = last + word;
    } else {
      joined.push(word);
      kept = 0;
    }
    glue = isBreak;
  }
  return { words: joined, kept };
}

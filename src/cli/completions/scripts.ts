/** The completion scripts of the shells, made from lists of commands and flags. */
import { aliasesOf } from '../../app/synonyms.ts';

/** The kinds of names that a completion script asks for. */
type Asked =
  | 'methods'
  | 'runs'
  | 'models'
  | 'tools'
  | 'agents'
  | 'boards'
  | 'roles'
  | 'casts'
  | 'staffs'
  | 'questions';

/**
 * What a person may type next, so that a shell can complete it.
 * - `unknown`: a text that cannot be completed
 * - `files`: the name of a file
 * - `words`: one of the words in `words`
 * - `asked`: a name such as a run's id. The completion script asks the program for all names of the kind
 *   `of`. If `files` is true, the name of a file is possible as well.
 */
export type Value =
  | { readonly kind: 'unknown' | 'files' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'asked'; readonly of: Asked; readonly files: boolean };

/** A flag of a command, as the completion script of a shell offers it. */
export interface FlagLine {
  /** The flag's name without dashes, such as `idle-timeout`. */
  readonly name: string;
  /** The flag's letter, such as `m` for `-m`; absent if it has none. */
  readonly letter?: string;
  readonly about: string;
  /** Whether the flag may be given more than once. */
  readonly repeats: boolean;
  /** What the flag takes; absent for a switch. */
  readonly value?: Value;
}

/** A command, as the completion script of a shell offers it. */
export interface CommandLine {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly FlagLine[];
  /** What may be typed after the command besides flags. */
  readonly words: Value;
}

/** Returns the completion script for bash. */
export function formatBashScript(commands: readonly CommandLine[]): string {
  const formatValue = (value: Value): string => {
    switch (value.kind) {
      case 'words':
        return `_deliberate_no_files; _deliberate_among ${value.words.join(' ')}`;
      case 'asked':
        return `${value.files ? '' : '_deliberate_no_files; '}_deliberate_among_asked ${value.of}`;
      case 'files':
        // `:` does nothing: if the function offers no completions, bash itself completes file names.
        return ':';
      case 'unknown':
        return '_deliberate_no_files';
    }
  };
  const cases = commands.map(({ name, flags, words }) => {
    const valued = flags.flatMap(({ name: flag, letter, value }) =>
      value === undefined
        ? []
        : [
            `        ${letter === undefined ? '' : `-${letter}|`}--${flag}) ${formatValue(value)}; return ;;`,
          ],
    );
    return [
      `    ${[name, ...aliasesOf(name)].join('|')})`,
      ...(valued.length === 0 ? [] : ['      case "$previous" in', ...valued, '      esac']),
      `      if [[ $current == -* ]]; then _deliberate_among ${flags.map((flag) => `--${flag.name}`).join(' ')}`,
      `      else ${formatValue(words)}; fi ;;`,
    ].join('\n');
  });
  return `# bash completion of deliberate; made by: deliberate completions bash
_deliberate_ask() { "\${COMP_WORDS[0]}" completions "$1" 2>/dev/null; }
# Not by compgen, which runs commands that stand in a name; and quoted, as bash types a completion as it is.
_deliberate_among() {
  local one
  for one in "$@"; do
    if [[ $one == "$before$current"* ]]; then
      printf -v one %q "\${one#"$before"}"
      COMPREPLY+=("$one")
    fi
  done
}
_deliberate_among_asked() {
  local one
  while IFS= read -r one; do _deliberate_among "$one"; done < <(_deliberate_ask "$1")
}
# Outside a completion, and in a bash before 4, there is nothing to switch off.
_deliberate_no_files() { compopt +o bashdefault +o default 2>/dev/null; }
_deliberate() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous before= at=$COMP_CWORD
  COMPREPLY=()
  # To bash, an equals sign and a colon are words of their own, and what stands before a colon is typed already.
  if [[ $current == [:=] ]]; then current=; else ((at -= 1)); fi
  while ((at > 1)) && [[ \${COMP_WORDS[at]} == : ]]; do before=\${COMP_WORDS[at-1]}:$before; ((at -= 2)); done
  while ((at > 1)) && [[ \${COMP_WORDS[at]} == = ]]; do
    if [[ \${COMP_WORDS[at-1]} == -* ]]; then ((at -= 1)); else ((at -= 2)); fi
  done
  previous=\${COMP_WORDS[at]}
  if ((COMP_CWORD == 1)); then
    _deliberate_among ${commands.map(({ name }) => name).join(' ')}
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
}
complete -o bashdefault -o default -F _deliberate deliberate
`;
}

/** Returns the completion script for zsh. */
export function formatZshScript(commands: readonly CommandLine[]): string {
  // In the zsh script, a space before a function that completes a value keeps zsh from passing options of its own
  // to the function. Only `_files` takes such options.
  const formatValue = (value: Value): string => {
    switch (value.kind) {
      case 'words':
        return `(${value.words.join(' ')})`;
      case 'asked':
        return value.files
          ? `{_deliberate_ask ${value.of}; _files}`
          : ` _deliberate_ask ${value.of}`;
      case 'files':
        return '_files';
      default:
        // With an empty action, zsh would show a message and complete nothing else, so give `true` as an action
        // that does nothing.
        return ' true';
    }
  };
  const formatSpelling = (spelled: string, { about, repeats, value }: FlagLine): string =>
    quoteWord(
      `${repeats ? '*' : ''}${spelled}[${about.replace(/[[\]\\:]/g, '\\$&')}]${value === undefined ? '' : `:value:${formatValue(value)}`}`,
    );
  const formatSpellings = (flag: FlagLine): string[] => [
    formatSpelling(`--${flag.name}`, flag),
    ...(flag.letter === undefined ? [] : [formatSpelling(`-${flag.letter}`, flag)]),
  ];
  const cases = commands.map(({ name, flags, words }) =>
    [
      `    ${[name, ...aliasesOf(name)].join('|')})`,
      `      _arguments -S ${[...flags.flatMap(formatSpellings), quoteWord(`*:word:${formatValue(words)}`)].join(' \\\n        ')} ;;`,
    ].join('\n'),
  );
  return `#compdef deliberate
# zsh completion of deliberate; made by: deliberate completions zsh
_deliberate_ask() {
  # Behind a role and an equals sign stands its model.
  [[ $1 == models ]] && compset -P '*='
  local -a found
  found=(\${(f)"$(deliberate completions $1 2>/dev/null)"})
  compadd -a found
}
_deliberate() {
  local -a commands
  commands=(
${commands.map(({ name, about }) => `    ${quoteWord(`${name}:${about.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT -= 1 ))
  case $words[1] in
${cases.join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _deliberate "$@"
else
  compdef _deliberate deliberate
fi
`;
}

/** Returns the completion script for fish. */
export function formatFishScript(commands: readonly CommandLine[]): string {
  const formatValue = (value: Value): string => {
    switch (value.kind) {
      case 'words':
        return `-x -a '${value.words.join(' ')}'`;
      case 'asked':
        return `${value.files ? '-r -F' : '-x'} -a '(__deliberate_ask ${value.of})'`;
      case 'files':
        return '-r -F';
      default:
        return '-x';
    }
  };
  const formatAbout = (text: string): string => `-d '${text.replace(/[\\']/g, '\\$&')}'`;
  const rows = commands.flatMap(({ name, about: summary, flags, words }) => {
    const there = `complete -c deliberate -n '__fish_seen_subcommand_from ${[name, ...aliasesOf(name)].join(' ')}'`;
    return [
      `complete -c deliberate -n __fish_use_subcommand -a ${name} ${formatAbout(summary)}`,
      ...flags.map(
        (flag) =>
          `${there} ${flag.letter === undefined ? '' : `-s ${flag.letter} `}-l ${flag.name} ${flag.value === undefined ? '' : `${formatValue(flag.value)} `}${formatAbout(flag.about)}`,
      ),
      ...(words.kind === 'words' || words.kind === 'asked'
        ? [`${there} ${formatValue(words).replace(/^-x |^-r /, '')}`]
        : []),
    ];
  });
  return `# fish completion of deliberate; made by: deliberate completions fish
function __deliberate_ask
  set -l before ''
  # Behind a role and an equals sign stands its model.
  test $argv[1] = models; and set before (commandline -ct | string match -r '^[^=/]*='; or echo)
  deliberate completions $argv[1] 2>/dev/null | string replace -r '^' -- "$before"
end
complete -c deliberate -f
${rows.join('\n')}
`;
}

/** Returns the completion script for PowerShell. */
export function formatPowerShellScript(commands: readonly CommandLine[]): string {
  const describeValue = (value: Value): object =>
    value.kind === 'words'
      ? { words: value.words }
      : value.kind === 'asked'
        ? { ask: value.of }
        : {};
  const table = commands.flatMap(({ name, flags, words }) => {
    const values = flags.flatMap(({ name: flag, letter, value }) =>
      value === undefined
        ? []
        : [`--${flag}`, ...(letter === undefined ? [] : [`-${letter}`])].map((spelled) => ({
            spelled,
            ...describeValue(value),
          })),
    );
    const row = { flags: flags.map((flag) => `--${flag.name}`), values, ...describeValue(words) };
    return [name, ...aliasesOf(name)].map((spelled) => ({ name: spelled, ...row }));
  });
  const names = commands.map(({ name }) => name);
  // In a PowerShell string in single quotes, a quote is doubled; curly quotes count as quotes too.
  const json = JSON.stringify({ names, table }).replace(/['‘’‚‛]/g, '$&$&');
  return `# PowerShell completion of deliberate; made by: deliberate completions powershell
$deliberateTable = ConvertFrom-Json '${json}'
Register-ArgumentCompleter -Native -CommandName deliberate, deliberate.cmd, deliberate.ps1 -ScriptBlock {
  param($current, $ast, $cursor)
  $words = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
  $begun = "$current"
  $before = ''
  $offered = @()
  if ($words.Count -le 1) { $offered = $deliberateTable.names }
  else {
    $row = $deliberateTable.table | Where-Object { $_.name -ceq $words[1] } | Select-Object -First 1
    $last = $words[-1]
    # A value may follow an equals sign.
    if ($begun -match '^(--[^=]+)=(.*)$') { $last = $Matches[1]; $before = "$last="; $begun = $Matches[2] }
    $takes = $row.values | Where-Object { $_.spelled -ceq $last } | Select-Object -First 1
    if ($null -ne $row -and $null -eq $takes) {
      if ($begun.StartsWith('-')) { $takes = @{ words = $row.flags } } else { $takes = $row }
    }
    if ($null -ne $takes.words) { $offered = $takes.words }
    elseif ($null -ne $takes.ask) {
      # Behind a role and an equals sign stands its model.
      if ($takes.ask -eq 'models' -and $begun -match '^([^=/]*=)(.*)$') { $before += $Matches[1]; $begun = $Matches[2] }
      $offered = @(& "$($words[0])" completions $takes.ask 2>$null)
    }
  }
  $offered | Where-Object { "$_".StartsWith($begun) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new("$before$_", "$_", 'ParameterValue', "$_")
  }
}
`;
}

/** Quotes a text as one word for bash and zsh. */
function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

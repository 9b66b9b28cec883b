/**
 * `deliberate completions`: prints scripts for shells, made from the tables of commands and flags. For names
 * that only the program knows (runs, agents, presets), a script calls this command with the kind of name.
 */

import { existsSync } from 'node:fs';
import type { FlagInfo } from '../app/flag-values.ts';
import { FLAGS, type FlagName, toDashes } from '../app/flags.ts';
import type { Invocation } from '../app/invocation.ts';
import { configuredNames } from '../app/settings/tool-server-file.ts';
import { formatCommand } from '../app/suggest.ts';
import { aliasesOf, findFlagLetter } from '../app/synonyms.ts';
import { databaseFile } from '../io/files.ts';
import { KINDS } from '../io/preset-kinds.ts';
import { listSlugs } from '../io/presets.ts';
import { UsageError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import { listAgentNames } from '../protocols/desks.ts';
import { FACTS } from '../protocols/vocabulary.ts';
import { Store } from '../store/store.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import type { Command } from './commands.ts';

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
 * What a person may type at a place: unknown text, a file, one of some words, or names that the
 * program knows.
 */
type Value =
  | { readonly kind: 'unknown' | 'files' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'asked'; readonly of: Asked; readonly files: boolean };

interface FlagLine {
  /** Without dashes: `idle-timeout`. */
  readonly name: string;
  /** The `m` of `-m`; absent if the flag has no letter. */
  readonly letter?: string;
  readonly about: string;
  readonly repeats: boolean;
  /** What the flag takes; absent for a switch. */
  readonly value?: Value;
}

interface CommandLine {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly FlagLine[];
  readonly words: Value;
}

type Commands = Readonly<Record<string, Command>>;

const UNKNOWN: Value = { kind: 'unknown' };
const RUNS_SHOWN = 50;

const SCRIPTS = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
  ['powershell', powershell],
]);

/**
 * Runs `deliberate completions`: prints a shell's completion script, or the names that such a
 * script asks for. Resolves to the exit code.
 *
 * @param commands all commands
 */
export async function completions(commands: Commands, call: Invocation): Promise<number> {
  const [word = '', ...more] = call.words;
  const script = SCRIPTS.get(word);
  const asked = script === undefined ? await answer(word, call) : undefined;
  if (more.length > 0 || (script === undefined && asked === undefined))
    throw new UsageError(
      'name a shell: bash, zsh, fish or powershell',
      `Example: ${formatCommand(call, 'bash > ~/.local/share/bash-completion/completions/deliberate')}`,
    );
  call.out.write(
    script?.(commandLines(commands)) ?? (asked ?? []).map((one) => `${one}\n`).join(''),
  );
  return 0;
}

/** Returns the names of a kind; undefined if there is no such kind. Never creates a database. */
async function answer(asked: string, call: Invocation): Promise<string[] | undefined> {
  const kind = KINDS.find(({ folder }) => folder === asked);
  if (kind !== undefined) return listSlugs(kind, call.env);
  if (asked === 'agents') return listAgentNames(call);
  if (asked === 'tools') return configuredNames(call);
  if (asked === 'models') return modelNames(call);
  if (asked !== 'runs') return undefined;
  const file = databaseFile(call);
  if (!existsSync(file)) return [];
  const store = Store.open(file, FACTS);
  try {
    const runs = store.list({ limit: RUNS_SHOWN }).map(({ id }) => shortId(id));
    return runs.length === 0 ? [] : ['latest', ...runs];
  } finally {
    store.close();
  }
}

/** Milliseconds to wait for lists of models while a person waits for a completion. */
const LISTS_MS = 1_500;

/**
 * Returns the models of every server that is set up, then every server with a slash. A server whose key is printed
 * by a command is not asked: that command may ask a person for a password.
 */
async function modelNames(call: Invocation): Promise<string[]> {
  const { readConfig } = await import('../app/settings/config.ts');
  const { openModels } = await import('../app/settings/providers.ts');
  const { hasValidName } = await import('../app/settings/discovery.ts');
  const { providerNames } = await import('../kernel/providers/names.ts');
  const config = readConfig(call);
  const asked = Object.entries(config.servers ?? {}).filter(([, one]) => !one.key_command);
  const gateway = openModels(call, { ...config, servers: Object.fromEntries(asked) });
  const listings = await gateway.list({ withinMs: LISTS_MS });
  return [
    ...listings.flatMap(({ models }) => models.filter(hasValidName).map(({ spec }) => spec)),
    ...providerNames().map((name) => `${name}/`),
  ];
}

/** Collects from the tables what shells need. */
function commandLines(commands: Commands): CommandLine[] {
  return [
    ...Object.entries(commands).map(([name, command]) => ({
      name,
      about: command.summary,
      flags: [...command.flags.map((flag) => flagLine(command, flag)), HELP],
      words: wordsOf(name, command),
    })),
    {
      name: 'help',
      about: 'what a command takes',
      flags: [],
      words: { kind: 'words', words: Object.keys(commands) },
    },
  ];
}

const HELP: FlagLine = { name: 'help', about: 'what this command takes', repeats: false };

function flagLine(command: Command, name: FlagName): FlagLine {
  const { own } = command;
  const letter = findFlagLetter(name);
  const { type, description, hint = '', isMultiple }: FlagInfo = { ...FLAGS[name], ...own?.[name] };
  if (name === 'color') return { name: 'no-color', about: 'no color', repeats: false };
  return {
    name: toDashes(name),
    about: description,
    repeats: isMultiple === true,
    ...withoutUndefined({ letter }),
    ...(type === 'boolean' ? {} : { value: takenBy(command, name, hint) }),
  };
}

/** Flags that take a model, or a role and a model separated by `=`. */
const MODEL_FLAGS: ReadonlySet<FlagName> = new Set(['model', 'seat', 'synthesizer', 'verifier']);

/** Parses what a flag takes from its hint: `report|auto` are words, `FILE` is a file. */
function takenBy({ presets = 'boards' }: Command, name: FlagName, hint: string): Value {
  if (name === 'preset') return { kind: 'asked', of: presets, files: false };
  if (name === 'method') return { kind: 'asked', of: 'methods', files: false };
  if (name === 'tools') return { kind: 'asked', of: 'tools', files: true };
  if (MODEL_FLAGS.has(name)) return { kind: 'asked', of: 'models', files: false };
  if (name === 'ask') return { kind: 'asked', of: 'questions', files: false };
  if (/^[a-z0-9-]+(\|[a-z0-9-]+)+$/.test(hint)) return { kind: 'words', words: hint.split('|') };
  return /^(F|(FILE|DIR)(\|.*)?)$/.test(hint) ? { kind: 'files' } : UNKNOWN;
}

/** Parses what may follow a command from its usage. */
function wordsOf(name: string, { usage }: Command): Value {
  if (name === 'presets')
    return {
      kind: 'words',
      words: [...KINDS.map(({ folder }) => folder), 'check', 'show', 'copy', 'new'],
    };
  if (/\bMODEL\b/.test(usage)) return { kind: 'asked', of: 'models', files: false };
  if (/\bNAME\|FILE\b/.test(usage)) return { kind: 'asked', of: 'agents', files: true };
  const choice = /[[ ]([a-z-]+(?:\|[a-z-]+)*)\]?$/.exec(usage)?.[1];
  if (choice !== undefined && usage !== name) return { kind: 'words', words: choice.split('|') };
  const files = /\b(FILE|DIR)\b/.test(usage);
  if (/\bRUN\b/.test(usage)) return { kind: 'asked', of: 'runs', files };
  return files ? { kind: 'files' } : UNKNOWN;
}

function bash(commands: readonly CommandLine[]): string {
  const complete = (value: Value): string => {
    switch (value.kind) {
      case 'words':
        return `_deliberate_no_files; _deliberate_among ${value.words.join(' ')}`;
      case 'asked':
        return `${value.files ? '' : '_deliberate_no_files; '}_deliberate_among_asked ${value.of}`;
      case 'files':
        // If the answer is empty, bash completes file names.
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
            `        ${letter === undefined ? '' : `-${letter}|`}--${flag}) ${complete(value)}; return ;;`,
          ],
    );
    return [
      `    ${[name, ...aliasesOf(name)].join('|')})`,
      ...(valued.length === 0 ? [] : ['      case "$previous" in', ...valued, '      esac']),
      `      if [[ $current == -* ]]; then _deliberate_among ${flags.map((flag) => `--${flag.name}`).join(' ')}`,
      `      else ${complete(words)}; fi ;;`,
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

function zsh(commands: readonly CommandLine[]): string {
  // The space before an action keeps zsh from passing its own options to the function.
  const action = (value: Value): string => {
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
        // Without an action, zsh shows a message and does not insert the other completions that it
        // lists.
        return ' true';
    }
  };
  const spelling = (spelled: string, { about, repeats, value }: FlagLine): string =>
    quote(
      `${repeats ? '*' : ''}${spelled}[${about.replace(/[[\]\\:]/g, '\\$&')}]${value === undefined ? '' : `:value:${action(value)}`}`,
    );
  const spellings = (flag: FlagLine): string[] => [
    spelling(`--${flag.name}`, flag),
    ...(flag.letter === undefined ? [] : [spelling(`-${flag.letter}`, flag)]),
  ];
  const cases = commands.map(({ name, flags, words }) =>
    [
      `    ${[name, ...aliasesOf(name)].join('|')})`,
      `      _arguments -S ${[...flags.flatMap(spellings), quote(`*:word:${action(words)}`)].join(' \\\n        ')} ;;`,
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
${commands.map(({ name, about }) => `    ${quote(`${name}:${about.replaceAll(':', '\\:')}`)}`).join('\n')}
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

function fish(commands: readonly CommandLine[]): string {
  const offer = (value: Value): string => {
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
  const about = (text: string): string => `-d '${text.replace(/[\\']/g, '\\$&')}'`;
  const rows = commands.flatMap(({ name, about: summary, flags, words }) => {
    const there = `complete -c deliberate -n '__fish_seen_subcommand_from ${[name, ...aliasesOf(name)].join(' ')}'`;
    return [
      `complete -c deliberate -n __fish_use_subcommand -a ${name} ${about(summary)}`,
      ...flags.map(
        (flag) =>
          `${there} ${flag.letter === undefined ? '' : `-s ${flag.letter} `}-l ${flag.name} ${flag.value === undefined ? '' : `${offer(flag.value)} `}${about(flag.about)}`,
      ),
      ...(words.kind === 'words' || words.kind === 'asked'
        ? [`${there} ${offer(words).replace(/^-x |^-r /, '')}`]
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

function powershell(commands: readonly CommandLine[]): string {
  const told = (value: Value): object =>
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
            ...told(value),
          })),
    );
    const row = { flags: flags.map((flag) => `--${flag.name}`), values, ...told(words) };
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
    # A value may stand behind an equals sign.
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
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

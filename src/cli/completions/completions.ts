/**
 * `deliberate completions`: prints scripts for shells, made from the tables of commands and flags. For names
 * that only the program knows (runs, agents, presets), a script calls this command with the kind of name.
 */

import { existsSync } from 'node:fs';
import type { FlagInfo } from '../../app/flag-values.ts';
import { FLAGS, type FlagName, toDashes } from '../../app/flags.ts';
import type { Invocation } from '../../app/invocation.ts';
import { configuredNames } from '../../app/settings/tool-server-file.ts';
import { formatCommand } from '../../app/suggest.ts';
import { findFlagLetter } from '../../app/synonyms.ts';
import { databaseFile } from '../../io/files.ts';
import { KINDS } from '../../io/preset-kinds.ts';
import { listSlugs } from '../../io/presets.ts';
import { UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { listAgentNames } from '../../protocols/desks.ts';
import { FACTS } from '../../protocols/vocabulary.ts';
import { Store } from '../../store/store.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { Command } from '../commands.ts';
import {
  type CommandLine,
  type FlagLine,
  formatBashScript,
  formatFishScript,
  formatPowerShellScript,
  formatZshScript,
  type Value,
} from './scripts.ts';

type Commands = Readonly<Record<string, Command>>;

const UNKNOWN: Value = { kind: 'unknown' };
const RUNS_SHOWN = 50;

const SCRIPTS = new Map([
  ['bash', formatBashScript],
  ['zsh', formatZshScript],
  ['fish', formatFishScript],
  ['powershell', formatPowerShellScript],
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
  const asked = script === undefined ? await listNames(word, call) : undefined;
  if (more.length > 0 || (script === undefined && asked === undefined))
    throw new UsageError(
      'name a shell: bash, zsh, fish or powershell',
      `Example: ${formatCommand(call, 'bash > ~/.local/share/bash-completion/completions/deliberate')}`,
    );
  call.out.write(
    script?.(commandLines(commands)) ?? (asked ?? []).map((name) => `${name}\n`).join(''),
  );
  return 0;
}

/** Returns the names of a kind; undefined if there is no such kind. Never creates a database. */
async function listNames(asked: string, call: Invocation): Promise<string[] | undefined> {
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
  const { readConfig } = await import('../../app/settings/config.ts');
  const { openModels } = await import('../../app/settings/providers.ts');
  const { hasValidName } = await import('../../app/settings/discovery.ts');
  const { providerNames } = await import('../../kernel/providers/names.ts');
  const config = readConfig(call);
  const asked = Object.entries(config.servers ?? {}).filter(([, server]) => !server.key_command);
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

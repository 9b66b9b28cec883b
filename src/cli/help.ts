/** Formats the help texts from the tables of commands and flags. */

import type { FlagInfo } from '../app/flag-values.ts';
import { FLAGS, type FlagName, toDashes } from '../app/flags.ts';
import { getStartCommand } from '../app/suggest.ts';
import { aliasesOf, findFlagLetter } from '../app/synonyms.ts';
import type { Env } from '../io/surroundings.ts';
import { capitalize } from '../text/capitalize.ts';
import { COMMANDS, type Command, HOME } from './commands.ts';
import { examplesOf } from './examples.ts';

const WIDTH = 26;

/** Groups of flags in the order of the help. Flags in no group are listed under the command itself. */
const GROUPS: readonly (readonly [string, readonly FlagName[]])[] = [
  [
    'SEATS AND MODELS',
    [
      'seat',
      'preset',
      'cast',
      'callIn',
      'agents',
      'model',
      'synthesizer',
      'verifier',
      'embed',
      'open',
      'seed',
    ],
  ],
  ['QUESTION', ['file', 'ask', 'attach']],
  ['REHEARSAL', ['rehearse', 'rehearseSpeed']],
  [
    'LIMITS',
    ['estimate', 'budgetTokens', 'budgetUsd', 'idleTimeout', 'seatTimeout', 'concurrency'],
  ],
  ['OUTPUT', ['plain', 'json', 'deltas', 'quiet', 'bell', 'yes', 'color', 'content']],
  ['FILES', ['cards', 'index', 'db', 'config']],
];

/** Formats the help of the program. */
export function generalHelp(env: Env): string {
  const room = WIDTH - 4;
  const commands = Object.values(COMMANDS).map(({ usage, summary }) =>
    usage.length < room
      ? `  ${usage.padEnd(room)}${summary}`
      : `  ${usage}\n  ${' '.repeat(room)}${summary}`,
  );
  const started = getStartCommand(env);
  return [
    'Several models answer, contradict each other and decide; everything is recorded.',
    '',
    'USAGE',
    `  ${started}                      ${HOME.summary}`,
    `  ${started} "Should we split?"   ask a board`,
    `  ${started} COMMAND [FLAGS]`,
    '',
    'COMMANDS',
    ...commands,
    '',
    'EXAMPLES',
    `  ${started} board --rehearse "Should we split the monolith?"   needs no model`,
    `  ${started} demo rounds                                      a recorded example`,
    `  ${started} open latest`,
    '',
    `RUN is an id, its beginning, or "latest" (the default). Help on a command: ${started} COMMAND --help`,
    '',
  ].join('\n');
}

/** Formats the help of one command. */
export function commandHelp(command: Command, env: Env): string {
  const started = getStartCommand(env);
  const [name = ''] = command.usage.split(' ');
  const aliases = aliasesOf(name);
  const grouped = new Set(GROUPS.flatMap(([, names]) => names));
  const own = command.flags.filter((flag) => !grouped.has(flag));
  const groups = [['FLAGS', own] as const, ...GROUPS].flatMap(([title, names]) => {
    const shown = command.flags.filter((flag) => names.includes(flag));
    return shown.length === 0 ? [] : ['', title, ...shown.map((flag) => flagLine(flag, command))];
  });
  const examples = examplesOf(name).map((example) => `  ${started} ${example}`);
  return [
    capitalize(command.summary),
    '',
    'USAGE',
    `  ${started} ${command.usage}${command.flags.length > 0 ? ' [FLAGS]' : ''}`,
    ...(aliases.length > 0 ? [`  Also: ${aliases.join(', ')}`] : []),
    ...groups,
    ...(examples.length > 0 ? ['', 'EXAMPLES', ...examples] : []),
    ...(command.notes === undefined ? [] : ['', ...command.notes]),
    '',
  ].join('\n');
}

function flagLine(name: FlagName, command: Command): string {
  const { hint, description, off }: FlagInfo = { ...FLAGS[name], ...command.own?.[name] };
  const letter = findFlagLetter(name);
  const left = `${letter === undefined ? '' : `-${letter}, `}--${off === undefined ? '' : 'no-'}${toDashes(name)}${hint ? ` ${hint}` : ''}`;
  const right = off ?? description;
  return left.length < WIDTH
    ? `  ${left.padEnd(WIDTH)}${right}`
    : `  ${left}\n  ${' '.repeat(WIDTH)}${right}`;
}

/** The help texts, made from the tables of commands and flags. */

import { dashed, FLAGS, type FlagInfo } from '../app/flags.ts';
import { COMMANDS, type Command, HOME } from './commands.ts';

const WIDTH = 26;

export function generalHelp(): string {
  const room = WIDTH - 4;
  const lines = [HOME, ...Object.values(COMMANDS)].map(({ usage, summary }) =>
    usage.length < room
      ? `  deliberate ${usage.padEnd(room)}${summary}`
      : `  deliberate ${usage}\n  ${' '.repeat('deliberate '.length + room)}${summary}`,
  );
  return [
    'Decisions worth arguing about: several models answer, contradict and decide, and every word is kept.',
    '',
    ...lines,
    '',
    'RUN is an id, the beginning of one, or "latest". Every command explains itself with --help.',
    'A first look without any model: deliberate demo',
    '',
  ].join('\n');
}

export function commandHelp(command: Command): string {
  const flags = command.flags.map((name) => {
    const { hint, description, off }: FlagInfo = { ...FLAGS[name], ...command.own?.[name] };
    const left = `--${off === undefined ? '' : 'no-'}${dashed(name)}${hint ? ` ${hint}` : ''}`;
    const right = off ?? description;
    return left.length < WIDTH
      ? `  ${left.padEnd(WIDTH)}${right}`
      : `  ${left}\n  ${' '.repeat(WIDTH)}${right}`;
  });
  return [`deliberate ${command.usage}`, '', `  ${command.summary}`, '', ...flags, ''].join('\n');
}

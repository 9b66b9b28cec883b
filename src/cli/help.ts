/** The help texts, made from the tables of commands and flags. */
import { COMMANDS, type Command, HOME } from './commands.ts';
import { dashed, FLAGS, type FlagInfo } from './flags.ts';

const WIDTH = 26;

export function generalHelp(): string {
  const lines = [HOME, ...Object.values(COMMANDS)].map(
    ({ usage, summary }) => `  deliberate ${usage.padEnd(WIDTH - 4)}${summary}`,
  );
  return [
    'Decisions worth arguing about: several models answer, contradict and decide, and every word is kept.',
    '',
    ...lines,
    '',
    'RUN is an id, the beginning of one, or "latest". Every command explains itself with --help.',
    'A first look without any model: deliberate board --rehearse "Should we split the monolith?"',
    '',
  ].join('\n');
}

export function commandHelp(command: Command): string {
  const flags = command.flags.map((name) => {
    const { hint, description }: FlagInfo = FLAGS[name];
    const left = name === 'color' ? '--no-color' : `--${dashed(name)}${hint ? ` ${hint}` : ''}`;
    return left.length < WIDTH
      ? `  ${left.padEnd(WIDTH)}${name === 'color' ? 'no colour' : description}`
      : `  ${left}\n  ${' '.repeat(WIDTH)}${description}`;
  });
  return [`deliberate ${command.usage}`, '', `  ${command.summary}`, '', ...flags, ''].join('\n');
}

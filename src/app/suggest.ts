/** Formats commands as the person would type them here. */
import { basename, isAbsolute, relative } from 'node:path';
import { shellOf, shellWord } from '../platform/shells.ts';
import type { Invocation } from './invocation.ts';

/**
 * Formats a command line that a hint tells the person to type: how they started the program, the
 * command that is running now, and `words`. Example: `deliberate ask latest "And if it fails?"`.
 */
export function formatCommand(
  { command, env }: Pick<Invocation, 'command' | 'env'>,
  words: string,
): string {
  return [getStartCommand(env), command, words].filter((part) => part !== '').join(' ');
}

/**
 * Returns the words with which the person started the program, for use in hints: `deliberate`, `npm
 * start --`, `npx deliberate` or `node bin/deliberate.js`.
 *
 * @param file the script that Node runs
 */
export function getStartCommand(env: Invocation['env'], file = process.argv[1] ?? ''): string {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = env;
  if (event === 'start' && env.npm_package_name === 'deliberate') return 'npm start --';
  if (event === 'npx' && /^["']?deliberate\b/.test(script)) return 'npx deliberate';
  if (basename(file) !== 'deliberate.js') return 'deliberate';
  const near = relative('', file);
  return `node ${shellWord(isAbsolute(near) || near.startsWith('..') ? file : near, shellOf(env))}`;
}

/**
 * Replaces `deliberate` in the commands of a text by the words with which the person started the
 * program.
 * @param commands the names of all commands
 */
export function rewriteCommands(
  text: string,
  env: Invocation['env'],
  commands: readonly string[],
): string {
  const started = getStartCommand(env);
  if (started === 'deliberate') return text;
  const named = new RegExp(`(?<!npx )\\bdeliberate (?=(?:${commands.join('|')})\\b|--)`, 'g');
  return text.replace(named, () => `${started} `);
}

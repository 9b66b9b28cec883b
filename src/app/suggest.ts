/** What to type instead, as a person would type it here. */
import type { Invocation } from './invocation.ts';

/** `deliberate ask latest "And if it fails?"`: the command that was called, with these words behind it. */
export function suggested(
  { command, env }: Pick<Invocation, 'command' | 'env'>,
  words: string,
): string {
  return [startedAs(env), command, words].filter((one) => one !== '').join(' ');
}

/** A word as a shell takes it for one. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** How the program was started: from its own folder by npm, by npx, or by its name. */
function startedAs(env: Invocation['env']): string {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = env;
  if (event === 'start' && env.npm_package_name === 'deliberate') return 'npm start --';
  if (event === 'npx' && /^["']?deliberate\b/.test(script)) return 'npx deliberate';
  return 'deliberate';
}

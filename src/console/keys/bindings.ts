/**
 * What is read out of the key table: which command a key stands for, whether it applies now, how a key
 * is written for people, and the table with a person's own keys in it.
 */

import { entryOf } from '../../kernel/entry.ts';
import { UsageError } from '../../kernel/errors.ts';
import { sanitise } from '../../text/sanitise.ts';
import { type Binding, type Command, GROUPS, type Keymap } from './keymap.ts';
import { CONDITIONS, holds, type Situation } from './situation.ts';

const NAMED =
  /^(shift\+tab|tab|escape|enter|space|backspace|delete|up|down|left|right|home|end|pageup|pagedown|ctrl\+[a-z])$/;

/** The table's commands in its order. */
export function commandsOf(keymap: Keymap): [Command, Binding][] {
  return Object.entries(keymap) as [Command, Binding][];
}

export function applies(keymap: Keymap, command: Command, situation: Situation): boolean {
  return holds(keymap[command].where, situation);
}

/** The command a key stands for, whether or not it applies now. */
export function commandFor(keymap: Keymap, key: string): Command | undefined {
  return commandsOf(keymap).find(([, binding]) => binding.keys.includes(key))?.[0];
}

/**
 * The table with a person's own keys in place of ours: `{ stop: 'h', 'next-pane': ['tab', 'l'] }`.
 * Returns the error instead where a command or key does not exist or two commands share a key.
 */
export function rebind(
  keymap: Keymap,
  overrides: Readonly<Record<string, string | readonly string[]>>,
): Keymap | UsageError {
  const changed = new Map<string, Binding>(commandsOf(keymap));
  for (const [command, wanted] of Object.entries(overrides)) {
    const binding = changed.get(command);
    if (binding === undefined)
      return new UsageError(
        `keys: there is no command "${command}"`,
        `Commands: ${Object.keys(keymap).join(', ')}`,
      );
    const keys = typeof wanted === 'string' ? [wanted] : wanted;
    const unknown = keys.find((key) => !isCharacter(key) && !NAMED.test(key));
    if (unknown !== undefined || keys.length === 0)
      return new UsageError(
        `keys: "${unknown ?? ''}" for "${command}" is not a key`,
        'A key is one character, or a name such as tab, shift+tab, ctrl+d, pagedown, escape.',
      );
    changed.set(command, { ...binding, keys });
  }
  const owners = new Map<string, string>();
  for (const [command, { keys }] of changed)
    for (const key of keys) {
      const owner = owners.get(key);
      if (owner !== undefined)
        return new UsageError(
          `keys: "${key}" would mean both "${owner}" and "${command}"`,
          'Bind one of the two to another key.',
        );
      owners.set(key, command);
    }
  return Object.fromEntries(changed) as unknown as Keymap;
}

/** One character that a keyboard can send and a reader can see. */
function isCharacter(key: string): boolean {
  return [...key].length === 1 && !/\s/u.test(key) && sanitise(key) === key;
}

/** A key as people write it: `Ctrl-D`, `Shift-Tab`, `PgDn`, `j`. */
export function keyLabel(key: string): string {
  const NAMES: Readonly<Record<string, string>> = {
    pageup: 'PgUp',
    pagedown: 'PgDn',
    escape: 'Esc',
  };
  const named = entryOf(NAMES, key);
  if (named !== undefined) return named;
  if ([...key].length === 1) return key;
  return key
    .split('+')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('-');
}

/** The key that a command has first, as people write it: for sentences that name a key. */
export function keyOf(keymap: Keymap, command: Command): string {
  return keyLabel(keymap[command].keys[0] ?? '');
}

/** The README's table. */
export function keyTableMarkdown(keymap: Keymap): string {
  const rows = GROUPS.flatMap((group) =>
    commandsOf(keymap)
      .filter(([, binding]) => binding.group === group)
      .map(([, { keys, description, where }]) => {
        // A bar ends a cell, also inside code.
        const shown = keys.map((key) => `\`${keyLabel(key).replace('|', '\\|')}\``).join(' ');
        return `| ${shown} | ${description} | ${CONDITIONS[where].when} |`;
      }),
  );
  return ['| key | what it does | when |', '|---|---|---|', ...rows, ''].join('\n');
}

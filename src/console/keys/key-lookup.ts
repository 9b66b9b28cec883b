/**
 * Functions on the key tables (`keymap.ts`, `screen-keys.ts`): which command a key stands for, whether it
 * applies now, how a key is written for people, and how a person's own keys change the tables.
 */

import { entryOf } from '../../kernel/entry.ts';
import { UsageError } from '../../kernel/errors.ts';
import { capitalize } from '../../text/capitalize.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import type { ScreenBinding } from './binding.ts';
import {
  type BindingOf,
  type Command,
  type CommandOf,
  KEYMAP,
  type Keymap,
  type Scope,
} from './keymap.ts';

/** Returns the commands of a run's screen that have a key, in the keymap's order. */
export function commandsOf(keymap: Keymap): [Command, BindingOf<'run'>][] {
  const all = Object.entries(keymap.run) as [Command, BindingOf<'run'>][];
  return all.filter(([, { keys }]) => keys.length > 0);
}

/** Returns the commands of a screen that have a key, in the keymap's order. */
export function commandsIn<S extends Exclude<Scope, 'run'>>(
  keymap: Keymap,
  scope: S,
): [CommandOf<S>, ScreenBinding][] {
  const all = Object.entries(keymap[scope]) as [CommandOf<S>, ScreenBinding][];
  return all.filter(([, { keys }]) => keys.length > 0);
}

/**
 * Returns the command of a run's screen that a key stands for, even if the command would do nothing
 * now. Undefined if the key stands for no command.
 */
export function commandFor(keymap: Keymap, key: string): Command | undefined {
  return commandsOf(keymap).find(([, binding]) => binding.keys.includes(key))?.[0];
}

/**
 * Returns the command of a screen for a key; undefined if the key has none.
 *
 * @param place the part of the screen; default: any
 */
export function commandIn<S extends Exclude<Scope, 'run'>>(
  keymap: Keymap,
  scope: S,
  key: string,
  place?: string,
): CommandOf<S> | undefined {
  return commandsIn(keymap, scope).find(
    ([, { keys, where }]) =>
      keys.includes(key) && (place === undefined || where === undefined || where.includes(place)),
  )?.[0];
}

/**
 * Converts a key pressed in a dialog or text field to the built-in key that means the same there,
 * because dialogs know built-in keys only and the person may have configured others.
 *
 * @returns the command's built-in key, if the key stands for a command of dialogs. Otherwise the key
 *   itself; but an empty text if it is a built-in key other than up and down whose command the person
 *   has moved to another key.
 */
export function dialogKey(keymap: Keymap, key: string): string {
  if (keymap.dialogs === KEYMAP.dialogs) return key;
  const command = commandIn(keymap, 'dialogs', key);
  if (command === undefined) {
    // Up and down stay arrow keys even if the person has moved `next` and `previous` of dialogs to other keys: in
    // a text of several lines, the arrow keys move by rows.
    const free = key === 'up' || key === 'down' || commandIn(KEYMAP, 'dialogs', key) === undefined;
    return free ? key : '';
  }
  const { keys } = KEYMAP.dialogs[command];
  return keys.includes(key) ? key : (keys[0] ?? '');
}

const NAMED =
  /^(tab|escape|enter|space|backspace|delete|up|down|left|right|home|end|pageup|pagedown|shift\+(tab|enter)|(alt|ctrl)\+(left|right|enter|backspace)|alt\+[bdf]|ctrl\+[a-z_])$/;

/**
 * The key bindings that a person has configured, by command: `stop` for a command of a run,
 * `home.add` for one of another screen.
 */
export type OwnKeys = Readonly<Record<string, string | readonly string[]>>;

/**
 * Returns the built-in keymap with the keys that a person has configured.
 *
 * @throws UsageError if these keys are not valid
 */
export function keymapOf(keys: OwnKeys = {}): Keymap {
  const keymap = rebindKeys(KEYMAP, keys);
  if (keymap instanceof Error) throw keymap;
  return keymap;
}

/** The places of each screen in which characters are typed as text. */
const WRITTEN: Readonly<Partial<Record<Scope, readonly string[]>>> = {
  home: ['box'],
  walk: ['text'],
  // In a list of choices, a typed letter filters the items, so it cannot be the key of a command.
  dialogs: ['text', 'list'],
};

/**
 * Returns a keymap with some keys replaced: `{ stop: 'h', 'home.add': ['+', 'a'] }`. A name without
 * a dot is a command of a run. Returns an error if a command or key does not exist, two commands
 * share a key in the same part of a screen, or a character could no longer be typed.
 */
export function rebindKeys(keymap: Keymap, overrides: OwnKeys): Keymap | UsageError {
  const changed = new Map<Scope, Record<string, BindingOf<Scope>>>();
  for (const [name, wanted] of Object.entries(overrides)) {
    const found = findCommand(keymap, name);
    if (found instanceof UsageError) return found;
    const { scope, command } = found;
    const table = changed.get(scope) ?? { ...keymap[scope] };
    const binding = entryOf(table, command);
    if (binding === undefined) continue;
    const keys = (typeof wanted === 'string' ? [wanted] : wanted).map((key) =>
      // Terminals send the same code for Ctrl-/ and Ctrl-_, so both have one name here.
      key === 'ctrl+/' ? 'ctrl+_' : key,
    );
    const unknown = keys.find((key) => !isCharacter(key) && !NAMED.test(key));
    if (unknown !== undefined || keys.length === 0)
      return new UsageError(
        `keys: "${unknown ?? ''}" for "${name}" is not a key`,
        'A key is one character, or a name such as tab, shift+tab, ctrl+d, pagedown, escape.',
      );
    const letter = keys.find((key) => [...key].length === 1 || key === 'space');
    if (letter !== undefined && isWritten(scope, command, binding))
      return new UsageError(
        `keys: "${letter}" for "${name}" would block typing that letter`,
        'Use a key that types no character, such as ctrl+s.',
      );
    changed.set(scope, { ...table, [command]: { ...binding, keys } });
  }
  for (const [scope, table] of changed) {
    const clash = clashIn(scope, table);
    if (clash !== undefined) return clash;
  }
  return { ...keymap, ...Object.fromEntries(changed) };
}

/** Finds a command by its name: `stop` of a run, `home.add` of another screen. */
function findCommand(
  keymap: Keymap,
  name: string,
): { readonly scope: Scope; readonly command: string } | UsageError {
  const [first = '', ...rest] = name.split('.');
  const named = rest.length > 0 && Object.hasOwn(keymap, first);
  const scope: Scope = named ? (first as Scope) : 'run';
  const command = named ? rest.join('.') : name;
  if (Object.hasOwn(keymap[scope], command)) return { scope, command };
  const others = (Object.keys(keymap) as Scope[]).filter((screen) =>
    Object.hasOwn(keymap[screen], name),
  );
  return new UsageError(
    `keys: unknown command "${name}"`,
    others.length > 0
      ? `Name its screen: ${others.map((screen) => `${screen}.${name}`).join(', ')}`
      : `Commands: ${Object.keys(keymap[scope])
          .map((command) => (scope === 'run' ? command : `${scope}.${command}`))
          .join(', ')}`,
  );
}

/**
 * Returns whether a command's key would prevent a character from being typed. In the home screen's box, the key
 * for help applies only while the box is empty.
 */
function isWritten(scope: Scope, command: string, { where }: { where?: unknown }): boolean {
  const places = WRITTEN[scope];
  if (places === undefined || (scope === 'home' && command === 'help')) return false;
  return !Array.isArray(where) || where.some((place: string) => places.includes(place));
}

function clashIn(
  scope: Scope,
  table: Readonly<Record<string, BindingOf<Scope>>>,
): UsageError | undefined {
  const formatName = (command: string): string =>
    scope === 'run' ? command : `${scope}.${command}`;
  const owners = new Map<string, string[]>();
  for (const [command, { keys, where }] of Object.entries(table))
    for (const key of keys) {
      const before = owners.get(key) ?? [];
      // On the screen of a run, a key can have only one meaning. On other screens, its meaning may differ by the
      // part of the screen.
      const owner = before.find(
        (otherCommand) =>
          scope === 'run' || canBothApply(entryOf(table, otherCommand)?.where, where),
      );
      if (owner !== undefined)
        return new UsageError(
          `keys: "${key}" would mean both "${formatName(owner)}" and "${formatName(command)}"`,
          'Bind one of them to another key.',
        );
      owners.set(key, [...before, command]);
    }
  return undefined;
}

type Where = BindingOf<Scope>['where'];

/** Returns whether two commands can apply at the same place. */
function canBothApply(left: Where, right: Where): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return true;
  return left.some((place) => right.includes(place));
}

/** Formats a key for people: `Ctrl-D`, `Shift-Tab`, `PgDn`, `j`. */
export function keyLabel(key: string): string {
  const NAMES: Readonly<Record<string, string>> = {
    pageup: 'PgUp',
    pagedown: 'PgDn',
    escape: 'Esc',
    // Terminals report Ctrl with `/` as Ctrl-_. Show `/`, because this is what keyboards have on a key.
    'ctrl+_': 'Ctrl-/',
  };
  const named = entryOf(NAMES, key);
  if (named !== undefined) return named;
  if ([...key].length === 1) return key;
  return key.split('+').map(capitalize).join('-');
}

/** Returns the first key of a run's command, formatted for people. */
export function keyOf(keymap: Keymap, command: Command): string {
  return keyLabel(keymap.run[command].keys[0] ?? '');
}

/** Returns the first key of a command of any screen, formatted for people. */
export function keyIn<S extends Scope>(keymap: Keymap, scope: S, command: CommandOf<S>): string {
  const table: Readonly<Record<string, BindingOf<Scope>>> = keymap[scope];
  return keyLabel(entryOf(table, command)?.keys[0] ?? '');
}

/** Returns whether a key is one visible character that a keyboard can send. */
function isCharacter(key: string): boolean {
  return [...key].length === 1 && !/\s/u.test(key) && sanitiseText(key) === key;
}

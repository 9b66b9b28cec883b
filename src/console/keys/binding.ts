import { withoutUndefined } from '../../text/without-undefined.ts';

/** The keys of a command, and what the help and the last row of the screen say about them. */
export interface Binding {
  /** The names of the keys: `j`, `G`, `tab`, `shift+tab`, `ctrl+d`, `pagedown`, `escape`. */
  readonly keys: readonly string[];
  /** What the keys do, for the help. */
  readonly description: string;
  /** The word for the command in the last row; absent: the command is listed only in the help. */
  readonly footer?: string;
}

/** The keys of a command of a screen other than a run's. */
export interface ScreenBinding<Scope extends string = string> extends Binding {
  /** The parts of the screen in which the keys work; absent: everywhere. */
  readonly where?: readonly Scope[];
}

/**
 * One row of a screen's table of keys. It has the keys of a command, separated by blanks, and what
 * they do. Then come the parts of the screen in which they work, and the command's word in the last
 * row of the screen.
 */
export type ScreenRow<Scope extends string> = readonly [
  keys: string,
  description: string,
  where?: readonly Scope[] | undefined,
  footer?: string,
];

/** The entry in a table of keys for a command that works in all parts of its screen. */
export const EVERYWHERE = undefined;

/** Converts the rows of a screen's table of keys to bindings, by command. */
export function screenBindings<Rows extends Readonly<Record<string, ScreenRow<string>>>>(
  rows: Rows,
): Readonly<Record<keyof Rows & string, ScreenBinding>> {
  const bindings = Object.entries(rows).map(([command, [keys, description, where, footer]]) => [
    command,
    {
      keys: keys.split(' '),
      description,
      ...withoutUndefined({ where, footer }),
    },
  ]);
  return Object.fromEntries(bindings);
}

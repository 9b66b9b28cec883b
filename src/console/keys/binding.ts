/** A row of the key table: the keys, what they do, and where. */

export interface Binding {
  /** The keys as `keysOf` names them: `j`, `G`, `tab`, `shift+tab`, `ctrl+d`, `pagedown`, `escape`. */
  readonly keys: readonly string[];
  readonly description: string;
  /** The word in the footer; absent: the key is listed only in the help. */
  readonly footer?: string;
}

export interface ScreenBinding<Scope extends string = string> extends Binding {
  /** Where on the screen the keys apply; absent: everywhere. */
  readonly where?: readonly Scope[];
}

/** A row as it is written in a table: keys separated by blanks, what they do, where, the word in the footer. */
export type ScreenRow<Scope extends string> = readonly [
  keys: string,
  description: string,
  where?: readonly Scope[] | undefined,
  footer?: string,
];

export const EVERYWHERE = undefined;

export function screenBindings<Rows extends Readonly<Record<string, ScreenRow<string>>>>(
  rows: Rows,
): Readonly<Record<keyof Rows & string, ScreenBinding>> {
  const bindings = Object.entries(rows).map(([command, [keys, description, where, footer]]) => [
    command,
    {
      keys: keys.split(' '),
      description,
      ...(where === undefined ? {} : { where }),
      ...(footer === undefined ? {} : { footer }),
    },
  ]);
  return Object.fromEntries(bindings);
}

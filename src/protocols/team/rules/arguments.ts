/** Arguments of tools by the names that models are trained on, read as the names that they have here. */
import { isRecord } from '../../../text/is-record.ts';

const NAMES: ReadonlyMap<string, string> = new Map([
  ['file_path', 'path'],
  ['filename', 'path'],
  ['content', 'text'],
  ['contents', 'text'],
  ['old_string', 'old'],
  ['old_str', 'old'],
  ['new_string', 'new'],
  ['new_str', 'new'],
]);

/** What the tool takes by that name stays; another name for what it takes and was not given is renamed. */
export function renameArguments(
  given: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { properties } = parameters;
  if (!isRecord(properties)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const meant = NAMES.get(name);
      const isMeant =
        meant !== undefined &&
        !Object.hasOwn(properties, name) &&
        Object.hasOwn(properties, meant) &&
        !Object.hasOwn(given, meant);
      return [isMeant ? meant : name, value];
    }),
  );
}

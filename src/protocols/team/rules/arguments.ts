/**
 * Renames a tool's arguments from the names that models are trained on to the names that the tool has here.
 */
import { isRecord } from '../../../text/json.ts';

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

/**
 * Replaces wrong names of arguments in a tool call by the tool's own names, such as `file_path` by
 * `path`. A name stays if the tool has an argument of that name, or if the call has the correct
 * name as well.
 */
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

/**
 * Returns a sentence that lists the arguments a tool takes, if a call lacked a required argument or gave an
 * unknown one. Returns undefined if neither was the case, so that the call was refused for another reason.
 */
export function expectedArguments(
  name: string,
  given: Readonly<Record<string, unknown>>,
  { properties, required }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (!isRecord(properties)) return undefined;
  const taken = Object.keys(properties).filter((argument) => argument !== 'tree');
  const needed = Array.isArray(required)
    ? taken.filter((argument) => required.includes(argument))
    : [];
  const isAsked =
    needed.every((argument) => Object.hasOwn(given, argument)) &&
    Object.keys(given).every((argument) => argument === 'tree' || taken.includes(argument));
  if (isAsked) return undefined;
  const free = taken.filter((argument) => !needed.includes(argument));
  return `${name} takes ${needed.join(', ') || 'nothing that it needs'}${free.length === 0 ? '' : `; ${free.join(', ')} may be left out`}.`;
}

/** Reads the scripts, tasks and targets in a file, with what each runs. Pure. */
import { isRecord } from '../../text/json.ts';
import type { ScriptList } from './schema.ts';

/** A named script or target of a project. */
export interface NamedScript {
  readonly name: string;
  /**
   * The command that the script runs, as far as the file contains it. After the call of another
   * script of the file, the command of that script stands in parentheses.
   */
  readonly text: string;
}

/** The most characters of a target's lines, enough to see which program it starts. */
const MOST_BODY = 2_000;
/** The deepest nesting of scripts that run scripts. */
const MOST_DEEP = 3;

/**
 * Returns the scripts or targets that a file defines.
 * @param listed where the file has them: in the object `key` of its JSON, or on lines that match `matching`
 * @param text the text of the file
 */
export function readNames(listed: ScriptList, text: string): NamedScript[] {
  const { key, matching } = listed;
  if (key !== undefined) return readObject(text, key);
  return matching === undefined ? [] : readLines(text, new RegExp(matching, 'gm'));
}

function readObject(text: string, key: string): NamedScript[] {
  const read = parseJson(text);
  const entries = isRecord(read) && Object.hasOwn(read, key) ? read[key] : undefined;
  if (!isRecord(entries)) return [];
  const known = new Map(
    Object.entries(entries).flatMap(([name, value]): [string, string][] => {
      const said = Array.isArray(value)
        ? value.join('\n')
        : isRecord(value)
          ? value.command
          : value;
      return typeof said === 'string' ? [[name, said]] : [];
    }),
  );
  return [...known].map(([name, said]) => ({ name, text: expandCalls(said, known, MOST_DEEP) }));
}

/** Replaces calls of other scripts by their text. */
function expandCalls(text: string, known: ReadonlyMap<string, string>, deep: number): string {
  if (deep === 0) return text;
  return text.replace(
    /\b(?:(?:npm|pnpm|yarn|bun) (?:run |run-script )?|deno task |composer (?:run-script )?|@)([\w:.-]+)/g,
    (said, name: string) => {
      const other = known.get(name);
      return other === undefined ? said : `${said} (${expandCalls(other, known, deep - 1)})`;
    },
  );
}

function readLines(text: string, shape: RegExp): NamedScript[] {
  return [...text.matchAll(shape)].flatMap((found) => {
    const end = found.index + found[0].length;
    const line = text.slice(end, end + MOST_BODY);
    // The lines below the name of a target, as in a makefile, belong to the target as long as they are indented
    // or blank.
    const body = /^[^\n]*(?:\n(?:[ \t][^\n]*)?)*/.exec(line)?.[0] ?? '';
    const { name, names } = found.groups ?? {};
    return (names ?? name ?? '')
      .split(/\s+/)
      .filter((name) => name !== '')
      .map((name) => ({ name, text: body }));
  });
}

/**
 * Parses JSON; comments on lines of their own and trailing commas are removed if needed. Undefined if it is
 * invalid.
 */
function parseJson(text: string): unknown {
  for (const candidate of [text, text.replace(/^\s*\/\/.*$/gm, '').replace(/,(\s*[}\]])/g, '$1')])
    try {
      return JSON.parse(candidate);
    } catch {
      // If the file's own text is no valid JSON, try the text without comments and trailing commas.
    }
  return undefined;
}

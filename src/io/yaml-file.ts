/**
 * Parses YAML that people write. All problems are reported at once, each with file, line and expectation,
 * so that a file can be corrected in one go.
 */

import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import * as z from 'zod';
import { entryOf } from '../kernel/entry.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { findNearest } from '../text/nearest.ts';
import { findExcess, MOST_ALIASES } from './yaml-limits.ts';

/** Thrown for a file whose content is wrong. The message names the first problem. */
export class BadFile extends DeliberateError {
  /** All problems, each as `file:line: what is wrong`. */
  readonly problems: readonly string[];

  constructor(problems: readonly [string, ...string[]]) {
    const more = problems.length - 1;
    super(
      'bad-file',
      more === 0
        ? problems[0]
        : `${problems[0]} (and ${more} more problem${more === 1 ? '' : 's'} in this file)`,
    );
    this.name = 'BadFile';
    this.problems = problems;
  }
}

type Path = readonly PropertyKey[];

/** A parsed YAML file, and the positions of its parts. */
export interface Yaml<T> {
  readonly value: T;
  /**
   * Returns the position of a part as `file:line`; of a missing part, the position of its parent.
   */
  readonly place: (path: Path) => string;
}

/**
 * Parses a YAML text and checks it by a schema.
 *
 * @param file the file's name, for errors
 * @param firstLine the line of the file in which the text begins
 * @throws BadFile if the text does not fit
 */
export function readYaml<T>(
  file: string,
  text: string,
  schema: z.ZodType<T>,
  firstLine = 1,
): Yaml<T> {
  const lines = new LineCounter();
  const formatPlace = (offset: number | undefined): string =>
    `${file}:${firstLine - 1 + (offset === undefined ? 1 : Math.max(1, lines.linePos(offset).line))}`;
  const { document, content } = parseYaml(text, lines, formatPlace);
  const place = (path: Path): string => formatPlace(offsetOf(document, path));
  const result = schema.safeParse(content ?? {});
  if (result.success) return { value: result.data, place };
  const [first, ...more] = result.error.issues
    .flatMap((issue) => explainIssue(issue, schema))
    .map(({ path, said }) => ({ offset: offsetOf(document, path) ?? 0, said }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, said }) => `${formatPlace(offset)}: ${said}`);
  throw new BadFile([first ?? `${file}:${firstLine}: not understood`, ...more]);
}

function parseYaml(
  text: string,
  lines: LineCounter,
  at: (offset: number | undefined) => string,
): { document: Document; content: unknown } {
  const excess = findExcess(text);
  if (excess !== undefined) throw new BadFile([`${at(undefined)}: ${excess}`]);
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      // Suppress warnings of the YAML library, such as about a key that is a list. The library turns such a key
      // into a string, and the file's schema then refuses it as an unknown key.
      logLevel: 'error',
    });
    const [first, ...more] = document.errors.map(
      ({ pos, message }) => `${at(pos[0])}: ${message.replace(/\s+/g, ' ')}`,
    );
    if (first !== undefined) throw new BadFile([first, ...more]);
    visit(document, {
      Pair: (_key, { key }) => {
        // Report the key `__proto__`, which Zod would silently drop.
        if (isScalar(key) && key.value === '__proto__')
          throw new BadFile([`${at(key.range?.[0])}: __proto__: unknown key`]);
      },
    });
    return { document, content: document.toJS({ maxAliasCount: MOST_ALIASES }) };
  } catch (error) {
    // The YAML library throws for invalid aliases, aliases that expand too far, and too deep nesting.
    if (error instanceof ReferenceError || error instanceof RangeError)
      throw new BadFile([`${at(undefined)}: ${error.message}`]);
    throw error;
  }
}

/** Returns the offset of a part: of its key if it exists, else of its parent. */
function offsetOf(document: Document, path: Path): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const parent =
      length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === key);
      if (isNode(pair?.key)) return pair.key.range?.[0];
    }
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node)) return node.range?.[0];
  }
  return document.contents?.range?.[0];
}

/** Returns the expectation and place of each problem. */
function explainIssue(issue: z.core.$ZodIssue, schema: z.ZodType): { path: Path; said: string }[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, path);
    return issue.keys.map((key) => {
      const meant = findNearest(key, known);
      const hint =
        meant === undefined ? `Known keys: ${known.join(', ')}.` : `Did you mean ${meant}?`;
      const own = [...path, key];
      return { path: own, said: `${joinPath(own)}: unknown key. ${hint}` };
    });
  }
  const name = path.length === 0 ? '' : `${joinPath(path)}: `;
  // zod nests the message about an invalid key in `issues` of the issue.
  const said = issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined;
  if (said !== undefined) return [{ path, said: `${name}${said}` }];
  const message = /received undefined$/.test(issue.message)
    ? issue.message.replace(/^Invalid input: (.*), received undefined$/, 'it is missing; $1')
    : issue.message.replace(/^Invalid (?:input|option): /, '');
  return [{ path, said: `${name}${message}` }];
}

function joinPath(path: Path): string {
  return path.map(String).join('.');
}

interface JsonShape {
  readonly properties?: Readonly<Record<string, JsonShape>>;
  readonly items?: JsonShape;
  readonly additionalProperties?: JsonShape;
}

/**
 * Returns the keys that the schema lists for the object at a path. Empty if the schema lists none there, or
 * allows alternatives.
 */
export function keysAt(schema: z.ZodType, path: Path): string[] {
  let shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as
    | JsonShape
    | undefined;
  for (const step of path)
    shape =
      typeof step === 'number'
        ? shape?.items
        : (entryOf(shape?.properties ?? {}, String(step)) ?? shape?.additionalProperties);
  return Object.keys(shape?.properties ?? {});
}

/** The frontmatter and the body of a Markdown file. */
interface Parts {
  readonly front: string;
  /** The line of the file with the frontmatter's first key. */
  readonly firstLine: number;
  readonly body: string;
}

/**
 * Splits a Markdown file into its frontmatter (the YAML text between two lines `---`) and the text below,
 * which is trimmed. `firstLine` is the line of the file in which the YAML text begins.
 *
 * @throws BadFile if the line `---` before or after the frontmatter is missing
 */
export function splitFrontmatter(file: string, text: string): Parts {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/);
  if (lines[0]?.trimEnd() !== '---')
    throw new BadFile([`${file}:1: expected a line --- with the frontmatter below it`]);
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end < 0)
    throw new BadFile([
      `${file}:${lines.length}: the frontmatter that starts on line 1 has no closing --- line`,
    ]);
  return {
    front: lines.slice(1, end).join('\n'),
    firstLine: 2,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

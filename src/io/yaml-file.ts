/**
 * YAML that people write, of a known shape. Whatever is wrong is said with file, line and what was
 * expected, all of it at once, so that a file is mended in one go.
 */

import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import * as z from 'zod';
import { entryOf } from '../kernel/entry.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { nearest } from '../text/nearest.ts';
import { excessIn, MOST_ALIASES } from './yaml-limits.ts';

/** A file that is not of its shape. The message has the first problem, `problems` has them all. */
export class BadFile extends DeliberateError {
  /** Each begins with `file:line: `. */
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

/** A file that was read, and where its parts stand. */
export interface Yaml<T> {
  readonly value: T;
  /** `file:line` of a part, or of what it would have stood in. */
  readonly place: (path: Path) => string;
}

/** `firstLine`: where in the file the text begins. @throws BadFile */
export function readYaml<T>(
  file: string,
  text: string,
  schema: z.ZodType<T>,
  firstLine = 1,
): Yaml<T> {
  const lines = new LineCounter();
  const at = (offset: number | undefined): string =>
    `${file}:${firstLine - 1 + (offset === undefined ? 1 : Math.max(1, lines.linePos(offset).line))}`;
  const { document, content } = parse(text, lines, at);
  const place = (path: Path): string => at(offsetOf(document, path));
  const result = schema.safeParse(content ?? {});
  if (result.success) return { value: result.data, place };
  const [first, ...more] = result.error.issues
    .flatMap((issue) => explainIssue(issue, schema))
    .map(({ path, said }) => ({ offset: offsetOf(document, path) ?? 0, said }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, said }) => `${at(offset)}: ${said}`);
  throw new BadFile([first ?? `${file}:${firstLine}: not understood`, ...more]);
}

function parse(
  text: string,
  lines: LineCounter,
  at: (offset: number | undefined) => string,
): { document: Document; content: unknown } {
  const excess = excessIn(text);
  if (excess !== undefined) throw new BadFile([`${at(undefined)}: ${excess}`]);
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      // What is odd about a key shows in the shape; the library would warn on standard error.
      logLevel: 'error',
    });
    const [first, ...more] = document.errors.map(
      ({ pos, message }) => `${at(pos[0])}: ${message.replace(/\s+/g, ' ')}`,
    );
    if (first !== undefined) throw new BadFile([first, ...more]);
    visit(document, {
      Pair: (_key, { key }) => {
        // The checker would drop it unread.
        if (isScalar(key) && key.value === '__proto__')
          throw new BadFile([`${at(key.range?.[0])}: __proto__: unknown key`]);
      },
    });
    return { document, content: document.toJS({ maxAliasCount: MOST_ALIASES }) };
  } catch (error) {
    // Aliases that lead nowhere or multiply, and nesting that nobody writes by hand.
    if (error instanceof ReferenceError || error instanceof RangeError)
      throw new BadFile([`${at(undefined)}: ${error.message}`]);
    throw error;
  }
}

/** Where a part begins: a key's own line where the path names one, else what it would stand in. */
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

/** What was expected, and where: one for each problem. */
function explainIssue(issue: z.core.$ZodIssue, schema: z.ZodType): { path: Path; said: string }[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, path);
    return issue.keys.map((key) => {
      const meant = nearest(key, known);
      const hint =
        meant === undefined ? `Known keys: ${known.join(', ')}.` : `Did you mean ${meant}?`;
      const own = [...path, key];
      return { path: own, said: `${joinPath(own)}: unknown key. ${hint}` };
    });
  }
  const name = path.length === 0 ? '' : `${joinPath(path)}: `;
  // Of a key that is none, what is wrong with it stands one level deeper.
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

/** Returns the keys that an object at a path may have; none where it may have any. */
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

/** A Markdown file's two parts. */
interface Parts {
  readonly front: string;
  /** Where in the file the frontmatter's first key stands. */
  readonly firstLine: number;
  readonly body: string;
}

/** Takes the frontmatter off, whatever ends the lines. @throws BadFile where it does not begin or end. */
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

/** Reads the front matter of agents' files, as strict YAML or as other programs write it. */

import { LineCounter, parseDocument } from 'yaml';
import { MOST_ALIASES } from '../../../io/yaml-limits.ts';
import { isRecord } from '../../../text/json.ts';

interface Front {
  readonly yaml: string;
  readonly body: string;
  /** Whether the closing line `---` is missing; then the YAML is everything below the first line. */
  readonly open: boolean;
}

/**
 * Splits a file into its frontmatter, the YAML between two lines `---` at its beginning, and the text below.
 * Returns undefined if the file does not begin with such a line.
 */
export function splitFrontmatter(text: string): Front | undefined {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const match = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n([\s\S]*))?$/.exec(plain);
  if (match) return { yaml: match[1] ?? '', body: match[2] ?? '', open: false };
  return /^---[ \t]*\n/.test(plain)
    ? { yaml: plain.replace(/^---[ \t]*\n/, ''), body: '', open: true }
    : undefined;
}

interface LenientYaml {
  readonly values: Record<string, unknown>;
  /** The line of every key, counted from 0 in the frontmatter. */
  readonly lines: ReadonlyMap<string, number>;
  readonly broken?: { readonly line: number; readonly why: string };
}

/**
 * Parses YAML. If that fails, each key is parsed separately, a value that is still invalid is
 * taken as plain text, and `broken` says where and why the whole is invalid.
 */
export function readLeniently(yaml: string): LenientYaml {
  const blocks = blocksOf(yaml);
  const lines = new Map(blocks.map(({ key, line }) => [key, line]));
  const { value, wrong } = parseStrict(yaml);
  if (isRecord(value)) return { values: value, lines };
  if (wrong === undefined && blocks.length === 0) return { values: {}, lines };
  const broken = {
    line: wrong?.line ?? 0,
    why: (wrong?.why ?? 'no keys').replace(/\s+/g, ' '),
  };
  return {
    values: Object.fromEntries(blocks.map((block) => [block.key, parseBlock(block)])),
    lines,
    broken,
  };
}

interface StrictYaml {
  readonly value?: unknown;
  /** The first error, with its line counted from 0. */
  readonly wrong?: { readonly line: number; readonly why: string };
}

/** Parses strict YAML, or returns why that fails. Never throws. */
function parseStrict(yaml: string): StrictYaml {
  const counter = new LineCounter();
  try {
    const document = parseDocument(yaml, {
      lineCounter: counter,
      prettyErrors: false,
      logLevel: 'error',
    });
    const [error] = document.errors;
    if (error === undefined) return { value: document.toJS({ maxAliasCount: MOST_ALIASES }) };
    return { wrong: { line: counter.linePos(error.pos[0]).line - 1, why: error.message } };
  } catch (error) {
    // The YAML parser throws a ReferenceError or a RangeError for undefined aliases, aliases that multiply the text,
    // and extreme nesting. Report such an error as a mistake in the file.
    if (error instanceof ReferenceError || error instanceof RangeError)
      return { wrong: { line: 0, why: error.message } };
    throw error;
  }
}

interface Block {
  readonly key: string;
  readonly line: number;
  readonly rows: readonly string[];
}

/** Divides the text into keys at the margin, each with all rows up to the next one. */
function blocksOf(yaml: string): Block[] {
  const blocks: { key: string; line: number; rows: string[] }[] = [];
  for (const [line, row] of yaml.split('\n').entries()) {
    const key = /^["']?([\p{L}_][\p{L}\p{N}_-]*)["']?[ \t]*:/u.exec(row)?.[1];
    if (key !== undefined) blocks.push({ key, line, rows: [row] });
    else blocks.at(-1)?.rows.push(row);
  }
  return blocks;
}

function parseBlock({ rows }: Block): unknown {
  // Replace tabs by spaces: YAML forbids tabs for indentation, but some editors insert them.
  const text = rows
    .map((row) => row.replace(/^[ \t]+/, (gap) => gap.replaceAll('\t', '  ')))
    .join('\n');
  const { value } = parseStrict(text);
  if (isRecord(value)) return Object.values(value)[0];
  const said = rows
    .join(' ')
    .replace(/^[^:]*:/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return said.replace(/^(["'])(.*)\1$/, '$2');
}

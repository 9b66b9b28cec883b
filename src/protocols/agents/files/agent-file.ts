/**
 * One agent's file: Markdown with YAML frontmatter, as people have them for other tools. What this
 * program has no use for is passed over with a note; frontmatter that strict YAML refuses is read key by
 * key. Nothing here looks at other files: names of other agents stay as they are written.
 */

import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { EFFORTS } from '../../../io/efforts.ts';
import { effortSchema } from '../../../io/preset-kinds.ts';
import { unseenLines } from '../../../io/unseen-lines.ts';
import { findExcess, MOST_ALIASES } from '../../../io/yaml-limits.ts';
import { findDuration, LONGEST_MS } from '../../../kernel/duration.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { isRecord } from '../../../text/is-record.ts';
import { TERMINATION_MODES } from '../graph.ts';

export interface Problem {
  readonly severity: 'error' | 'warning' | 'note';
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export interface AgentFile {
  readonly file: string;
  /** A slug: `code-reviewer`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly brief: string;
  /** As it is written: `sonnet`, `inherit`, `ollama/qwen3:8b`. */
  readonly model?: string | undefined;
  readonly colour?: string | undefined;
  readonly temperature?: number | undefined;
  readonly effort?: string | undefined;
  /** Which of our tools it may use, where seats may look into folders; absent: all of them. */
  readonly tools?: readonly string[] | undefined;
  /** What links it to others, by the names that its author wrote. */
  readonly links: WrittenLinks;
  readonly problems: readonly Problem[];
  /** The line of a word below a key, or of the key. */
  readonly lineOf: (key: string, word?: string) => number;
}

/** More than anybody would wait for. */
const MOST_NAMES = 100;

const list = z
  .union([z.string(), z.array(z.string())], 'expected a list of names such as [analyst, critic]')
  .transform((given) =>
    (typeof given === 'string' ? given.split(',') : given)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  .refine((names) => names.length > 0, 'the list is empty')
  .refine((names) => names.length <= MOST_NAMES, `more than ${MOST_NAMES} names`);
const turns = z.number().int().positive();

/** The words for what is no map at all; what is wrong inside of one is told by itself. */
function shapeOr(words: string) {
  return {
    error: ({ code }: { readonly code: string }) => (code === 'invalid_type' ? words : undefined),
  };
}

const DURATION = 'expected a duration such as 30s or 2m, at most 576h';

const linkSchemas = {
  advisors: list.optional(),
  advisorsRequired: z
    .union(
      [z.enum(['all', 'any']), z.number().int().nonnegative()],
      'expected all, any or a number',
    )
    .optional(),
  advisorTimeout: z
    .union(
      [z.number().positive(), z.string().regex(/^\s*\d+(?:\.\d+)?(?:ms|s|m|h)?\s*$/, DURATION)],
      DURATION,
    )
    // In whole milliseconds, as the run's settings have it.
    .transform((given) => Math.round(findDuration(String(given))))
    .refine((ms) => ms > 0 && ms <= LONGEST_MS, DURATION)
    .optional(),
  router: z
    .strictObject(
      { destinations: list, mayAnswer: z.boolean().default(false) },
      shapeOr('a router needs destinations: {destinations: [billing, support]}'),
    )
    .optional(),
  handoff: z.string('a handoff takes one agent').trim().min(1).optional(),
  team: z
    .strictObject(
      {
        members: list,
        supervisor: z.string().trim().min(1).optional(),
        memberMaxTurns: turns.optional(),
        supervisorMaxTurns: turns.optional(),
        terminationMode: z.enum(TERMINATION_MODES).default('coordinatorDecides'),
        maxRounds: turns.default(5),
      },
      shapeOr('a team needs members: {members: [analyst, critic]}'),
    )
    .optional(),
};
type WrittenLinks = {
  readonly [K in keyof typeof linkSchemas]?: z.infer<(typeof linkSchemas)[K]> | undefined;
};

/** Keys that are understood beside those that tie agents together. */
const OWN = ['name', 'description', 'model', 'temperature', 'effort', 'color', 'colour', 'tools'];

/** What other tools call those that there are here. None of them writes, runs or fetches anything. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ...['list', 'grep', 'read', 'git_log', 'git_show', 'git_blame'].map((name): [string, string] => [
    name,
    name,
  ]),
  ['glob', 'list'],
  ['ls', 'list'],
  ['search', 'grep'],
]);

/** The words that other tools have for colours. */
const COLOURS: ReadonlyMap<string, string> = new Map([
  ['red', '#f44336'],
  ['orange', '#ff9800'],
  ['yellow', '#fbc02d'],
  ['green', '#4caf50'],
  ['cyan', '#00acc1'],
  ['blue', '#2196f3'],
  ['purple', '#9c27b0'],
  ['pink', '#ec407a'],
]);

/** Keys of the commands that other tools keep beside agents. */
const COMMAND_KEYS = ['argument-hint', 'allowed-tools', 'disable-model-invocation'];

/**
 * Returns why a file in a folder of agents is none, in a phrase; undefined where it is one.
 *
 * @param path The file as seen from the folder of agents.
 */
export function whyNoAgent(path: string, text: string): string | undefined {
  const parts = path.split(/[\\/]/);
  if (/^skill\.md$/i.test(parts.at(-1) ?? '')) return 'a skill';
  if (parts.slice(0, -1).some((part) => part.toLowerCase() === 'commands')) return 'a command';
  const front = frontmatter(text);
  if (front === undefined) return 'plain Markdown: no frontmatter';
  if (findExcess(front.yaml) !== undefined) return undefined;
  const { values } = readLeniently(front.yaml);
  const keys = Object.keys(values);
  if (!keys.includes('name') && keys.some((key) => COMMAND_KEYS.includes(key))) return 'a command';
  if (keys.length > 0 && !keys.some((key) => OWN.includes(key) || Object.hasOwn(linkSchemas, key)))
    return `plain Markdown: its frontmatter says nothing of an agent`;
  return undefined;
}

/** Undefined where the text has no frontmatter: it is no agent, unless somebody named it as one. */
export function readAgent(file: string, text: string, named = false): AgentFile | undefined {
  const front = frontmatter(text);
  if (front === undefined && !named) return undefined;
  const problems: Problem[] = [];
  const say = (severity: Problem['severity'], line: number, words: string): void => {
    problems.push({ severity, file, line, text: words });
  };
  const excess = findExcess(front?.yaml ?? '');
  // Nothing of it is read: an agent of half of its file would be another one.
  const { values, lines, broken } = readLeniently(excess === undefined ? (front?.yaml ?? '') : '');
  if (excess !== undefined) say('error', 1, `the frontmatter is ignored: ${excess}`);
  const rows = (front?.yaml ?? '').split('\n');
  const lineOf = (key: string, word?: string): number => {
    const begins = lines.get(key);
    if (begins === undefined) return 1;
    for (let at = begins; word !== undefined && at < rows.length; at += 1) {
      if (at > begins && /^[^\s#-]/.test(rows[at] ?? '')) break;
      if (wordsIn(rows[at] ?? '').includes(word)) return at + 2;
    }
    return begins + 2;
  };
  for (const { line, words } of unseenLines(text)) say('warning', line, words);
  if (front?.open) say('warning', 1, 'the frontmatter has no closing --- line: all of it was read');
  if (broken !== undefined)
    say('warning', broken.line + 2, `not strict YAML (${broken.why}): read key by key`);

  const links = new Map<string, unknown>();
  for (const [key, schema] of Object.entries(linkSchemas)) {
    const given = entryOf(values, key);
    if (given === undefined || given === null) continue;
    const read = schema.safeParse(given);
    if (read.success) links.set(key, read.data);
    else
      for (const issue of read.error.issues.slice(0, 3)) {
        const inside = issue.path.map(String).join('.');
        say(
          'error',
          lineOf(key, 'keys' in issue ? issue.keys[0] : inside.split('.')[0]),
          `${key}${inside && `.${inside}`}: ${issue.message}`,
        );
      }
  }
  const colour = colourOf(values.colour ?? values.color);
  if (colour === undefined && (values.colour ?? values.color) !== undefined)
    say('note', lineOf(values.colour === undefined ? 'color' : 'colour'), 'an unknown color');
  const temperature = z.number().min(0).max(2).safeParse(values.temperature);
  if (!temperature.success && values.temperature !== undefined)
    say('warning', lineOf('temperature'), 'expected a temperature from 0 to 2; ignored');
  const effort = effortSchema.safeParse(values.effort);
  if (!effort.success && values.effort !== undefined)
    say('warning', lineOf('effort'), `expected an effort: ${EFFORTS.join(', ')}; ignored`);
  const tools = toolsIn(values.tools);
  if (tools !== undefined && tools.unknown.length > 0)
    say('note', lineOf('tools'), `no such tool here: ${tools.unknown.join(', ')}`);
  if (tools !== undefined && tools.ours.length > 0)
    say('note', lineOf('tools'), `${tools.ours.join(', ')}: used with ${flagsFor(tools.ours)}`);
  const unused = Object.keys(values).filter(
    (key) => !OWN.includes(key) && !Object.hasOwn(linkSchemas, key),
  );
  for (const key of unused) say('note', lineOf(key), `"${key}" has no use here`);

  const title = words(values.name) || stem(file);
  const description = words(values.description);
  const model = words(values.model);
  return {
    file,
    name: slugOf(title) || slugOf(stem(file)) || 'agent',
    title,
    description,
    brief: (front?.body ?? text).trim(),
    ...(model === '' ? {} : { model }),
    ...(colour === undefined ? {} : { colour }),
    ...(temperature.success && temperature.data !== undefined
      ? { temperature: temperature.data }
      : {}),
    ...(effort.success ? { effort: effort.data } : {}),
    ...(tools === undefined ? {} : { tools: tools.ours }),
    links: Object.fromEntries(links) as WrittenLinks,
    problems,
    lineOf,
  };
}

/** As many of a list's names as are told. */
const MOST_TOLD = 12;

/** `Read, Grep, Bash(git log:*)` or a list of these; undefined where it says nothing, or `*`. */
function toolsIn(
  given: unknown,
): { readonly ours: readonly string[]; readonly unknown: readonly string[] } | undefined {
  const names = z
    .union([z.string(), z.array(z.string())])
    .transform((one) => (typeof one === 'string' ? one.split(',') : one))
    .catch([])
    .parse(given)
    .map((name) => name.replace(/\(.*$/s, '').trim())
    .filter((name) => name !== '');
  if (names.length === 0 || names.includes('*')) return undefined;
  const known = (name: string): string | undefined =>
    TOOLS.get(name.toLowerCase()) ?? serverToolIn(name);
  const ours = names.flatMap((name) => known(name) ?? []);
  const unknown = names.filter((name) => known(name) === undefined);
  return { ours: [...new Set(ours)], unknown: [...new Set(unknown)].slice(0, MOST_TOLD) };
}

function flagsFor(tools: readonly string[]): string {
  const servers = tools.flatMap((name) => /^(.+)__/.exec(name)?.[1] ?? []);
  const flags = [
    ...(tools.some((name) => !name.includes('__')) ? ['--look DIR'] : []),
    ...[...new Set(servers)].map((server) => `--tools ${server}`),
  ];
  return flags.join(', ');
}

/** `mcp__search__fetch` as runs call it, `search__fetch`; `search__*` where all tools of a server are meant. */
function serverToolIn(name: string): string | undefined {
  const [, server, tool = '*'] = /^mcp__([a-z][a-z0-9-]{0,23})(?:__([\w.*-]+))?$/.exec(name) ?? [];
  return server === undefined ? undefined : `${server}__${tool}`;
}

function wordsIn(row: string): string[] {
  return row.match(/[\p{L}\p{N}_./-]+/gu) ?? [];
}

/** Letters and figures of any script that can be seen, joined by hyphens. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[[^\p{L}\p{N}_]\p{Default_Ignorable_Code_Point}]+/gv, '-')
    .replace(/^-+|-+$/g, '');
  // A run's settings hold agents by name, and what reads them drops that one.
  return slug === '__proto__' ? 'proto' : slug;
}

function stem(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.md$/i, '');
}

function words(value: unknown): string {
  return value === undefined || value === null || typeof value === 'object'
    ? ''
    : String(value).trim();
}

function colourOf(value: unknown): string | undefined {
  const written = words(value).toLowerCase();
  return /^#[0-9a-f]{6}$/.test(written) ? written : COLOURS.get(written);
}

interface Front {
  readonly yaml: string;
  readonly body: string;
  /** It was not closed. */
  readonly open: boolean;
}

function frontmatter(text: string): Front | undefined {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const match = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n([\s\S]*))?$/.exec(plain);
  if (match) return { yaml: match[1] ?? '', body: match[2] ?? '', open: false };
  return /^---[ \t]*\n/.test(plain)
    ? { yaml: plain.replace(/^---[ \t]*\n/, ''), body: '', open: true }
    : undefined;
}

interface Lenient {
  readonly values: Record<string, unknown>;
  /** Of every key, counted from 0 in the frontmatter. */
  readonly lines: ReadonlyMap<string, number>;
  readonly broken?: { readonly line: number; readonly why: string };
}

/** All of it as YAML; where that fails, each key by itself, and what is no YAML even so as plain words. */
export function readLeniently(yaml: string): Lenient {
  const blocks = blocksOf(yaml);
  const lines = new Map(blocks.map(({ key, line }) => [key, line]));
  const { value, wrong } = built(yaml);
  if (isRecord(value)) return { values: value, lines };
  if (wrong === undefined && blocks.length === 0) return { values: {}, lines };
  const broken = {
    line: wrong?.line ?? 0,
    why: (wrong?.why ?? 'no keys').replace(/\s+/g, ' '),
  };
  return {
    values: Object.fromEntries(blocks.map((block) => [block.key, readAlone(block)])),
    lines,
    broken,
  };
}

interface Built {
  readonly value?: unknown;
  /** The first thing that is wrong, its line counted from 0. */
  readonly wrong?: { readonly line: number; readonly why: string };
}

/** As strict YAML has it, or why it has not: never an exception, whatever the text is. */
function built(yaml: string): Built {
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
    // Aliases that lead nowhere or multiply, and nesting that nobody writes by hand.
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

/** A key at the margin, with all rows up to the next one. */
function blocksOf(yaml: string): Block[] {
  const blocks: { key: string; line: number; rows: string[] }[] = [];
  for (const [line, row] of yaml.split('\n').entries()) {
    const key = /^["']?([\p{L}_][\p{L}\p{N}_-]*)["']?[ \t]*:/u.exec(row)?.[1];
    if (key !== undefined) blocks.push({ key, line, rows: [row] });
    else blocks.at(-1)?.rows.push(row);
  }
  return blocks;
}

function readAlone({ rows }: Block): unknown {
  // YAML takes no tabs for indentation; people's editors do.
  const text = rows
    .map((row) => row.replace(/^[ \t]+/, (gap) => gap.replaceAll('\t', '  ')))
    .join('\n');
  const { value } = built(text);
  if (isRecord(value)) return Object.values(value)[0];
  const said = rows
    .join(' ')
    .replace(/^[^:]*:/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return said.replace(/^(["'])(.*)\1$/, '$2');
}

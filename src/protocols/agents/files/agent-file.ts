/**
 * Parses an agent's file: Markdown with YAML frontmatter, as other tools use it. Keys that this program does
 * not use are skipped with a note; frontmatter that is not valid YAML is parsed key by key. Other files are not
 * read: names of other agents stay as written.
 */

import * as z from 'zod';
import { EFFORTS } from '../../../io/efforts.ts';
import { effortSchema } from '../../../io/preset-kinds.ts';
import { findUnseenLines } from '../../../io/unseen-lines.ts';
import { findExcess } from '../../../io/yaml-limits.ts';
import { findDuration, LONGEST_MS } from '../../../kernel/duration.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { TERMINATION_MODES } from '../graph.ts';
import { readLeniently, splitFrontmatter } from './agent-front.ts';

/** A problem in an agent's file. */
export interface Problem {
  readonly severity: 'error' | 'warning' | 'note';
  readonly file: string;
  /** The number of the line with the problem, from 1. */
  readonly line: number;
  readonly text: string;
}

/** The parsed file of an agent. */
export interface AgentFile {
  readonly file: string;
  /** The agent's name as a slug, such as `code-reviewer`. */
  readonly name: string;
  /** The agent's name as the file writes it; without one, the file's name without `.md`. */
  readonly title: string;
  readonly description: string;
  /** The instructions to the agent. */
  readonly brief: string;
  /** The model as the file names it: `sonnet`, `inherit`, `ollama/qwen3:8b`. */
  readonly model?: string | undefined;
  readonly colour?: string | undefined;
  readonly temperature?: number | undefined;
  readonly effort?: string | undefined;
  /** The names of the tools that the agent may use. Absent if it may use all tools of the run. */
  readonly tools?: readonly string[] | undefined;
  /** The links to other agents, by the names in the file. */
  readonly links: WrittenLinks;
  readonly problems: readonly Problem[];
  /**
   * Returns the number, from 1, of the line with a key of the frontmatter, or with a word of the key's value. Returns
   * the key's line if the word is not found, and 1 if the key is not.
   */
  readonly lineOf: (key: string, word?: string) => number;
}

/** The most names in a list. */
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

/**
 * Makes the error for a value that is not a map. Errors inside a map have messages of their own.
 */
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
    // Milliseconds are rounded, because the run's settings hold whole numbers.
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

/** Keys that are used, besides those that link agents. */
const OWN = ['name', 'description', 'model', 'temperature', 'effort', 'color', 'colour', 'tools'];

/**
 * Tools by the names that other programs give them. None of them writes files, runs programs or fetches
 * anything.
 */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ...['list', 'grep', 'read', 'git_log', 'git_show', 'git_blame'].map((name): [string, string] => [
    name,
    name,
  ]),
  ['glob', 'list'],
  ['ls', 'list'],
  ['search', 'grep'],
]);

/** Colors by the names that other tools use. */
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

/** Keys of command files, which other tools keep beside agents. */
const COMMAND_KEYS = ['argument-hint', 'allowed-tools', 'disable-model-invocation'];

/**
 * Returns a phrase that says what a file in a folder of agents is instead of an agent, such as `a
 * skill`. Returns undefined if the file is an agent, or its frontmatter is too large to tell.
 * @param path the file's path below the folder of agents
 */
export function explainNoAgent(path: string, text: string): string | undefined {
  const parts = path.split(/[\\/]/);
  if (/^skill\.md$/i.test(parts.at(-1) ?? '')) return 'a skill';
  if (parts.slice(0, -1).some((part) => part.toLowerCase() === 'commands')) return 'a command';
  const front = splitFrontmatter(text);
  if (front === undefined) return 'plain Markdown: no frontmatter';
  if (findExcess(front.yaml) !== undefined) return undefined;
  const { values } = readLeniently(front.yaml);
  const keys = Object.keys(values);
  if (!keys.includes('name') && keys.some((key) => COMMAND_KEYS.includes(key))) return 'a command';
  if (keys.length > 0 && !keys.some((key) => OWN.includes(key) || Object.hasOwn(linkSchemas, key)))
    return `plain Markdown: its frontmatter says nothing of an agent`;
  return undefined;
}

/**
 * Parses an agent's file. Returns undefined if the file has no frontmatter, unless the person has
 * named the file as an agent.
 * @param named whether the person has named the file
 */
export function readAgent(file: string, text: string, named = false): AgentFile | undefined {
  const front = splitFrontmatter(text);
  if (front === undefined && !named) return undefined;
  const problems: Problem[] = [];
  const addProblem = (severity: Problem['severity'], line: number, words: string): void => {
    problems.push({ severity, file, line, text: words });
  };
  const excess = findExcess(front?.yaml ?? '');
  // If the frontmatter is too large or too deep, ignore all of it: half of it would define a different agent.
  const { values, lines, broken } = readLeniently(excess === undefined ? (front?.yaml ?? '') : '');
  if (excess !== undefined) addProblem('error', 1, `the frontmatter is ignored: ${excess}`);
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
  for (const { line, words } of findUnseenLines(text)) addProblem('warning', line, words);
  if (front?.open)
    addProblem('warning', 1, 'the frontmatter has no closing --- line: all of it was read');
  if (broken !== undefined)
    addProblem('warning', broken.line + 2, `not strict YAML (${broken.why}): read key by key`);

  const links = new Map<string, unknown>();
  for (const [key, schema] of Object.entries(linkSchemas)) {
    const given = entryOf(values, key);
    if (given === undefined || given === null) continue;
    const read = schema.safeParse(given);
    if (read.success) links.set(key, read.data);
    else
      for (const issue of read.error.issues.slice(0, 3)) {
        const inside = issue.path.map(String).join('.');
        addProblem(
          'error',
          lineOf(key, 'keys' in issue ? issue.keys[0] : inside.split('.')[0]),
          `${key}${inside && `.${inside}`}: ${issue.message}`,
        );
      }
  }
  const colour = colourOf(values.colour ?? values.color);
  if (colour === undefined && (values.colour ?? values.color) !== undefined)
    addProblem(
      'note',
      lineOf(values.colour === undefined ? 'color' : 'colour'),
      'an unknown color',
    );
  const temperature = z.number().min(0).max(2).safeParse(values.temperature);
  if (!temperature.success && values.temperature !== undefined)
    addProblem('warning', lineOf('temperature'), 'expected a temperature from 0 to 2; ignored');
  const effort = effortSchema.safeParse(values.effort);
  if (!effort.success && values.effort !== undefined)
    addProblem('warning', lineOf('effort'), `expected an effort: ${EFFORTS.join(', ')}; ignored`);
  const tools = toolsIn(values.tools);
  if (tools !== undefined && tools.unknown.length > 0)
    addProblem('note', lineOf('tools'), `no such tool here: ${tools.unknown.join(', ')}`);
  if (tools !== undefined && tools.ours.length > 0)
    addProblem(
      'note',
      lineOf('tools'),
      `${tools.ours.join(', ')}: used with ${flagsFor(tools.ours)}`,
    );
  const unused = Object.keys(values).filter(
    (key) => !OWN.includes(key) && !Object.hasOwn(linkSchemas, key),
  );
  for (const key of unused) addProblem('note', lineOf(key), `"${key}" has no use here`);

  const title = readText(values.name) || getFileStem(file);
  const description = readText(values.description);
  const model = readText(values.model);
  return {
    file,
    name: makeAgentSlug(title) || makeAgentSlug(getFileStem(file)) || 'agent',
    title,
    description,
    brief: (front?.body ?? text).trim(),
    ...(model === '' ? {} : { model }),
    ...withoutUndefined({ colour }),
    ...(temperature.success && temperature.data !== undefined
      ? { temperature: temperature.data }
      : {}),
    ...(effort.success ? { effort: effort.data } : {}),
    ...withoutUndefined({ tools: tools?.ours }),
    links: Object.fromEntries(links) as WrittenLinks,
    problems,
    lineOf,
  };
}

/** The most names of a list that a message contains. */
const MOST_TOLD = 12;

/** Parses `Read, Grep, Bash(git log:*)` or a list of these. Returns undefined if the value is empty or `*`. */
function toolsIn(
  given: unknown,
): { readonly ours: readonly string[]; readonly unknown: readonly string[] } | undefined {
  const names = z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (typeof value === 'string' ? value.split(',') : value))
    .catch([])
    .parse(given)
    .map((name) => name.replace(/\(.*$/s, '').trim())
    .filter((name) => name !== '');
  if (names.length === 0 || names.includes('*')) return undefined;
  const findTool = (name: string): string | undefined =>
    TOOLS.get(name.toLowerCase()) ?? serverToolIn(name);
  const ours = names.flatMap((name) => findTool(name) ?? []);
  const unknown = names.filter((name) => findTool(name) === undefined);
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

/**
 * Converts `mcp__search__fetch` to `search__fetch`, the name in runs; `search__*` stands for all tools of a
 * server.
 */
function serverToolIn(name: string): string | undefined {
  const [, server, tool = '*'] = /^mcp__([a-z][a-z0-9-]{0,23})(?:__([\w.*-]+))?$/.exec(name) ?? [];
  return server === undefined ? undefined : `${server}__${tool}`;
}

function wordsIn(row: string): string[] {
  return row.match(/[\p{L}\p{N}_./-]+/gu) ?? [];
}

/**
 * Makes a slug from a name: lower-case letters, digits and underscores of any script, with hyphens between words. The
 * slug is empty if the name has none of these characters.
 */
export function makeAgentSlug(name: string): string {
  const slug = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[[^\p{L}\p{N}_]\p{Default_Ignorable_Code_Point}]+/gv, '-')
    .replace(/^-+|-+$/g, '');
  // Rename an agent that is called `__proto__`: it would be lost, because the parser of settings drops a key of this
  // name.
  return slug === '__proto__' ? 'proto' : slug;
}

function getFileStem(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.md$/i, '');
}

function readText(value: unknown): string {
  return value === undefined || value === null || typeof value === 'object'
    ? ''
    : String(value).trim();
}

function colourOf(value: unknown): string | undefined {
  const written = readText(value).toLowerCase();
  return /^#[0-9a-f]{6}$/.test(written) ? written : COLOURS.get(written);
}

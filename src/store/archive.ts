/**
 * A whole run as one JSON value: what `export --format json` writes and `import` reads. Facts are in it
 * exactly as they are stored, and the steps with their hashes, so that the run can be resumed, forked
 * and replayed elsewhere without asking again what is recorded.
 */
import * as z from 'zod';
import { DeliberateError } from '../kernel/errors.ts';
import { type Fact, KERNEL } from '../kernel/facts.ts';
import type { FactReader } from '../kernel/vocabulary.ts';

/** Raised when a reader of the format before would misread it. */
export const ARCHIVE_VERSION = 2;

/** As `digest` makes them; empty where the step was forgotten and is done again when it comes up. */
const HASH = /^(?:[0-9a-f]{32})?$/;

const id = z.uuid().regex(/^[^A-Z]*$/, 'expected an id in lower case');
const moment = z.iso.datetime({ precision: 3 });

/** Half a surrogate pair would be another text in the database. */
const name = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed(), 'not well-formed text');

const step = z.strictObject({
  key: name,
  hash: z.string().regex(HASH, 'not a hash: 32 hex digits, or nothing for a forgotten step'),
  result: z.unknown(),
  /** The facts that were recorded with it: sequence numbers, both included; 0 for a forgotten step. */
  firstSeq: z.int().nonnegative(),
  lastSeq: z.int().nonnegative(),
});

const envelope = z.object({ run: id, seq: z.int().positive(), at: moment });

const frame = {
  format: z.literal('deliberate-run'),
  v: z.literal(ARCHIVE_VERSION),
  /** The version of deliberate that wrote it. */
  program: z.string(),
  run: id,
  protocol: name,
  createdAt: moment,
  /** The run it was forked from. */
  parent: id.nullable(),
  /** How it stood when it was exported. Of a running run, this is what was recorded by then. */
  status: z.enum(['running', 'done', 'stopped', 'failed', 'interrupted']),
  /** True if the built-in stand-in spoke anywhere. */
  rehearsal: z.boolean(),
  steps: z.array(step),
};

/**
 * The published form: what this version writes. `bodies` are the facts that are known, `folded` what
 * protocols add for readers: it is folded from the facts, and whoever imports the run folds it anew.
 */
export function describeArchive<F extends z.ZodRawShape>(
  bodies: readonly z.ZodObject[],
  folded: F,
): z.ZodType {
  const body = z.union([
    z.union(bodies),
    // Of a protocol that is somebody's own.
    z.looseObject({ v: z.int().positive(), type: z.string().regex(/^[a-z0-9-]+\//) }),
  ]);
  return z.strictObject({ ...frame, ...folded, facts: z.array(z.intersection(envelope, body)) });
}

/** What a reader of archives must be told. */
export interface ArchiveReader {
  readonly facts: FactReader;
  /** Keys of what protocols add for readers: passed over. */
  readonly folded: readonly string[];
}

/** As far as it is read in one go; facts are judged one by one, older versions upgraded. */
const readSchema = z.strictObject({ ...frame, facts: z.array(z.looseObject({})) });

/** A fact with its place in the log and its body as it is stored, of whatever version. */
export type StoredFact = Readonly<Record<string, unknown>> & {
  readonly run: string;
  readonly seq: number;
  readonly at: string;
};

export type Archive = Omit<z.infer<typeof readSchema>, 'facts'> & { facts: StoredFact[] };

/**
 * Reads what was exported. `source` names it in errors.
 * @throws DeliberateError that names the place in the JSON, where it is no whole and sound run.
 */
export function readArchive(text: string, source: string, reader: ArchiveReader): Archive {
  const wrong = (path: readonly PropertyKey[], message: string, next?: string): DeliberateError =>
    badFile(source, path, message, next);
  const json = parseJson(text, wrong);
  checkFormat(json, wrong);
  const own = Object.entries(json as object).filter(([key]) => !reader.folded.includes(key));
  const result = readSchema.safeParse(Object.fromEntries(own));
  if (!result.success) throw wrong(...issueOf(result.error));
  // The facts as they were read: the schema would hand back copies.
  const archive: Archive = { ...result.data, facts: (json as Archive).facts };
  for (const [index, one] of archive.facts.entries())
    checkFact(archive, one, reader.facts, index, wrong);
  checkSteps(archive, wrong);
  return archive;
}

/** What is said of a file that is no sound run: `source`, the place in it, and what is wrong there. */
export function badFile(
  source: string,
  path: readonly PropertyKey[],
  message: string,
  next?: string,
): DeliberateError {
  return new DeliberateError('bad-file', `${source}: ${placeOf(path)}${message}`, next);
}

/** SQLite reads no JSON that is nested deeper than 1000 levels, and nothing of ours comes near it. */
const DEEPEST = 200;

function tooDeep(value: unknown, left = DEEPEST): boolean {
  if (value === null || typeof value !== 'object') return false;
  return left === 0 || Object.values(value).some((inner) => tooDeep(inner, left - 1));
}

type Wrong = (path: readonly PropertyKey[], message: string, next?: string) => DeliberateError;

function parseJson(text: string, wrong: Wrong): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The engine quotes the text around the place, which may be long and may be anything.
    const said = error instanceof Error ? error.message : String(error);
    const place = /at position \d+(?: \(line \d+ column \d+\))?/.exec(said)?.[0];
    throw wrong([], `not JSON${place === undefined ? ': it ends too early' : ` ${place}`}`);
  }
}

function checkFormat(json: unknown, wrong: Wrong): void {
  const { format, v } = z.looseObject({}).catch({}).parse(json) as Record<string, unknown>;
  if (format !== 'deliberate-run')
    throw wrong(
      [],
      'not a run exported as JSON',
      'Export one with: deliberate export RUN --format json',
    );
  if (typeof v === 'number' && v > ARCHIVE_VERSION)
    throw wrong(
      ['v'],
      `written by a later version of deliberate (format ${v}; this version reads up to ${ARCHIVE_VERSION})`,
      'Update deliberate.',
    );
  if (v === 1)
    throw wrong(['v'], 'exported by an earlier version, without the steps', 'Export it again.');
}

function checkFact(
  archive: Archive,
  one: StoredFact,
  reader: FactReader,
  index: number,
  wrong: Wrong,
): void {
  const at = ['facts', index];
  if (tooDeep(one)) throw wrong(at, 'nested too deeply');
  const place = envelope.safeParse(one);
  if (!place.success) throw wrong(...issueOf(place.error, at));
  if (one.run !== archive.run) throw wrong([...at, 'run'], 'the fact is of another run');
  if (one.seq !== index + 1)
    throw wrong([...at, 'seq'], `out of order: ${one.seq} where ${index + 1} comes next`);
  let fact: Fact | undefined;
  try {
    const read = reader.read(one);
    fact = KERNEL.own(read);
  } catch (error) {
    if (error instanceof z.ZodError) throw wrong(...issueOf(error, at));
    throw error;
  }
  if ((fact?.type === 'run.started') !== (index === 0))
    throw wrong([...at, 'type'], 'a run begins with run.started, and does so once');
  if (fact?.type !== 'run.started') return;
  if (fact.protocol !== archive.protocol)
    throw wrong([...at, 'protocol'], `not "${archive.protocol}", which the run is said to be`);
  if ((fact.parent ?? null) !== archive.parent)
    throw wrong([...at, 'parent'], 'not the run that this one is said to be forked from');
}

function checkSteps({ steps, facts }: Archive, wrong: Wrong): void {
  const keys = new Set<string>();
  for (const [index, { key, hash, result, firstSeq, lastSeq }] of steps.entries()) {
    const at = ['steps', index];
    if (keys.has(key)) throw wrong([...at, 'key'], 'the step appears twice');
    keys.add(key);
    if (tooDeep(result)) throw wrong([...at, 'result'], 'nested too deeply');
    if (result === undefined) throw wrong([...at, 'result'], 'it is missing');
    if (hash === '') {
      if (result !== null || firstSeq !== 0 || lastSeq !== 0)
        throw wrong(at, 'a forgotten step has no result and no facts');
      continue;
    }
    if (firstSeq < 1 || lastSeq < firstSeq || lastSeq > facts.length)
      throw wrong(at, `facts ${firstSeq} to ${lastSeq} are not in the run's ${facts.length}`);
    const last = facts[lastSeq - 1];
    if (last?.type !== 'step.completed' || last.step !== key)
      throw wrong([...at, 'lastSeq'], `fact ${lastSeq} does not complete this step`);
  }
}

/** The first thing that is wrong, and where. */
function issueOf(
  error: z.ZodError,
  before: readonly PropertyKey[] = [],
): [path: readonly PropertyKey[], message: string] {
  const issue = error.issues[0];
  return [[...before, ...(issue?.path ?? [])], issue?.message ?? 'not understood'];
}

/** `facts[12].usage.input: `; empty for the whole file. */
function placeOf(path: readonly PropertyKey[]): string {
  const text = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  return text === '' ? '' : `${text}: `;
}

/**
 * A whole run as one JSON value: what `export --format json` writes and `import` reads. It contains the
 * facts exactly as they are stored, and the steps with their hashes, so that the run can be resumed, forked
 * and replayed elsewhere without asking again what is recorded.
 */
import * as z from 'zod';
import { DeliberateError, NewerRunError } from '../kernel/errors.ts';
import { type Fact, KERNEL } from '../kernel/facts.ts';
import type { FactReader } from '../kernel/vocabulary.ts';

/**
 * The version of the format of exported runs. It is raised when programs that know only the
 * previous version would misread the new one.
 */
export const ARCHIVE_VERSION = 2;

/** A hash in the form that `digest` returns; empty if the step was forgotten, so that it is done again. */
const HASH = /^(?:[0-9a-f]{32})?$/;

const id = z.uuid().regex(/^[^A-Z]*$/, 'expected an id in lower case');
const moment = z.iso.datetime({ precision: 3 });

/**
 * The schema of names. A name with an unpaired surrogate is refused, since the database would store
 * another text.
 */
const name = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed(), 'not well-formed text');

const step = z.strictObject({
  key: name,
  hash: z.string().regex(HASH, 'not a hash: 32 hex digits, or nothing for a forgotten step'),
  result: z.unknown(),
  /** The number of the first fact recorded with the step; 0 if `hash` is empty, so that the step is done again. */
  firstSeq: z.int().nonnegative(),
  /** The number of the last fact recorded with the step; 0 if `hash` is empty, so that the step is done again. */
  lastSeq: z.int().nonnegative(),
});

const envelope = z.object({ run: id, seq: z.int().positive(), at: moment });

const frame = {
  format: z.literal('deliberate-run'),
  v: z.literal(ARCHIVE_VERSION),
  /** The version of deliberate that wrote the file. */
  program: z.string(),
  run: id,
  protocol: name,
  createdAt: moment,
  /** The id of the run that this run was forked from; null if it is no fork. */
  parent: id.nullable(),
  /**
   * The status at the time of the export. The export of a running run contains what was recorded by then.
   */
  status: z.enum(['running', 'done', 'stopped', 'failed', 'interrupted']),
  /** True if the built-in stand-in answered any call. */
  rehearsal: z.boolean(),
  steps: z.array(step),
};

/**
 * Returns the published schema of the exported runs that this version writes.
 * @param bodies the schemas of the known facts
 * @param folded the schemas of fields that protocols compute from the facts for whoever reads the
 * file. An import ignores these fields, since it has the facts.
 */
export function describeArchive<F extends z.ZodRawShape>(
  bodies: readonly z.ZodObject[],
  folded: F,
): z.ZodType {
  const body = z.union([
    z.union(bodies),
    // The schema of facts of users' own protocols, whose types contain a slash.
    z.looseObject({ v: z.int().positive(), type: z.string().regex(/^[a-z0-9-]+\//) }),
  ]);
  return z.strictObject({ ...frame, ...folded, facts: z.array(z.intersection(envelope, body)) });
}

/** What `readArchive` needs to read exported runs of all protocols. */
export interface ArchiveReader {
  readonly facts: FactReader;
  /**
   * The names of the fields that protocols compute from the facts for whoever reads an exported file; an import
   * ignores these fields.
   */
  readonly folded: readonly string[];
}

/**
 * The schema of everything but the facts, which are checked one by one and upgraded from older versions.
 */
const readSchema = z.strictObject({ ...frame, facts: z.array(z.looseObject({})) });

/** A fact with its position in the log. The fields of its content are as stored, in any version. */
export type StoredFact = Readonly<Record<string, unknown>> & {
  readonly run: string;
  readonly seq: number;
  readonly at: string;
};

/** An exported run, as read from a file. */
export type Archive = Omit<z.infer<typeof readSchema>, 'facts'> & { facts: StoredFact[] };

/**
 * Parses and checks an exported run. `source` names the file in error messages.
 * @throws DeliberateError if the run is incomplete or invalid, with the place in the JSON if there is one
 */
export function readArchive(text: string, source: string, reader: ArchiveReader): Archive {
  const makeError = (
    path: readonly PropertyKey[],
    message: string,
    next?: string,
  ): DeliberateError => badFileError(source, path, message, next);
  const json = parseJson(text, makeError);
  checkFormat(json, makeError);
  const own = Object.entries(json as object).filter(([key]) => !reader.folded.includes(key));
  const result = readSchema.safeParse(Object.fromEntries(own));
  if (!result.success) throw makeError(...issueOf(result.error));
  // `readSchema` only makes sure that each fact is an object; `checkFact` checks the rest. Keep the facts as they
  // stand in the file, because an imported run is stored unchanged.
  const archive: Archive = { ...result.data, facts: (json as Archive).facts };
  for (const [index, fact] of archive.facts.entries())
    checkFact(archive, fact, reader.facts, index, makeError);
  checkSteps(archive, makeError);
  return archive;
}

/**
 * Returns the error for an invalid file of an exported run.
 * @param source the name of the file
 * @param path the place in its JSON
 * @param message what is wrong there
 * @param next what a person can do
 */
export function badFileError(
  source: string,
  path: readonly PropertyKey[],
  message: string,
  next?: string,
): DeliberateError {
  return new DeliberateError('bad-file', `${source}: ${placeOf(path)}${message}`, next);
}

/** The deepest nesting that is accepted. SQLite parses JSON of at most 1000 levels; runs need far fewer. */
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
    // Take only the position from the engine's message, because the message also quotes untrusted text.
    const said = error instanceof Error ? error.message : String(error);
    const place = /at position \d+(?: \(line \d+ column \d+\))?/.exec(said)?.[0];
    const isCut = said.startsWith('Unexpected end ');
    throw wrong(
      [],
      `not JSON${isCut ? ': it ends too early' : place === undefined ? '' : ` ${place}`}`,
    );
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
  storedFact: StoredFact,
  reader: FactReader,
  index: number,
  wrong: Wrong,
): void {
  const at = ['facts', index];
  if (tooDeep(storedFact)) throw wrong(at, 'nested too deeply');
  const place = envelope.safeParse(storedFact);
  if (!place.success) throw wrong(...issueOf(place.error, at));
  if (storedFact.run !== archive.run) throw wrong([...at, 'run'], 'the fact is of another run');
  if (storedFact.seq !== index + 1)
    throw wrong([...at, 'seq'], `out of order: ${storedFact.seq} where ${index + 1} comes next`);
  let fact: Fact | undefined;
  try {
    const read = reader.read(storedFact);
    fact = KERNEL.own(read);
  } catch (error) {
    if (error instanceof z.ZodError) throw wrong(...issueOf(error, at));
    if (error instanceof NewerRunError)
      throw wrong([...at, ...error.place], error.message, error.next);
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

/** Returns the path and the message of the first issue. */
function issueOf(
  error: z.ZodError,
  before: readonly PropertyKey[] = [],
): [path: readonly PropertyKey[], message: string] {
  const issue = error.issues[0];
  return [[...before, ...(issue?.path ?? [])], issue?.message ?? 'not understood'];
}

/** Formats a path: `facts[12].usage.input: `; empty for the whole file. */
function placeOf(path: readonly PropertyKey[]): string {
  const text = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  return text === '' ? '' : `${text}: `;
}

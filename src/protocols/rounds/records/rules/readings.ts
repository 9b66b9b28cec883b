/**
 * Rules for readings since edition 2 of the rules. A claim is decided by quotations that occur in
 * the cited places or by missing words, by a finding that a second look confirms, and by a model
 * that has passed the reading test.
 */
import { textLines } from '../../../../text/lines.ts';
import { plainWords } from '../../../../text/words/quotation.ts';
import { type Document, findQuotation, findWord } from '../documents.ts';
import { ATTACHMENTS, READINGS_FILE, SOURCES } from '../layout.ts';
import { shortenText } from '../problem.ts';
import {
  type ReadingRecord,
  SETTLED_BY_READING,
  type StatusChange,
  type Verification,
} from '../types.ts';
import {
  type Context,
  type Errors,
  makeReporter,
  makeVerificationReporter,
  type ProblemMaker,
  type Warnings,
} from './context.ts';

/** The fewest missing words that show that something is absent. */
const LEAST_SOUGHT = 3;

type RecordedFinding = Extract<ReadingRecord, { kind: 'finding' }>;

/**
 * Checks the findings that decided claims by reading. The documents must contain the quotations, or none of the words
 * that were looked for if a subject is absent. A second look must agree, and the model must have passed the reading
 * test. Also reports claims that were decided by argument although no model has passed the test.
 */
export function* checkReadings(context: Context): Errors {
  if (!context.strict) return;
  const { records, lineOf, known } = context;
  const readings = records.readings ?? [];
  const passed = passedOf(readings);
  const findings = findingsOf(readings);
  const texts = textsOf(context);
  for (const reading of readings)
    if (reading.kind === 'finding' && !known.claim(reading.claim))
      yield makeReporter(
        READINGS_FILE,
        lineOf.get(reading),
        reading.claim,
      )('unknown-claim', `there is no claim ${reading.claim}`);
  for (const verification of records.verifications) {
    const say = makeVerificationReporter(context, verification);
    for (const change of verification.claim_status_changes ?? []) {
      if (change.basis === 'argued' && mayNotArgue(context, passed))
        yield say(
          'no-entrance',
          `${change.claim_id} is argued, but no model has passed the entrance test`,
        );
      if (verification.check !== SETTLED_BY_READING || change.to === 'superseded') continue;
      const found = findings.get(keyOf(verification.round, change.claim_id));
      yield* checkWords(say, change, found, texts);
      // No finding is required if the file of readings has unreadable lines, because one of these
      // lines may contain the finding.
      if (!context.torn.has(READINGS_FILE))
        yield* checkFinding(say, verification, change, found, passed);
    }
  }
}

/**
 * Warns of findings that are marked as having decided a claim, although no verification of their
 * round records this decision.
 */
export function* checkUnlistedFindings(context: Context): Warnings {
  const { records, lineOf, strict, claims } = context;
  if (!strict) return;
  const moved = new Set(
    records.verifications.flatMap(({ check, round, claim_status_changes = [] }) =>
      check === SETTLED_BY_READING
        ? claim_status_changes.map(({ claim_id }) => keyOf(round, claim_id))
        : [],
    ),
  );
  for (const reading of records.readings ?? []) {
    if (reading.kind !== 'finding' || !reading.counts || !claims.has(reading.claim)) continue;
    if (moved.has(keyOf(reading.round, reading.claim))) continue;
    yield makeReporter(
      READINGS_FILE,
      lineOf.get(reading),
      reading.claim,
    )(
      'unlisted-finding',
      `it counts, but no verification of round ${reading.round} settles ${reading.claim} by reading`,
    );
  }
}

/**
 * Returns whether claims may not be decided by argument, because no model has passed the reading
 * test. Without texts, no test is needed.
 */
function mayNotArgue({ records }: Context, passed: ReadonlySet<string>): boolean {
  const asked = (records.readings ?? []).some(({ kind }) => kind === 'entrance');
  return passed.size === 0 && (asked || records.documents === true);
}

function* checkWords(
  say: ProblemMaker,
  { claim_id, quotes = [] }: StatusChange,
  found: RecordedFinding | undefined,
  { at, holding }: Texts,
): Errors {
  for (const { text, ref } of quotes) {
    const lines = at(ref);
    if (lines === undefined)
      yield say('false-quotation', `${ref} is no passage of a text under discussion`);
    else if (findQuotation(text, [lines]) === undefined)
      yield say('false-quotation', `what ${claim_id} quotes does not stand at ${ref}`);
  }
  if (found?.finding !== 'absent') {
    if (quotes.length === 0)
      yield say('no-quotation', `${claim_id} is settled by reading, and quotes nothing`);
    return;
  }
  const sought = new Set(found.sought.filter((word) => plainWords(word).length > 0));
  if (sought.size < LEAST_SOUGHT)
    yield say('no-quotation', `fewer than ${LEAST_SOUGHT} different words show ${claim_id} absent`);
  for (const word of sought) {
    const path = holding(word);
    if (path !== undefined)
      yield say(
        'found-word',
        `${claim_id} is absent, but "${shortenText(word)}" stands in ${path}`,
      );
  }
}

function* checkFinding(
  say: ProblemMaker,
  { round }: Verification,
  { claim_id, to }: StatusChange,
  found: RecordedFinding | undefined,
  passed: ReadonlySet<string>,
): Errors {
  if (found === undefined) {
    yield say('no-finding', `no finding of round ${round} that counts is about ${claim_id}`);
    return;
  }
  const confirms = to === 'tested_confirmed';
  const { finding, second, model } = found;
  if (finding !== 'absent' && finding !== (confirms ? 'true_in_text' : 'false_in_text'))
    yield say('no-finding', `${claim_id} becomes ${to}, but was found ${finding}`);
  if (second !== (confirms ? 'true' : 'false'))
    yield say(
      'no-second-look',
      `${claim_id} becomes ${to}, but the second look ${second === undefined ? 'was not taken' : `found it ${second}`}`,
    );
  if (!passed.has(model))
    yield say(
      'no-entrance',
      `${claim_id} was read by ${model}, which has not passed the entrance test`,
    );
}

function passedOf(readings: readonly ReadingRecord[]): Set<string> {
  return new Set(
    readings.flatMap((reading) =>
      reading.kind === 'entrance' && reading.passed ? [reading.model] : [],
    ),
  );
}

/** Returns the valid findings by round and claim. The last one counts if there are several. */
function findingsOf(readings: readonly ReadingRecord[]): Map<string, RecordedFinding> {
  return new Map(
    readings.flatMap((reading) =>
      reading.kind === 'finding' && reading.counts
        ? [[keyOf(reading.round, reading.claim), reading] as const]
        : [],
    ),
  );
}

function keyOf(round: number, claim: string): string {
  return `${round} ${claim}`;
}

interface Texts {
  /**
   * Returns the lines that a citation of an attachment or a tool result names. Returns undefined for any other
   * citation, and for more lines than `MOST_LINES`.
   */
  readonly at: (ref: string) => Document | undefined;
  /** Returns the path of the first attachment that contains a word, or undefined if none does. */
  readonly holding: (word: string) => string | undefined;
}

/** The most lines of a quoted passage. Searching longer ones would take too long. */
const MOST_LINES = 100;

/** Returns functions that search the texts of a folder. Each text is read once, when it is first needed. */
function textsOf({ folder, resolve }: Context): Texts {
  const cut = rememberResults((path) => textLines(folder.get(path) ?? ''));
  const passage = rememberResults((ref): Document | undefined => {
    const found = resolve(ref);
    if (found.state !== 'ok' || found.lines === undefined) return undefined;
    const [first, last] = found.lines;
    const isText = found.path.startsWith(ATTACHMENTS) || found.path.startsWith(SOURCES);
    if (!isText || last - first >= MOST_LINES) return undefined;
    const lines = cut(found.path).slice(first - 1, last);
    return { name: found.path, text: lines.join('\n') };
  });
  const whole = rememberResults((path): Document => ({ name: path, text: folder.get(path) ?? '' }));
  const paths = [...folder.keys()].filter((path) => path.startsWith(ATTACHMENTS));
  const holding = rememberResults((word) =>
    paths.find((path) => findWord(word, [whole(path)]) !== undefined),
  );
  return { at: passage, holding };
}

function rememberResults<T>(work: (key: string) => T): (key: string) => T {
  const known = new Map<string, { value: T }>();
  return (key) => {
    const before = known.get(key) ?? { value: work(key) };
    known.set(key, before);
    return before.value;
  };
}

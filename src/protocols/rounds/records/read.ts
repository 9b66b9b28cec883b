/**
 * Reads records from a folder of this program or of others, complete or damaged by a crash.
 * Everything readable is read, and the rest is reported with file and line.
 */
import type * as z from 'zod';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { findDuplicateKey } from './double-keys.ts';
import { readDrift } from './drift-section.ts';
import { describeDuplicateKey, type Line, parseObject, readLines } from './jsonl.ts';
import {
  ATTACHMENTS,
  CLAIMS_FILE,
  DECISIONS_FILE,
  LEADS_FILE,
  parseArtifactPath,
  parsePagePath,
  READINGS_FILE,
  REFUSALS_FILE,
  RUN_FILE,
  SOURCES,
  SOURCES_FILE,
  VERIFICATIONS_FILE,
} from './layout.ts';
import { type ErrorRule, type Problem, shortenText, type WarningRule } from './problem.ts';
import type { Attack, DriftCheck, Records } from './records.ts';
import { parseAttack } from './sections.ts';
import {
  claimSchema,
  decisionSchema,
  type Folder,
  leadSchema,
  MAX_ROUND,
  ROLES,
  readingSchema,
  refusalSchema,
  runFileSchema,
  sourceSchema,
  verificationSchema,
} from './types.ts';

/** The records in a folder, and the problems that were found while they were read. */
export interface FolderReading {
  readonly records: Records;
  /**
   * Problems of single lines: lines that are no records, lines with a duplicate key, and lines with a known id. Also a
   * duplicate key in `run.json`.
   */
  readonly errors: readonly Problem<ErrorRule>[];
  readonly warnings: readonly Problem<WarningRule>[];
  /** The paths of files with unreadable lines. Missing records may be in these lines. */
  readonly torn: ReadonlySet<string>;
  /** The line number of each record in its file, from 1. */
  readonly lineOf: ReadonlyMap<object, number>;
}

/** The problems because of which a line is dropped. Lines with other problems are kept. */
const LOST: ReadonlySet<ErrorRule> = new Set(['malformed-line', 'unknown-value']);

/** Reads all readable records in a folder. What cannot be read is reported as an error or a warning. */
export function readFolder(folder: Folder): FolderReading {
  const claims = readTable(folder, CLAIMS_FILE, claimSchema, (first, again) => ({
    ...first,
    // If two lines have the same id, take the status from the later one: in records of other programs, it may be
    // the claim's new status.
    status: again.status,
  }));
  const verifications = readTable(folder, VERIFICATIONS_FILE, verificationSchema, (first) => first);
  const decisions = readTable(folder, DECISIONS_FILE, decisionSchema, (first) => first);
  const leads = readList(folder, LEADS_FILE, leadSchema);
  const readings = readList(folder, READINGS_FILE, readingSchema);
  const refusals = readList(folder, REFUSALS_FILE, refusalSchema);
  const sources = readTable(folder, SOURCES_FILE, sourceSchema, (first) => first);
  const run = readRunFile(folder);
  const all = [claims, verifications, decisions, leads, readings, refusals, sources];
  const errors = [...all.flatMap(({ problems }) => problems), ...run.errors];
  const ours = run.plan.rules === 2;
  return {
    records: {
      claims: claims.records,
      verifications: verifications.records,
      decisions: decisions.records,
      leads: leads.records,
      drifts: readDrifts(folder),
      artifacts: [...folder.keys()].filter((path) => parseArtifactPath(path) !== undefined),
      ...(ours ? { attacks: attacksIn(folder) } : {}),
      ...(ours || folder.has(READINGS_FILE) ? { readings: readings.records } : {}),
      ...(ours || folder.has(REFUSALS_FILE) ? { refusals: refusals.records } : {}),
      ...(ours
        ? {
            documents: [...folder.keys()].some(
              (path) => path.startsWith(ATTACHMENTS) || path.startsWith(SOURCES),
            ),
          }
        : {}),
      ...(sources.records.length > 0 ? { sources: sources.records } : {}),
      ...run.plan,
    },
    errors,
    warnings: run.warnings,
    torn: new Set(errors.filter(({ rule }) => LOST.has(rule)).map(({ file }) => file)),
    lineOf: new Map(all.flatMap(({ lineOf }) => lineOf)),
  };
}

function attacksIn(folder: Folder): Attack[] {
  return [...folder]
    .flatMap(([path, page]) => {
      const artifact = parseArtifactPath(path);
      return artifact?.role === 'critic' ? [parseAttack(artifact.round, page)] : [];
    })
    .sort((left, right) => left.round - right.round);
}

interface Table<T> {
  readonly records: T[];
  readonly problems: Problem<ErrorRule>[];
  readonly lineOf: [object, number][];
}

/** Reads a file with one record on each line. */
function readList<T extends object>(folder: Folder, file: string, schema: z.ZodType<T>): Table<T> {
  const { lines, problems } = readLines(file, folder.get(file) ?? '', schema);
  return {
    records: lines.map(({ value }) => value),
    problems,
    lineOf: lines.map(({ value, line }) => [value, line]),
  };
}

/**
 * Reads a file with one record for each id. A later line with the same id is merged by `merge` and
 * reported.
 */
function readTable<T extends { readonly id: string }>(
  folder: Folder,
  file: string,
  schema: z.ZodType<T>,
  merge: (first: T, again: T) => T,
): Table<T> {
  const { lines, problems } = readLines(file, folder.get(file) ?? '', schema);
  const byId = new Map<string, { value: T; first: Line<T> }>();
  for (const entry of lines) {
    const { value, line } = entry;
    const known = byId.get(value.id);
    byId.set(value.id, {
      value: known ? merge(known.value, value) : value,
      first: known?.first ?? entry,
    });
    if (known !== undefined)
      problems.push({
        file,
        line,
        id: value.id,
        ...comesAgain(known.first.line, merge(known.first.value, value), value),
      });
  }
  const records = [...byId.values()];
  return {
    records: records.map(({ value }) => value),
    problems,
    lineOf: records.map(({ value, first }) => [value, first.line]),
  };
}

/**
 * Returns the problem of a later line with the same id: it changes the record, or only repeats the
 * id.
 */
function comesAgain(
  line: number,
  expected: object,
  said: object,
): Pick<Problem<ErrorRule>, 'rule' | 'message'> {
  const before = new Map<string, unknown>(Object.entries(expected));
  const now = new Map<string, unknown>(Object.entries(said));
  const changed = [...before.keys(), ...now.keys()].find(
    (key) => JSON.stringify(now.get(key)) !== JSON.stringify(before.get(key)),
  );
  if (changed === undefined)
    return { rule: 'duplicate-id', message: `it stands on line ${line} already` };
  return {
    rule: 'changed-record',
    message: `${changed} is ${formatValue(now.get(changed))} here and ${formatValue(before.get(changed))} on line ${line}`,
  };
}

function formatValue(value: unknown): string {
  return value === undefined ? 'absent' : shortenText(JSON.stringify(value));
}

function readDrifts(folder: Folder): DriftCheck[] {
  const drifts = [...folder].flatMap(([path, page]) => {
    const round = parsePagePath(path);
    if (round === undefined || round < 1 || round > MAX_ROUND) return [];
    return readDrift(round, page) ?? [];
  });
  return drifts.sort((left, right) => left.round - right.round);
}

type Plan = Pick<
  Records,
  | 'roles'
  | 'budget'
  | 'stressSchedule'
  | 'driftEvery'
  | 'synthesisRound'
  | 'question'
  | 'rules'
  | 'signals'
  | 'completed'
>;

/** Reads the plan from `run.json`. A file in another form is ignored with a warning. */
function readRunFile(folder: Folder): {
  plan: Plan;
  errors: Problem<ErrorRule>[];
  warnings: Problem<WarningRule>[];
} {
  const text = folder.get(RUN_FILE)?.replace(/^\uFEFF/, '');
  if (text === undefined) return { plan: { roles: ROLES }, errors: [], warnings: [] };
  const at = { file: RUN_FILE, line: 0, id: '' };
  const object = parseObject(text);
  const key = object === undefined ? undefined : findDuplicateKey(text);
  const errors: Problem<ErrorRule>[] =
    key === undefined ? [] : [{ ...at, ...describeDuplicateKey(key) }];
  const parsed = runFileSchema.safeParse(object);
  if (!parsed.success) {
    const message = 'it is not in our form, so what was planned is not known';
    const warnings: Problem<WarningRule>[] = [{ ...at, rule: 'unreadable-run-file', message }];
    return { plan: { roles: ROLES }, errors, warnings };
  }
  const { roles, budget, stress_schedule, drift_every, synthesis_round, question } = parsed.data;
  const { rules, signals, completed } = parsed.data;
  return {
    plan: {
      roles: [...new Set(roles ?? ROLES)],
      budget,
      stressSchedule: stress_schedule,
      driftEvery: drift_every,
      synthesisRound: synthesis_round,
      question,
      ...withoutUndefined({ rules, signals, completed }),
    },
    errors,
    warnings: [],
  };
}

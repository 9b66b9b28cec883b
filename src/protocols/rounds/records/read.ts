/**
 * A folder becomes records. The folder may be ours or anybody's who follows the method, complete or
 * torn off by a crash: what can be read is read, and the rest is said, with file and line.
 */
import type * as z from 'zod';
import { readDrift } from './drift-section.ts';
import { parseObject, readLines } from './jsonl.ts';
import {
  artifactAt,
  CLAIMS_FILE,
  DECISIONS_FILE,
  LEADS_FILE,
  pageAt,
  RUN_FILE,
  VERIFICATIONS_FILE,
} from './layout.ts';
import type { ErrorRule, Problem, WarningRule } from './problem.ts';
import {
  claimSchema,
  type DriftCheck,
  decisionSchema,
  type Folder,
  leadSchema,
  MAX_ROUND,
  type Records,
  ROLES,
  runFileSchema,
  verificationSchema,
} from './types.ts';

export interface Reading {
  readonly records: Records;
  /** Lines that are no records, and ids that are taken. */
  readonly errors: readonly Problem<ErrorRule>[];
  readonly warnings: readonly Problem<WarningRule>[];
  /** Files with lines that could not be read: what they lack may stand there. */
  readonly torn: ReadonlySet<string>;
  /** The line on which each claim, verification and decision of `records` stands. */
  readonly lineOf: ReadonlyMap<object, number>;
}

export function readFolder(folder: Folder): Reading {
  const claims = readTable(folder, CLAIMS_FILE, claimSchema, (first, again) => ({
    ...first,
    // Some write a claim's new status as a further line of the same id.
    status: again.status,
  }));
  const verifications = readTable(folder, VERIFICATIONS_FILE, verificationSchema, (first) => first);
  const decisions = readTable(folder, DECISIONS_FILE, decisionSchema, (first) => first);
  const leads = readLines(LEADS_FILE, folder.get(LEADS_FILE) ?? '', leadSchema);
  const run = readRunFile(folder);
  const errors = [
    ...claims.problems,
    ...verifications.problems,
    ...decisions.problems,
    ...leads.problems,
  ];
  return {
    records: {
      claims: claims.records,
      verifications: verifications.records,
      decisions: decisions.records,
      leads: leads.lines.map(({ value }) => value),
      drifts: readDrifts(folder),
      artifacts: [...folder.keys()].filter((path) => artifactAt(path) !== undefined),
      ...run.plan,
    },
    errors,
    warnings: run.warnings,
    torn: new Set(errors.filter(({ rule }) => rule !== 'duplicate-id').map(({ file }) => file)),
    lineOf: new Map([...claims.lineOf, ...verifications.lineOf, ...decisions.lineOf]),
  };
}

/** One record an id: what a later line of the same id says is worked in by `merge`, and complained of. */
function readTable<T extends { readonly id: string }>(
  folder: Folder,
  file: string,
  schema: z.ZodType<T>,
  merge: (first: T, again: T) => T,
): { records: T[]; problems: Problem<ErrorRule>[]; lineOf: [object, number][] } {
  const { lines, problems } = readLines(file, folder.get(file) ?? '', schema);
  const byId = new Map<string, { value: T; line: number }>();
  for (const { value, line } of lines) {
    const first = byId.get(value.id);
    byId.set(value.id, {
      value: first ? merge(first.value, value) : value,
      line: first?.line ?? line,
    });
    if (first === undefined) continue;
    const message = `${value.id} stands on line ${first.line} already`;
    problems.push({ file, line, id: value.id, rule: 'duplicate-id', message });
  }
  const records = [...byId.values()];
  return {
    records: records.map(({ value }) => value),
    problems,
    lineOf: records.map(({ value, line }) => [value, line]),
  };
}

function readDrifts(folder: Folder): DriftCheck[] {
  const drifts = [...folder].flatMap(([path, page]) => {
    const round = pageAt(path);
    if (round === undefined || round < 1 || round > MAX_ROUND) return [];
    return readDrift(round, page) ?? [];
  });
  return drifts.sort((left, right) => left.round - right.round);
}

type Plan = Pick<
  Records,
  'roles' | 'budget' | 'stressSchedule' | 'driftEvery' | 'synthesisRound' | 'question'
>;

/** What was planned. Another program's `run.json` says nothing to us and is left alone. */
function readRunFile(folder: Folder): { plan: Plan; warnings: Problem<WarningRule>[] } {
  const text = folder.get(RUN_FILE);
  if (text === undefined) return { plan: { roles: ROLES }, warnings: [] };
  const parsed = runFileSchema.safeParse(parseObject(text.replace(/^\uFEFF/, '')));
  if (!parsed.success) {
    const message = 'it is not in our form, so what was planned is not known';
    const warning: Problem<WarningRule> = {
      file: RUN_FILE,
      line: 0,
      id: '',
      rule: 'unreadable-run-file',
      message,
    };
    return { plan: { roles: ROLES }, warnings: [warning] };
  }
  const { roles, budget, stress_schedule, drift_every, synthesis_round, question } = parsed.data;
  return {
    plan: {
      roles: [...new Set(roles ?? ROLES)],
      budget,
      stressSchedule: stress_schedule,
      driftEvery: drift_every,
      synthesisRound: synthesis_round,
      question,
    },
    warnings: [],
  };
}

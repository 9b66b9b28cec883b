/** The data for all rules: the records, their folder, and what is derived once for all. */
import { createResolver } from '../anchors.ts';
import { CLAIMS_FILE, DECISIONS_FILE, LEADS_FILE, VERIFICATIONS_FILE } from '../layout.ts';
import type { ErrorRule, GuardedRule, Problem, WarningRule } from '../problem.ts';
import type { FolderReading } from '../read.ts';
import { deriveHistory, type History, listFinishedRounds } from '../timeline.ts';
import type { Claim, Decision, Folder, Verification } from '../types.ts';

/** What all validation rules need: the records of a folder and what is derived from them. */
export interface Context extends FolderReading {
  readonly folder: Folder;
  /** Looks up the place that a citation names. */
  readonly resolve: ReturnType<typeof createResolver>;
  /** The ids of all records. */
  readonly known: Ids;
  readonly history: History;
  /** The claims by id. */
  readonly claims: ReadonlyMap<string, Claim>;
  /** The claims that supersede another claim, by the id of the superseded claim. */
  readonly successors: ReadonlyMap<string, readonly Claim[]>;
  /** Whether the records follow edition 2 of the rules or a later one. */
  readonly strict: boolean;
  /** The numbers of the finished rounds. If the records do not say which are finished, the last round is left out. */
  readonly over: readonly number[];
}

/** The errors that a validation rule finds, one after another. */
export type Errors = Generator<Problem<ErrorRule>>;
/**
 * The problems that a validation rule finds. They are errors in records of runs since edition 2 of the rules of rounds,
 * and warnings in other records.
 */
export type Guarded = Generator<Problem<GuardedRule>>;
/** The warnings that a validation rule finds, one after another. */
export type Warnings = Generator<Problem<WarningRule>>;

/** Whether an id of each kind may be cited. Ids in invalid lines count, too. */
interface Ids {
  readonly claim: (id: string) => boolean;
  readonly verification: (id: string) => boolean;
  readonly decision: (id: string) => boolean;
}

/** Makes the context in which rules check a folder: its records, indexed by id, and their history. */
export function deriveContext(folder: Folder, reading: FolderReading): Context {
  const { records } = reading;
  return {
    ...reading,
    folder,
    resolve: createResolver(folder),
    known: idsOf(reading),
    history: deriveHistory(records),
    claims: new Map(records.claims.map((claim) => [claim.id, claim])),
    successors: successorsOf(records.claims),
    strict: records.rules === 2,
    over: [...new Set(records.completed ?? listFinishedRounds(records).slice(0, -1))],
  };
}

function successorsOf(claims: readonly Claim[]): Map<string, Claim[]> {
  const successors = new Map<string, Claim[]>();
  for (const claim of claims) {
    const { supersedes } = claim;
    if (supersedes === undefined || supersedes === claim.id) continue;
    const before = successors.get(supersedes);
    if (before === undefined) successors.set(supersedes, [claim]);
    else before.push(claim);
  }
  return successors;
}

function idsOf({ records, errors, torn }: FolderReading): Ids {
  const makeIdCheck = (file: string, all: readonly { readonly id: string }[]) => {
    const bad = errors.filter((error) => error.file === file);
    const ids = new Set([...all, ...bad].map(({ id }) => id));
    // If the id of a damaged line cannot be read, count every id as known: the line may have any id.
    const any = torn.has(file) && ids.has('');
    return (id: string) => any || ids.has(id);
  };
  return {
    claim: makeIdCheck(CLAIMS_FILE, records.claims),
    verification: makeIdCheck(VERIFICATIONS_FILE, records.verifications),
    decision: makeIdCheck(DECISIONS_FILE, records.decisions),
  };
}

/**
 * A function that returns the report of a problem, from the violated rule and a message. All its
 * reports name the same file, line and id.
 */
export type ProblemMaker = <Rule extends ErrorRule | WarningRule>(
  rule: Rule,
  message: string,
) => Problem<Rule>;

/** Returns a function that reports problems of a whole file. */
export function makeFileReporter(file: string): ProblemMaker {
  return makeReporter(file, 0, '');
}

/** Returns a function that reports problems in the line of a claim. */
export function makeClaimReporter({ lineOf }: FolderReading, claim: Claim): ProblemMaker {
  return makeReporter(CLAIMS_FILE, lineOf.get(claim), claim.id);
}

/** Returns a function that reports problems in the line of a verification. */
export function makeVerificationReporter(
  { lineOf }: FolderReading,
  verification: Verification,
): ProblemMaker {
  return makeReporter(VERIFICATIONS_FILE, lineOf.get(verification), verification.id);
}

/** Returns a function that reports problems in the line of a decision. */
export function makeDecisionReporter({ lineOf }: FolderReading, decision: Decision): ProblemMaker {
  return makeReporter(DECISIONS_FILE, lineOf.get(decision), decision.id);
}

/**
 * Returns a function that reports problems in a line of `state/lead_history.jsonl`, which says who led which round.
 * @param lead the entry on this line, as the folder's reading has it
 */
export function makeLeadReporter({ lineOf }: FolderReading, lead: object): ProblemMaker {
  return makeReporter(LEADS_FILE, lineOf.get(lead), '');
}

/**
 * Returns a function whose reports of problems name this file, line and id.
 * @param line the line from 1; 0 if the whole file is concerned
 */
export function makeReporter(file: string, line = 0, id = ''): ProblemMaker {
  return (rule, message) => ({ file, line, id, rule, message });
}

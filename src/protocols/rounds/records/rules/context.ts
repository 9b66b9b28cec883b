/** What the rules look at: the records, their folder, and what is worked out once for all of them. */
import { resolver } from '../anchors.ts';
import { CLAIMS_FILE, DECISIONS_FILE, LEADS_FILE, VERIFICATIONS_FILE } from '../layout.ts';
import type { ErrorRule, GuardedRule, Problem, WarningRule } from '../problem.ts';
import type { FolderReading } from '../read.ts';
import { type History, historyOf, roundsOf } from '../timeline.ts';
import type { Claim, Decision, Folder, Verification } from '../types.ts';

export interface Context extends FolderReading {
  readonly folder: Folder;
  readonly resolve: ReturnType<typeof resolver>;
  readonly known: Ids;
  readonly history: History;
  readonly claims: ReadonlyMap<string, Claim>;
  /** By claim: those that say they took its place. */
  readonly successors: ReadonlyMap<string, readonly Claim[]>;
  /** Held under the second rules, whose code keeps what elsewhere is left to people. */
  readonly strict: boolean;
  /** Rounds that are over: those that say so, else those that another one followed. */
  readonly over: readonly number[];
}

export type Errors = Generator<Problem<ErrorRule>>;
export type Guarded = Generator<Problem<GuardedRule>>;
export type Warnings = Generator<Problem<WarningRule>>;

/** Whether an id can be cited: of its record, or of a line that is wrong in one field or in all. */
interface Ids {
  readonly claim: (id: string) => boolean;
  readonly verification: (id: string) => boolean;
  readonly decision: (id: string) => boolean;
}

export function contextOf(folder: Folder, reading: FolderReading): Context {
  const { records } = reading;
  return {
    ...reading,
    folder,
    resolve: resolver(folder),
    known: idsOf(reading),
    history: historyOf(records),
    claims: new Map(records.claims.map((claim) => [claim.id, claim])),
    successors: successorsOf(records.claims),
    strict: records.rules === 2,
    over: [...new Set(records.completed ?? roundsOf(records).slice(0, -1))],
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
  const known = (file: string, all: readonly { readonly id: string }[]) => {
    const bad = errors.filter((error) => error.file === file);
    const ids = new Set([...all, ...bad].map(({ id }) => id));
    // A line without an id that can be read may have had any.
    const any = torn.has(file) && ids.has('');
    return (id: string) => any || ids.has(id);
  };
  return {
    claim: known(CLAIMS_FILE, records.claims),
    verification: known(VERIFICATIONS_FILE, records.verifications),
    decision: known(DECISIONS_FILE, records.decisions),
  };
}

/** Says what is wrong with one record, or with a file as a whole. */
export type Say = <Rule extends ErrorRule | WarningRule>(
  rule: Rule,
  message: string,
) => Problem<Rule>;

export function sayOfFile(file: string): Say {
  return sayer(file, 0, '');
}

export function sayOfClaim({ lineOf }: FolderReading, claim: Claim): Say {
  return sayer(CLAIMS_FILE, lineOf.get(claim), claim.id);
}

export function sayOfVerification({ lineOf }: FolderReading, one: Verification): Say {
  return sayer(VERIFICATIONS_FILE, lineOf.get(one), one.id);
}

export function sayOfDecision({ lineOf }: FolderReading, decision: Decision): Say {
  return sayer(DECISIONS_FILE, lineOf.get(decision), decision.id);
}

export function sayOfLead({ lineOf }: FolderReading, lead: object): Say {
  return sayer(LEADS_FILE, lineOf.get(lead), '');
}

export function sayer(file: string, line = 0, id = ''): Say {
  return (rule, message) => ({ file, line, id, rule, message });
}

/**
 * The paths in a folder of records, and the form of ids. The original method's tools use the same
 * names. People who write by hand pad numbers (`round_03`), so reading accepts this.
 */
import { sanitiseText } from '../../../text/sanitise.ts';
import { CHECKS, type Check, ROLES, type Role } from './types.ts';

/**
 * The path of the file of claims in a folder of records. Like all `.jsonl` files, it has one entry
 * on each line.
 */
export const CLAIMS_FILE = 'state/claims.jsonl';
/**
 * The path of the file of verifications: verdicts, readings, tests and withdrawals, which may
 * decide claims.
 */
export const VERIFICATIONS_FILE = 'state/verifications.jsonl';
/** The path of the file of decisions. A decision is made by the role that leads a round, at the round's end. */
export const DECISIONS_FILE = 'state/decisions.jsonl';
/** The path of the file of reading tests, and of the findings and controls of readings. */
export const READINGS_FILE = 'state/readings.jsonl';
/** The path of the file of refused entries (claims, quotations and so on), with the reasons. */
export const REFUSALS_FILE = 'state/refusals.jsonl';
/** The path of the file that lists the tool results which seats can cite. */
export const SOURCES_FILE = 'state/sources.jsonl';
/** The path of the file that names the lead and the absent role of each round. */
export const LEADS_FILE = 'state/lead_history.jsonl';
/** The path of the file with the run's plan and settings. */
export const RUN_FILE = 'run.json';
/**
 * The path of the file that lists the pages or sheets of attached documents, and how their texts
 * were extracted.
 */
export const DOCUMENTS_FILE = 'state/documents.jsonl';
/** The path of the folder with the texts of attachments. */
export const ATTACHMENTS = 'attachments/';
/** The path of the folder with the texts of tool results. They are cited by id: `S-3#L10-L20`. */
export const SOURCES = 'sources/';
/** The path of the synthesis in a folder of records. */
export const SYNTHESIS_FILE = 'synthesis.md';
/** The path of the report on how the deliberation went. */
export const RETROSPECTIVE_FILE = 'retrospective.md';
/** The path of the log of all rounds that people can read. */
export const ITERATION_LOG_FILE = 'iteration_log.md';

/**
 * Returns the path of an artifact.
 * @param seat the role, or `critic-2` for the second seat of a role
 */
export function artifactPath(round: number, seat: string): string {
  return `artifacts/round_${round}/${cleanSegment(seat)}.md`;
}

/** Returns the path of a round's page. */
export function pagePath(round: number): string {
  return `rounds/round_${round}.md`;
}

/**
 * Returns the path of an attachment's text. It is cited by line: `attachments/plan.md#L10-L20`.
 */
export function attachmentPath(name: string): string {
  return `${ATTACHMENTS}${name.split('/').map(cleanSegment).join('/')}`;
}

/** Returns the path of a tool result by its id: `sources/S-3.txt`. */
export function sourcePath(id: string): string {
  return `${SOURCES}${cleanSegment(id)}.txt`;
}

/** Returns the path of a test's page by the test's id: `evidence/E-3-1.md`. */
export function evidencePath(id: string): string {
  return `evidence/${cleanSegment(id)}.md`;
}

/** Returns the id of a claim: `C-2-1` for the first claim of round 2. */
export function claimId(round: number, seq: number): string {
  return `C-${round}-${seq}`;
}

/** Returns the id of the verdict of one of the four checks: `V-2-1` for the first check of round 2. */
export function verificationId(round: number, check: Check): string {
  return `V-${round}-${(CHECKS as readonly Check[]).indexOf(check) + 1}`;
}

/** Returns the id of a decision: `D-2-1` for the first decision of round 2. */
export function decisionId(round: number, seq: number): string {
  return `D-${round}-${seq}`;
}

/**
 * Returns the round in an id, or undefined if the id is not of that kind.
 * @param kind C for claims, V for verifications, D for decisions
 */
export function roundOfId(kind: 'C' | 'V' | 'D', id: string): number | undefined {
  const match = (kind === 'V' ? /^([CVD])-(\d{1,9})-\S+$/ : /^([CVD])-(\d{1,9})-\d+$/).exec(id);
  return match?.[1] === kind ? Number(match[2]) : undefined;
}

/** Returns the round and the role of the artifact at a path, or undefined for other files. */
export function parseArtifactPath(path: string): { round: number; role: Role } | undefined {
  const match = /^artifacts\/round_(\d{1,9})\/([a-z]+)(?:-\d{1,9})?\.md$/.exec(path);
  const role = ROLES.find((role) => role === match?.[2]);
  return role === undefined ? undefined : { round: Number(match?.[1]), role };
}

/**
 * Returns the round to which a file in a folder of records belongs: an artifact, a round's page, or the page of a test.
 * Returns undefined for other files.
 */
export function roundOfPath(path: string): number | undefined {
  const match =
    /^(?:artifacts\/round_(\d{1,9})\/|rounds\/round_(\d{1,9})\.|evidence\/E-(\d{1,9})-)/.exec(path);
  const round = match?.[1] ?? match?.[2] ?? match?.[3];
  return round === undefined ? undefined : Number(round);
}

/** Returns the round whose page is at a path, or undefined for other files. */
export function parsePagePath(path: string): number | undefined {
  const match = /^rounds\/round_(\d{1,9})\.md$/.exec(path);
  return match === null ? undefined : Number(match[1]);
}

/**
 * Cleans one part of a path. A foreign name must not contain slashes, `..` or invisible characters.
 */
function cleanSegment(name: string): string {
  return sanitiseText(name.replace(/[/\\\p{Cc}\p{Zl}\p{Zp}]/gu, '_')).replace(/^\.+/, '_') || '_';
}

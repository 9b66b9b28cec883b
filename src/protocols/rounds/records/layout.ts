/**
 * Where things lie in a folder of records, and how their ids are made. The method's own tools use the
 * same names; people who write by hand pad numbers (`round_03`), so reading allows that.
 */
import { sanitise } from '../../../text/sanitise.ts';
import { CHECKS, type Check, ROLES, type Role } from './types.ts';

export const CLAIMS_FILE = 'state/claims.jsonl';
export const VERIFICATIONS_FILE = 'state/verifications.jsonl';
export const DECISIONS_FILE = 'state/decisions.jsonl';
export const READINGS_FILE = 'state/readings.jsonl';
export const REFUSALS_FILE = 'state/refusals.jsonl';
export const SOURCES_FILE = 'state/sources.jsonl';
export const LEADS_FILE = 'state/lead_history.jsonl';
export const RUN_FILE = 'run.json';
/** The pages or sheets of attached documents, and how their texts were extracted. */
export const DOCUMENTS_FILE = 'state/documents.jsonl';
/** Below it lie the texts under discussion. */
export const ATTACHMENTS = 'attachments/';
/** Below it lies what seats looked up, as it was found; evidence cites it by id: `S-3#L10-L20`. */
export const SOURCES = 'sources/';
export const SYNTHESIS_FILE = 'synthesis.md';
export const RETROSPECTIVE_FILE = 'retrospective.md';
export const ITERATION_LOG_FILE = 'iteration_log.md';

/** `seat` is a role, or `critic-2` where a role sits twice. */
export function artifactPath(round: number, seat: string): string {
  return `artifacts/round_${round}/${segment(seat)}.md`;
}

export function pagePath(round: number): string {
  return `rounds/round_${round}.md`;
}

/** Where the text under discussion lies; evidence cites it by line: `attachments/plan.md#L10-L20`. */
export function attachmentPath(name: string): string {
  return `${ATTACHMENTS}${name.split('/').map(segment).join('/')}`;
}

/** Returns the path of the text that a lookup found, by the lookup's id: `sources/S-3.txt`. */
export function sourcePath(id: string): string {
  return `${SOURCES}${segment(id)}.txt`;
}

/** Where an executed test lies: `evidence/E-3-1.md`. */
export function evidencePath(id: string): string {
  return `evidence/${segment(id)}.md`;
}

export function claimId(round: number, seq: number): string {
  return `C-${round}-${seq}`;
}

export function verificationId(round: number, check: Check): string {
  return `V-${round}-${(CHECKS as readonly Check[]).indexOf(check) + 1}`;
}

export function decisionId(round: number, seq: number): string {
  return `D-${round}-${seq}`;
}

/** The round that an id names, undefined where it is no id of that kind. */
export function roundOfId(kind: 'C' | 'V' | 'D', id: string): number | undefined {
  const match = (kind === 'V' ? /^([CVD])-(\d{1,9})-\S+$/ : /^([CVD])-(\d{1,9})-\d+$/).exec(id);
  return match?.[1] === kind ? Number(match[2]) : undefined;
}

/** Whose artifact of which round lies at a path; undefined for any other file. */
export function artifactAt(path: string): { round: number; role: Role } | undefined {
  const match = /^artifacts\/round_(\d{1,9})\/([a-z]+)(?:-\d{1,9})?\.md$/.exec(path);
  const role = ROLES.find((one) => one === match?.[2]);
  return role === undefined ? undefined : { round: Number(match?.[1]), role };
}

/** The round that a path is about: an artifact, a page, an executed test; undefined for any other file. */
export function roundOfPath(path: string): number | undefined {
  const match =
    /^(?:artifacts\/round_(\d{1,9})\/|rounds\/round_(\d{1,9})\.|evidence\/E-(\d{1,9})-)/.exec(path);
  const round = match?.[1] ?? match?.[2] ?? match?.[3];
  return round === undefined ? undefined : Number(round);
}

/** The round whose page lies at a path. */
export function pageAt(path: string): number | undefined {
  const match = /^rounds\/round_(\d{1,9})\.md$/.exec(path);
  return match === null ? undefined : Number(match[1]);
}

/** One step of a path: a name that came from outside can neither climb nor descend, nor hold what nobody sees. */
function segment(name: string): string {
  return sanitise(name.replace(/[/\\\p{Cc}\p{Zl}\p{Zp}]/gu, '_')).replace(/^\.+/, '_') || '_';
}

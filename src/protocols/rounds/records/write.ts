/**
 * Formats records as a folder that other tools can read: one JSON object on each line, with keys in
 * the documented order. The original method's scripts require more than its schema: lists are never
 * absent, a changed claim is listed in `claims_affected`, and `Drift check: PASS` occurs only in a
 * round's page.
 */
import type { Part } from '../../../text/documents/parts.ts';
import { deduplicateRefs } from './anchors.ts';
import { disguiseVerdicts, formatDriftSection } from './drift-section.ts';
import {
  artifactPath,
  attachmentPath,
  CLAIMS_FILE,
  DECISIONS_FILE,
  DOCUMENTS_FILE,
  ITERATION_LOG_FILE,
  LEADS_FILE,
  pagePath,
  READINGS_FILE,
  REFUSALS_FILE,
  RETROSPECTIVE_FILE,
  RUN_FILE,
  SOURCES_FILE,
  SYNTHESIS_FILE,
  sourcePath,
  VERIFICATIONS_FILE,
} from './layout.ts';
import type { Records } from './records.ts';
import { findNamedClaims } from './timeline.ts';
import type { Claim, Decision, Folder, LeadEntry, Verification } from './types.ts';

/** Everything that is written to a folder of records. */
export interface Writing {
  readonly records: Records;
  readonly artifacts: readonly Artifact[];
  /**
   * The page of each round, by its number. The section on drift is added when the folder is
   * written.
   */
  readonly pages: ReadonlyMap<number, string>;
  /** The texts of the attachments. */
  readonly attachments?: readonly Attached[];
  /** The tool results in full, by id. */
  readonly sources?: ReadonlyMap<string, string>;
  /** A Markdown page for each executed test of a claim, by its path in the folder. */
  readonly evidence?: ReadonlyMap<string, string>;
  readonly synthesis?: string | undefined;
  readonly retrospective?: string | undefined;
  readonly iterationLog?: string | undefined;
  /**
   * Additional keys for `run.json`, such as the run's id, its models and its start. A key that is
   * written from the records, such as `question` or `budget`, must not be among them.
   */
  readonly about?: Readonly<Record<string, unknown>>;
}

/** A text under discussion. */
interface Attached {
  readonly name: string;
  readonly text: string;
  readonly parts?: readonly Part[] | undefined;
  /** How the text was extracted, as recorded with the attachment. */
  readonly source?: Readonly<Record<string, unknown>> | undefined;
}

/** An artifact as Markdown. */
export interface Artifact {
  readonly round: number;
  /** The role, or `critic-2` for the second seat of a role. */
  readonly seat: string;
  readonly text: string;
}

/** Formats records as the files of a folder. Nothing is written to disk. */
export function writeFolder(writing: Writing): Folder {
  const { records, synthesis, retrospective, iterationLog } = writing;
  const folder = new Map<string, string>();
  folder.set(CLAIMS_FILE, formatLines(records.claims.map(claimLine)));
  folder.set(VERIFICATIONS_FILE, formatLines(records.verifications.map(verificationLine)));
  folder.set(DECISIONS_FILE, formatLines(records.decisions.map(decisionLine)));
  folder.set(LEADS_FILE, formatLines(records.leads.map(leadLine)));
  // Write the next three files only if they have content: they are this program's own, and other tools do not
  // know them.
  for (const [path, all] of [
    [READINGS_FILE, records.readings],
    [REFUSALS_FILE, records.refusals],
    [SOURCES_FILE, records.sources],
  ] as const)
    if (all !== undefined && all.length > 0) folder.set(path, formatLines(all));
  for (const { round, seat, text } of writing.artifacts)
    folder.set(artifactPath(round, seat), endLine(text));
  for (const [path, text] of makeAttachmentFiles(writing.attachments ?? [])) folder.set(path, text);
  for (const [id, text] of writing.sources ?? []) folder.set(sourcePath(id), text);
  for (const [path, text] of writing.evidence ?? []) folder.set(path, endLine(text));
  const drifts = new Map(records.drifts.map((drift) => [drift.round, drift]));
  const rounds = new Set([...writing.pages.keys(), ...drifts.keys()]);
  for (const round of [...rounds].sort((left, right) => left - right)) {
    const drift = drifts.get(round);
    const page = disguiseVerdicts(writing.pages.get(round) ?? `# Round ${round}`).trimEnd();
    folder.set(pagePath(round), endLine(drift ? `${page}\n\n${formatDriftSection(drift)}` : page));
  }
  folder.set(RUN_FILE, `${JSON.stringify(runFile(records, writing.about ?? {}), null, 2)}\n`);
  if (synthesis !== undefined) folder.set(SYNTHESIS_FILE, endLine(synthesis));
  if (retrospective !== undefined) folder.set(RETROSPECTIVE_FILE, endLine(retrospective));
  if (iterationLog !== undefined) folder.set(ITERATION_LOG_FILE, endLine(iterationLog));
  return folder;
}

/**
 * Returns the files with the texts of attachments, as pairs of path and content. If texts were
 * extracted from documents such as PDF files, an additional file lists their pages and says how
 * they were extracted.
 */
export function makeAttachmentFiles(attachments: readonly Attached[]): [string, string][] {
  const documents = attachments.flatMap(({ name, parts = [], source = {} }) =>
    parts.length === 0 && Object.keys(source).length === 0
      ? []
      : [{ name, ...source, ...(parts.length === 0 ? {} : { parts }) }],
  );
  return [
    ...(documents.length === 0
      ? []
      : [[DOCUMENTS_FILE, formatLines(documents)] as [string, string]]),
    ...attachments.map(({ name, text }): [string, string] => [attachmentPath(name), text]),
  ];
}

function claimLine(claim: Claim): object {
  const { id, round, raised_by, text, testable_as, status, supersedes, raised_at_artifact } = claim;
  const { decided_by, says, about, if_false, challenges, superseded_in } = claim;
  return {
    id,
    round,
    raised_by,
    text,
    testable_as,
    status,
    supersedes,
    raised_at_artifact,
    decided_by,
    says,
    about,
    if_false,
    challenges,
    ...(superseded_in === undefined || superseded_in === round ? {} : { superseded_in }),
  };
}

function verificationLine(verification: Verification): object {
  return {
    id: verification.id,
    round: verification.round,
    check: verification.check,
    result: verification.result,
    evidence_refs: deduplicateRefs(verification.evidence_refs),
    notes: verification.notes,
    claims_affected: [...findNamedClaims(verification)],
    claim_status_changes: (verification.claim_status_changes ?? []).map(
      ({ claim_id, from, to, stance, bearing, basis, refs, quotes, why, round }) => ({
        claim_id,
        from,
        to,
        stance,
        bearing,
        basis,
        refs,
        ...(quotes === undefined || quotes.length === 0 ? {} : { quotes }),
        why,
        round,
      }),
    ),
    degraded: verification.degraded,
  };
}

function decisionLine(decision: Decision): object {
  const { id, round, text, cites, made_by, round_artifact_refs, conditions } = decision;
  return {
    id,
    round,
    text,
    cites: cites.map(({ type, id: cited, relation, takes_as }) => ({
      type,
      id: cited,
      relation,
      takes_as,
    })),
    made_by,
    round_artifact_refs,
    ...(conditions === undefined || conditions.length === 0 ? {} : { conditions }),
  };
}

function leadLine({ round, lead, is_stress, absent_agent }: LeadEntry): object {
  return { round, lead, is_stress, absent_agent };
}

function runFile(records: Records, about: Readonly<Record<string, unknown>>): object {
  return {
    ...about,
    question: records.question,
    roles: records.roles,
    budget: records.budget,
    stress_schedule: records.stressSchedule?.map(({ round, role }) => ({ round, role })),
    drift_every: records.driftEvery,
    synthesis_round: records.synthesisRound,
    rules: records.rules,
    signals: records.signals,
    ...(records.rules === undefined ? {} : { completed: records.completed }),
  };
}

/**
 * Formats records as lines. Unusual line separators are escaped, so that no reader sees two lines
 * in one record.
 */
function formatLines(records: readonly object[]): string {
  return records
    .map((record) => `${JSON.stringify(record).replace(/[\u0085\u2028\u2029]/g, escapeChar)}\n`)
    .join('');
}

function escapeChar(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

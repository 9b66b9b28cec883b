/**
 * Collects what a session reported as confirmed, met, agreed, settled or decided, with the words that it
 * rests on.
 */
import { queryRows } from './session.ts';

/** Something that a run reported as established, such as a decided claim. */
export interface ReportedFinding {
  /** What was reported: id, state and text. */
  readonly what: string;
  /** What the report rests on, such as quotations or cited ids. */
  readonly rests: string;
}

/** The database queries that find such reports, by kind. Each has the columns `what` and `rests`. */
const KINDS: Readonly<Record<string, string>> = {
  'passed the entrance of readers': `
    SELECT model || ': ' || errors || ' errors in ' || items AS what,
      'called true what is not: ' || called_true AS rests
    FROM readings WHERE kind = 'entrance' AND passed`,
  claim: `
    SELECT claims.id || ' ' || claims.status || coalesce(' (' || claims.decided_by || ')', '') || ': ' || claims.text AS what,
      coalesce((SELECT group_concat(verifications.id || ' ' || verifications.result || ' ' || verifications.evidence_refs || ' ' || coalesce(verifications.notes, ''), ' | ')
        FROM verifications WHERE verifications.run_id = claims.run_id
          AND instr(verifications.claim_status_changes, claims.id) > 0), '')
      || coalesce((SELECT ' reading: ' || readings.quotes FROM readings
        WHERE readings.run_id = claims.run_id AND readings.claim = claims.id AND readings.counts), '') AS rests
    FROM claims WHERE claims.status NOT IN ('open', 'pending', 'untested')`,
  decision: `
    SELECT id || ' by ' || made_by || ': ' || text AS what, 'cites ' || cites AS rests FROM decisions`,
  'conflict that ended': `
    SELECT conflicts.id || ' ended by ' || ended_by || ': ' || question AS what,
      coalesce(option || ': ' || (SELECT text FROM statements
        WHERE statements.run_id = conflicts.run_id AND statements.id = conflicts.option), why) AS rests
    FROM conflicts WHERE ended_by IS NOT NULL`,
  'known from a document': `
    SELECT id || ' ' || known || ': ' || question AS what, coalesce(place || ': ' || quotation, researched) AS rests
    FROM contexts WHERE known <> 'not known'`,
  'requirement met': `
    SELECT id || ': ' || text AS what, evidence AS rests FROM requirements WHERE state = 'met'`,
  'task done': `
    SELECT id || ' (attempt ' || attempts || '): ' || title AS what, coalesce(commit_id, '') AS rests
    FROM tasks WHERE state IN ('green', 'done')`,
  ballot: `
    SELECT seat || ': ' || position || coalesce(' [' || option || ']', '') AS what, coalesce(confidence, '') AS rests
    FROM ballots`,
  'vote in rounds': `
    SELECT 'round ' || json_extract(body, '$.round') || ', options compared by ' || json_extract(body, '$.by') AS what,
      json_extract(body, '$.ballots') AS rests
    FROM fact WHERE json_extract(body, '$.type') = 'vote.counted'`,
  'result of a debate': `
    SELECT result AS what, json_array(first, moved, turns, belief) AS rests FROM outcomes`,
  'entry of a ledger that is not open': `
    SELECT ledger || ' ' || id || ' by ' || seat || ' ' || status || ': ' || text AS what,
      coalesce(quote, '') || coalesce(' not found: ' || unquoted, '') || coalesce(' because ' || why, '') AS rests
    FROM entries WHERE status <> 'open'`,
  'synthesis or conclusion': `
    SELECT 'version ' || version || ' by ' || coalesce(model, 'code') AS what, text AS rests FROM syntheses`,
};

/**
 * Returns what the runs in a database reported as established, by kind, such as claims and decisions. Kinds
 * without a report are left out.
 */
export function readReported(file: string): ReadonlyMap<string, readonly ReportedFinding[]> {
  return new Map(
    Object.entries(KINDS)
      .map(([kind, sql]) => [kind, queryRows(file, sql) as ReportedFinding[]] as const)
      .filter(([, found]) => found.length > 0),
  );
}

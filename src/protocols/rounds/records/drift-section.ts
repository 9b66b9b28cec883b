/**
 * The drift check in a round's page. The page is its only record in a folder, because the original
 * method's detector searches pages for `Drift check: PASS` or `FAIL`.
 */
import { splitLines } from '../../../text/lines.ts';
import type { DriftCheck } from './records.ts';

/** Formats a drift check as a section of a round's page. */
export function formatDriftSection(drift: DriftCheck): string {
  const score =
    drift.deviation_score === undefined ? [] : [`Deviation: ${drift.deviation_score} of 5`];
  const notes = splitLines(disguiseVerdicts(drift.notes)).map((line) => `> ${line}`);
  return ['## H. Drift check', `Drift check: ${drift.verdict}`, ...score, notes.join('\n')]
    .join('\n\n')
    .trimEnd();
}

/**
 * Changes texts such as `Drift check: PASS`, so that a quotation of them is not read as a verdict. Other spellings,
 * such as `drift-check: PASS`, stay.
 */
export function disguiseVerdicts(text: string): string {
  return text.replace(
    /(drift[ _-]?check\b[^:\r\n]{0,40}):(?=[\s*_`]*(?:pass|fail|partial)\b)/gi,
    '$1 -',
  );
}

const VERDICT = /^[\s#*_|-]*drift[ _-]?check\b[^:]{0,40}:[\s*_`]*(pass|fail|partial)\b/i;
const SCORE = /^[\s*_|-]*deviation\b[^:]{0,40}:[\s*_`]*([1-5])\b/i;

/**
 * Reads the drift check from a round's page. If there are several, the last one is returned;
 * undefined if there is none.
 */
export function readDrift(round: number, page: string): DriftCheck | undefined {
  let verdict: DriftCheck['verdict'] | undefined;
  let score: number | undefined;
  let notes: string[] = [];
  for (const line of splitLines(page)) {
    const found = VERDICT.exec(line)?.[1]?.toUpperCase();
    if (found === 'PASS' || found === 'FAIL' || found === 'PARTIAL') {
      verdict = found;
      score = undefined;
      notes = [];
    } else if (verdict !== undefined) {
      score ??= Number(SCORE.exec(line)?.[1] ?? 0) || undefined;
      if (line.startsWith('>')) notes.push(line.replace(/^> ?/, ''));
    }
  }
  if (verdict === undefined) return undefined;
  return { round, verdict, deviation_score: score, notes: notes.join('\n') };
}

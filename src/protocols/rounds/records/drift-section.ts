/**
 * The drift check in a round's page. The page is its only record on disk, because that is where the
 * method's own detector looks: anywhere in the page, for the words `Drift check: PASS` or `FAIL`.
 */
import { splitLines } from '../../../text/lines.ts';
import type { DriftCheck } from './types.ts';

export function driftSection(drift: DriftCheck): string {
  const score =
    drift.deviation_score === undefined ? [] : [`Deviation: ${drift.deviation_score} of 5`];
  const notes = splitLines(withoutVerdicts(drift.notes)).map((line) => `> ${line}`);
  return ['## H. Drift check', `Drift check: ${drift.verdict}`, ...score, notes.join('\n')]
    .join('\n\n')
    .trimEnd();
}

/**
 * A page that talks about drift checks must not be taken for one that holds a verdict: a seat that
 * quotes "Drift check: PASS" would otherwise pass it.
 */
export function withoutVerdicts(text: string): string {
  return text.replace(/(drift[ _]check)(\s*):(?=[\s*_`]*(?:pass|fail|partial)\b)/gi, '$1$2 -');
}

const VERDICT = /^[\s#*_|-]*drift[ _-]?check\b[^:]{0,40}:[\s*_`]*(pass|fail|partial)\b/i;
const SCORE = /^[\s*_|-]*deviation\b[^:]{0,40}:[\s*_`]*([1-5])\b/i;

/** The drift check that a page holds; the last one, where it holds several. */
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

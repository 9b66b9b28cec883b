/** Recorded runs as lines of a list, for the home screen and the history. */
import { questionTitle } from '../../text/answers/first-sentence.ts';
import { toLine } from '../../text/line.ts';
import { formatAge, formatUsd } from '../../text/numbers.ts';
import { padEnd, truncateLine } from '../../text/width.ts';

/** A run or an evaluation, as a line of a list. */
export interface RunLine {
  readonly id: string;
  readonly protocol: string;
  readonly question: string;
  /** How the run stands. `interrupted`: its process ended before the run did. */
  readonly status: 'queued' | 'running' | 'done' | 'stopped' | 'failed' | 'interrupted';
  /** The time of the start, in ISO 8601. */
  readonly startedAt: string;
  /** The cost in dollars; null if no call has a known price. */
  readonly costUsd: number | null;
  /** Whether the cost contains an estimate. */
  readonly estimated: boolean;
  /** Whether the built-in stand-in answered instead of models. */
  readonly rehearsal: boolean;
  /** Set if the line is an evaluation, which consists of many runs. */
  readonly isEvaluation?: true;
}

const MARKS: Readonly<Record<RunLine['status'], string>> = {
  queued: '○ queued',
  running: '● running',
  done: '✓ done',
  stopped: '■ stopped',
  failed: '✗ failed',
  interrupted: '! interrupted',
};

/** In rows narrower than this, the question is cut early and the status has no word. */
const NARROW = 60;
/** From this width on, prices are shown. */
const PRICED = 90;

/** Shown in place of a price. */
const REHEARSED = 'REHEARSAL';

/** Returns whether a run is neither done nor running, so that it can be resumed. */
export function isUnfinished({ status }: RunLine): boolean {
  return status !== 'running' && status !== 'done';
}

/**
 * Formats a run as a line: `✓ done  2h ago  board  $0.031  Should we …`. Columns are left out if
 * there is no room; the question stays.
 *
 * @param width the width in cells
 * @param now the time in milliseconds
 */
export function formatRunLine(run: RunLine, width: number, now: number): string {
  const age = formatAge(Math.max(0, now - Date.parse(run.startedAt)));
  const question = toLine(questionTitle(run.question));
  // The line of a rehearsal is marked as such even if it has no room for a price.
  const rehearsed = run.rehearsal ? `${REHEARSED} ` : '';
  if (width < NARROW) {
    const [mark = ''] = MARKS[run.status];
    return truncateLine(`${mark} ${padEnd(age, 10)} ${rehearsed}${question}`, width);
  }
  const paid = run.costUsd === null ? '' : formatUsd(run.costUsd, run.estimated);
  const price = run.rehearsal ? REHEARSED : paid;
  const cost = width >= PRICED ? `${price.padStart(9)}  ` : rehearsed;
  const left = [padEnd(MARKS[run.status], 13), padEnd(age, 11), padEnd(run.protocol, 6)].join('  ');
  return truncateLine(`${left}  ${cost}${question}`, width);
}

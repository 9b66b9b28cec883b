/** Recorded runs as lines of a list: on the home screen and in the history. */
import { questionTitle } from '../../text/answers/first-sentence.ts';
import { line } from '../../text/line.ts';
import { formatAge, formatUsd } from '../../text/numbers.ts';
import { padEnd, truncate } from '../../text/width.ts';

/** A run as the history knows it. */
export interface RunLine {
  readonly id: string;
  readonly protocol: string;
  readonly question: string;
  readonly status: 'queued' | 'running' | 'done' | 'stopped' | 'failed' | 'interrupted';
  /** ISO 8601. */
  readonly startedAt: string;
  /** Null where no call has a known price. */
  readonly costUsd: number | null;
  /** The cost holds an estimate. */
  readonly estimated: boolean;
  /** The stand-in spoke in it. */
  readonly rehearsal: boolean;
  /** It is no run but an evaluation, which consists of many. */
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

/** Rows narrower than this have the question's beginning and a status without its word. */
const NARROW = 60;
/** From this width on there is room for prices. */
const PRICED = 90;

/** In the place of a price. */
const REHEARSED = 'REHEARSAL';

/** It can be gone on with. */
export function isUnfinished({ status }: RunLine): boolean {
  return status !== 'running' && status !== 'done';
}

/** `✓ done  2h ago  board  $0.031  Should we …`, as far as there is room: the question comes first. */
export function runRow(run: RunLine, width: number, now: number): string {
  const age = formatAge(Math.max(0, now - Date.parse(run.startedAt)));
  const question = line(questionTitle(run.question));
  // Where there is no room for prices, a rehearsal is still no run that anybody may mistake for one.
  const rehearsed = run.rehearsal ? `${REHEARSED} ` : '';
  if (width < NARROW) {
    const [mark = ''] = MARKS[run.status];
    return truncate(`${mark} ${padEnd(age, 10)} ${rehearsed}${question}`, width);
  }
  const paid = run.costUsd === null ? '' : formatUsd(run.costUsd, run.estimated);
  const price = run.rehearsal ? REHEARSED : paid;
  const cost = width >= PRICED ? `${price.padStart(9)}  ` : rehearsed;
  const left = [padEnd(MARKS[run.status], 13), padEnd(age, 11), padEnd(run.protocol, 6)].join('  ');
  return truncate(`${left}  ${cost}${question}`, width);
}

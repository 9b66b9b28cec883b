/** What is said about a synthesis around its text: its heading, whom it knew as whom, what it lacks. */

import { influenceLine, names, voteLine } from '../../../protocols/board/view/vote.ts';
import { plural } from '../../../protocols/rounds/view/wording.ts';
import type { Desk, Draft } from '../../model/desk.ts';

/** `Synthesis v2 · 2 of 3 advisors · without Critic (timed out)`: what must not be cut off comes first. */
export function headingOf({ version, question, weighs, done }: Draft, desk: Desk): string {
  const parts = [`Synthesis v${version}`];
  const quorum = desk.questionOf(question)?.quorum;
  if (done !== undefined && weighs !== undefined) {
    const base = desk.drafts.find((one) => one.version === weighs)?.done?.included ?? [];
    const left = base.filter((seat) => !done.included.includes(seat));
    parts.push(left.length === 0 ? 'nobody left out' : `without ${names(desk, left)}`);
  } else if (done !== undefined) {
    const absent = done.excluded.map(({ seat, reason }) => `${desk.nameOf(seat)} (${reason})`);
    parts.push(
      `${done.included.length} of ${plural(done.included.length + absent.length, 'advisor')}`,
    );
    if (absent.length > 0) parts.push(`without ${absent.join(', ')}`);
  } else if (quorum !== undefined && quorum.stopped.length > 0)
    parts.push(`stopped by quorum: ${names(desk, quorum.stopped)}`);
  if (weighs !== undefined) parts.push(`for the meter of v${weighs}`);
  else if (quorum !== undefined) parts.push(`quorum ${quorum.quorum} of ${quorum.of}`);
  return parts.join(' · ');
}

/** One line each, as long as they come; those that matter most first. */
export function remarksOf({ version, question, weighs, done }: Draft, desk: Desk): string[] {
  const remarks: string[] = [];
  const vote = weighs === undefined ? voteLine(desk, question, version) : undefined;
  if (vote !== undefined) remarks.push(vote);
  if (done === undefined) return remarks;
  const { compacted = [] } = done;
  if (compacted.length > 0)
    remarks.push(
      `shortened to fit its window: ${compacted.map(({ seat, words }) => `${desk.nameOf(seat)} by ${words} words`).join(', ')}`,
    );
  const influence = influenceLine(desk, version);
  if (influence !== undefined) remarks.push(influence);
  const labels = Object.entries(done.labels).map(
    ([label, seat]) => `Advisor ${label} = ${desk.nameOf(seat)}`,
  );
  if (labels.length > 0) remarks.push(labels.join(' · '));
  if (done.note) remarks.push(`you asked: ${done.note}`);
  if (done.missing.length > 0) remarks.push(`headings it lacks: ${done.missing.join(', ')}`);
  return remarks;
}

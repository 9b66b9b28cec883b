/** What is said about a synthesis around its text: its heading, whom it knew as whom, what it lacks. */
import type { Desk, Draft } from './desk.ts';

/** `Synthesis v2 · without Critic (timed out) · 2 of 3 advisors` */
export function headingOf({ version, done }: Draft, desk: Desk): string {
  const parts = [`Synthesis v${version}`];
  if (done !== undefined) {
    const absent = done.excluded.map(({ seat, reason }) => `${desk.nameOf(seat)} (${reason})`);
    if (absent.length > 0) parts.push(`without ${absent.join(', ')}`);
    parts.push(`${done.included.length} of ${done.included.length + absent.length} advisors`);
  }
  return parts.join(' · ');
}

/** One line each, as long as they come. */
export function remarksOf({ done }: Draft, desk: Desk): string[] {
  if (done === undefined) return [];
  const remarks: string[] = [];
  const names = Object.entries(done.labels).map(
    ([label, seat]) => `Advisor ${label} = ${desk.nameOf(seat)}`,
  );
  if (names.length > 0) remarks.push(names.join(' · '));
  if (done.note) remarks.push(`you asked: ${done.note}`);
  if (done.missing.length > 0) remarks.push(`headings it lacks: ${done.missing.join(', ')}`);
  return remarks;
}

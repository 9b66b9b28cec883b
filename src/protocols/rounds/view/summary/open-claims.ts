/**
 * Finds the open claims that a synthesis does not mention, because readers would take the mentioned
 * ones for all.
 */
import { formatCount } from '../../../../text/numbers.ts';
import type { State } from '../../records/state-of.ts';

/** The most ids that are listed. */
const MOST = 12;

/**
 * Names the open claims that a text does not mention: `8 claims are open; the text does not name
 * C-1-4, C-1-5, …`. Returns undefined if the text mentions all open claims.
 */
export function nameOtherOpenClaims(text: string, { claims }: State): string | undefined {
  const named = new Set(text.match(/\bC-\d{1,9}-\d{1,9}\b/g) ?? []);
  const open = claims.flatMap(({ claim, standing }) => (standing === 'open' ? [claim.id] : []));
  const others = open.filter((id) => !named.has(id));
  if (others.length === 0) return undefined;
  const left = others.length - MOST;
  const listed = `${others.slice(0, MOST).join(', ')}${left > 0 ? ` and ${left} others` : ''}`;
  const all = `${formatCount(open.length, 'claim')} ${open.length === 1 ? 'is' : 'are'} open`;
  return others.length < open.length
    ? `${all}; the text does not name ${listed}`
    : `${all}: ${listed}`;
}

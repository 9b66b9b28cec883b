/** What is done about a suspected failure mode: how the next round is held differently. */

import { withoutUndefined } from '../../text/without-undefined.ts';
import type { FailureModeId } from './records/failure-modes.ts';
import type { Records } from './records/records.ts';
import type { Role } from './records/types.ts';

/**
 * How the next round changes because of a suspected failure mode (a way in which a deliberation
 * goes wrong).
 */
interface Response {
  /** The change in a few words, for the log. */
  readonly what: string;
  /** A text that every seat of the next round sees. */
  readonly note?: string;
  /** The role that is left out of the next round. */
  readonly absent?: Role;
  /** How many claims each seat must and may raise in the next round. */
  readonly claims?: { readonly least: number; readonly most: number };
  /** True if no further round is held. */
  readonly end?: true;
}

type Responder = (records: Records, question: string) => Response;

const RESPONSES: Readonly<Record<FailureModeId, Responder>> = {
  'FM-1': () => ({
    what: 'the Critic must name a concrete target; recent decisions are audited',
    note: 'The panel agrees too easily. The Critic attacks one named decision or claim that no test has touched yet. Every seat names one decision of the last rounds that rests on an untested claim.',
  }),
  'FM-2': () => ({
    what: 'an attack without a reproducible failure is ROBUST',
    note: 'Nearly every attack is said to succeed. An attack counts as BROKEN only with a failure that somebody else could reproduce step by step; otherwise it is ROBUST. Say what the earlier BROKEN verdicts have changed.',
  }),
  'FM-3': (_records, question) => ({
    what: 'the original question frames the next round',
    note: `The deliberation has drifted. This is the question, and this round answers it and nothing else: ${question}`,
  }),
  'FM-4': ({ leads }) => {
    const counts = new Map<Role, number>();
    for (const { lead } of leads)
      if (lead !== 'system' && lead !== 'none') counts.set(lead, (counts.get(lead) ?? 0) + 1);
    const dominant = [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
    return {
      what: `the dominant role sits a round out${dominant === undefined ? '' : `: ${dominant}`}`,
      ...withoutUndefined({ absent: dominant }),
    };
  },
  'FM-5': ({ claims, leads }) =>
    claims.length / Math.max(1, leads.length) > 4
      ? { what: 'at most one claim a seat', claims: { least: 0, most: 1 } }
      : { what: 'at least one claim from every seat', claims: { least: 1, most: 2 } },
  'FM-6': () => ({
    what: 'verdicts must rest on more than one place each',
    note: 'The checks have been shallow. The verifier cites the places that decide, from both sides, and names every open claim that a verdict bears on.',
  }),
  'FM-7': () => ({ what: 'the next round is a stress round without the Critic', absent: 'critic' }),
  'FM-8': () => ({ what: 'no more rounds: that it did not converge is a finding', end: true }),
};

/**
 * Returns what the next round should do differently because a failure mode (a known way in which
 * deliberations go wrong) is suspected.
 * @param mode the id of the failure mode, such as `FM-1`
 * @param question the question of the deliberation
 */
export function getResponse(mode: FailureModeId, records: Records, question: string): Response {
  return RESPONSES[mode](records, question);
}

/** Returns whether a text from a log is the id of a known failure mode, such as `FM-1`. */
export function isFailureMode(id: string): id is FailureModeId {
  return Object.hasOwn(RESPONSES, id);
}

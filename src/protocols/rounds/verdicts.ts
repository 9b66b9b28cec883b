/** What a round has put to the test so far, as its seats may read it. */
import { entryOf } from '../../kernel/entry.ts';
import type { Desk, Piece } from './state.ts';

/** This round's verdicts and claims as a piece that the seats may read. */
export function verdicts(desk: Desk, round: number): Piece[] {
  const { verifications, raised } = desk.round(round);
  const lines = [
    ...verifications.map(
      ({ id, check, result, notes, evidence_refs }) =>
        `${id} ${check}: ${result}. ${notes} (${evidence_refs.join(', ')})`,
    ),
    ...raised.flatMap((id) => {
      const claim = entryOf(desk.view.claims, id);
      return claim === undefined
        ? []
        : [`${id} (${claim.raised_by}, ${claim.status}): ${claim.text}`];
    }),
  ];
  return lines.length === 0 ? [] : [{ from: 'the verifier and the log', text: lines.join('\n') }];
}

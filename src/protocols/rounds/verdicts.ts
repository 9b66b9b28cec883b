/** What a round has put to the test so far, as its seats may read it: what became of claims is the state's to tell. */
import { CHECKS } from './records/types.ts';
import type { Piece, RoundsRun } from './rounds-run.ts';

/** This round's verdicts as a piece that the seats may read. */
export function verdicts(roundsRun: RoundsRun, round: number): Piece[] {
  const lines = roundsRun
    .round(round)
    .verifications.map(({ id, check, result, notes, evidence_refs }) =>
      [
        `${id} ${check}: ${result}. ${notes}`,
        ...(CHECKS.some((one) => one === check) && evidence_refs.length > 0
          ? [`(${evidence_refs.join(', ')})`]
          : []),
      ].join(' '),
    );
  return lines.length === 0 ? [] : [{ from: 'the verifier and the log', text: lines.join('\n') }];
}

/**
 * The second half of phase F: the verifier says which claims the verdicts bear on, and code moves the
 * claims. The verifier never names a status.
 */

import type { Reply } from '../../kernel/call.ts';
import { entryOf } from '../../kernel/entry.ts';
import { type FactBody, fact } from './facts.ts';
import type { ClaimView, VerificationView } from './fold.ts';
import { type Bearing, bearingsSchema, bearingsTask } from './prompts/claims.ts';
import { recordsOf } from './records/of-run.ts';
import { applyVerification, usedRefs } from './records/transitions.ts';
import type { Desk } from './state.ts';

/** Open claims put before the verifier at a time, newest first: more would not be weighed. */
const CLAIMS_SHOWN = 24;

/** Which claims are still worth testing. */
function isOpen({ status }: ClaimView): boolean {
  return status === 'pending' || status === 'tested_unclear';
}

/** After a round's checks: its verdicts against the open claims. */
export function moveClaims(desk: Desk, round: number): Promise<void> {
  return weigh(desk, round, 'F', desk.round(round).verifications, isOpen);
}

/** In the synthesis round: what is still pending, against every verdict since it was raised. */
export async function settleClaims(desk: Desk, last: number): Promise<void> {
  const pending = Object.values(desk.view.claims).filter(({ status }) => status === 'pending');
  const oldest = Math.min(...pending.map(({ round }) => round));
  const verdicts = desk.view.rounds
    .filter(({ round }) => round >= oldest)
    .flatMap(({ verifications }) => verifications);
  await weigh(desk, last, 'synthesis', verdicts, ({ status }) => status === 'pending');
}

async function weigh(
  desk: Desk,
  round: number,
  phase: string,
  verifications: readonly VerificationView[],
  wanted: (claim: ClaimView) => boolean,
): Promise<void> {
  const verdicts = verifications.filter(({ result }) => result !== 'NOT_APPLICABLE');
  const open = Object.values(desk.view.claims).filter(wanted).slice(-CLAIMS_SHOWN);
  if (verdicts.length === 0 || open.length === 0) return;
  const schema = bearingsSchema(
    verdicts.map(({ id }) => id),
    open.map(({ id }) => id),
  );
  const reply = await desk.ask(`${phase}/bearings`, desk.verifier, round, {
    kind: 'bearings',
    pieces: [
      ...verdicts.map(({ id, check, result, notes }) => ({
        from: id,
        text: `${check}: ${result}. ${notes}`,
      })),
      ...open.map(({ id, text, testable_as }) => ({
        from: id,
        text: `${text}\nDecided by: ${testable_as}`,
      })),
    ],
    schema,
    task: bearingsTask(),
  });
  const facts = moves(desk, round, verdicts, bearingsOf(reply, schema));
  await desk.record(`round-${round}/${phase}/moves`, facts);
}

function bearingsOf(reply: Reply, schema: ReturnType<typeof bearingsSchema>): Bearing[] {
  const parsed = schema.safeParse(reply.status === 'done' ? reply.value : undefined);
  return parsed.success ? parsed.data.bearings : [];
}

/** The moves that follow, verdict by verdict in the order in which they were given. */
function moves(
  desk: Desk,
  round: number,
  verdicts: readonly VerificationView[],
  bearings: readonly Bearing[],
): FactBody[] {
  const records = recordsOf(desk.view);
  let claims = records.claims;
  let used = usedRefs(records.verifications);
  const facts: FactBody[] = [];
  for (const verdict of verdicts) {
    const own = bearings.filter(
      ({ verification, claim }) =>
        verification === verdict.id &&
        (entryOf(desk.view.claims, claim)?.round ?? 0) <= verdict.round,
    );
    const applied = applyVerification(
      claims,
      {
        ...verdict,
        bearings: own.map(({ claim, stance, bearing }) => ({ claim_id: claim, stance, bearing })),
      },
      used,
    );
    claims = applied.claims;
    used = applied.usedRefs;
    for (const { claim_id, from, to, stance, bearing } of applied.verification
      .claim_status_changes ?? [])
      facts.push(
        fact('claim.moved', {
          claim: claim_id,
          round,
          from,
          to,
          verification: verdict.id,
          why: own.find(({ claim }) => claim === claim_id)?.why ?? '',
          ...(stance === undefined ? {} : { stance }),
          ...(bearing === undefined ? {} : { bearing }),
        }),
      );
  }
  return facts;
}

/**
 * Rules for the history of claims' statuses. Each change starts at the status before, follows from
 * its verdict, and rests on new evidence. The claim's own line has the last status.
 */
import { deduplicateRefs } from '../anchors.ts';
import { CLAIMS_FILE, VERIFICATIONS_FILE } from '../layout.ts';
import type { ErrorRule, GuardedRule, Problem } from '../problem.ts';
import type { FolderReading } from '../read.ts';
import { findNamedClaims, type Move } from '../timeline.ts';
import { explainBarred, getNextStatus, MIN_REFS } from '../transitions.ts';
import { type Claim, type ClaimStatus, isDecidedStatus } from '../types.ts';
import type { Context } from './context.ts';

interface StatusFindings {
  readonly errors: Problem<ErrorRule>[];
  readonly guarded: Problem<GuardedRule>[];
}

/** Checks that every status change of a claim is allowed, and that the claim has the status to which they lead. */
export function checkStatuses(context: Context): StatusFindings {
  const { records, lineOf, torn, history } = context;
  const traced = tracedClaims(records.verifications);
  const errors: Problem<ErrorRule>[] = [];
  const guarded: Problem<GuardedRule>[] = [];
  for (const claim of records.claims) {
    const moves = history.moves.get(claim.id) ?? [];
    const whole = !torn.has(VERIFICATIONS_FILE) && (traced.get(claim.id) ?? true);
    for (const { move, rule, message } of wrongMoves(claim, moves, context, whole)) {
      const { verification } = move;
      const line = lineOf.get(verification) ?? 0;
      errors.push({ file: VERIFICATIONS_FILE, line, id: verification.id, rule, message });
    }
    if (!whole) continue;
    const end = moves.at(-1)?.change.to ?? 'pending';
    const at = { file: CLAIMS_FILE, line: lineOf.get(claim) ?? 0, id: claim.id };
    const tested = history.tested.has(claim.id);
    // Since edition 2 of the rules, each status change is recorded. In older records, a verdict may
    // have changed a claim without recording the change.
    const moved = context.strict ? end !== 'pending' : tested;
    const ending = compareStatus(claim, end, tested, moved);
    if (ending === undefined) continue;
    if ('error' in ending) errors.push({ ...at, rule: ending.error, message: ending.message });
    else guarded.push({ ...at, rule: ending.guarded, message: ending.message });
  }
  return { errors, guarded };
}

/** Returns for each claim whether all verifications about it record their changes. */
function tracedClaims(
  verifications: FolderReading['records']['verifications'],
): Map<string, boolean> {
  const traced = new Map<string, boolean>();
  for (const verification of verifications)
    for (const id of findNamedClaims(verification))
      traced.set(id, (traced.get(id) ?? true) && verification.claim_status_changes !== undefined);
  return traced;
}

interface WrongMove {
  readonly move: Move;
  readonly rule: ErrorRule;
  readonly message: string;
}

/**
 * Reports invalid changes of a claim. `whole` is true if no change is missing, so that each must
 * start where the last one ended.
 */
function* wrongMoves(
  claim: Claim,
  moves: readonly Move[],
  { history, strict }: Context,
  whole: boolean,
): Generator<WrongMove> {
  const used = new Set<string>();
  let status: ClaimStatus = 'pending';
  for (const move of moves) {
    const { change, verification } = move;
    if (whole && change.from !== status)
      yield { move, rule: 'wrong-from', message: `${claim.id} was ${status}, not ${change.from}` };
    const replaced =
      claim.status === 'superseded'
        ? (claim.superseded_in ?? history.superseded.get(claim.id))
        : undefined;
    const illegal =
      replaced !== undefined && replaced < verification.round
        ? `it was superseded in round ${replaced}`
        : strict && change.to !== 'superseded'
          ? explainBarred(change, verification)
          : whyIllegal(move);
    if (illegal !== undefined) {
      const message = `${claim.id} cannot become ${change.to}: ${illegal}`;
      yield { move, rule: 'illegal-transition', message };
    }
    const refs = deduplicateRefs(verification.evidence_refs);
    if (change.from !== change.to && refs.length >= MIN_REFS && refs.every((ref) => used.has(ref)))
      yield {
        move,
        rule: 'no-new-evidence',
        message: `${claim.id} moves to ${change.to}, but every ref has moved it before`,
      };
    for (const ref of refs) used.add(ref);
    status = change.to;
  }
}

function whyIllegal({ change, verification }: Move): string | undefined {
  const { from, to, stance, bearing } = change;
  const { result } = verification;
  if (from === to) return undefined;
  if (to === 'pending') return 'a claim that was tested stays tested';
  if (from === 'superseded') return 'it is superseded';
  if (to === 'superseded')
    return from === 'pending' ? 'it has to be tested before it is superseded' : undefined;
  if (result === 'NOT_APPLICABLE') return 'NOT_APPLICABLE changes nothing';
  if (result === 'UNCLEAR' && to !== 'tested_unclear') return 'UNCLEAR makes it tested_unclear';
  if (stance === undefined || bearing === undefined) return undefined;
  const due = getNextStatus(result, stance, bearing, MIN_REFS);
  return due === to
    ? undefined
    : `${result} on ${bearing === 'whole' ? 'the whole' : 'a part'} of a claim that ${stance} makes it ${due}`;
}

type Ending =
  | { readonly error: ErrorRule; readonly message: string }
  | { readonly guarded: GuardedRule; readonly message: string };

/**
 * Returns how a claim's own line contradicts the status to which its changes lead, or undefined if it does not. A
 * claim that no verification affects is left to another rule.
 */
function compareStatus(
  claim: Claim,
  end: ClaimStatus,
  tested: boolean,
  moved: boolean,
): Ending | undefined {
  const { id, status } = claim;
  if (status === end) return undefined;
  if (status === 'superseded')
    return moved
      ? undefined
      : {
          error: 'illegal-transition',
          message: `${id} was superseded while pending: it has to be tested first`,
        };
  if (status === 'pending')
    // Since edition 2 of the rules, a decided claim that is still `pending` in claims.jsonl is an error. Older records
    // get a warning: the scripts of the original method of rounds never update claims.jsonl.
    return {
      guarded: 'stale-status',
      message: `${id} is ${end} by its verifications; that counts`,
    };
  if (end === 'pending')
    return isDecidedStatus(status) && tested
      ? {
          guarded: 'untraced-status',
          message: `no verification records how ${id} became ${status}`,
        }
      : undefined;
  return { error: 'status-mismatch', message: `${id} is ${end} by its verifications` };
}

/**
 * Rules for verifications: their claims exist, and their evidence existed by then and can be
 * opened.
 */
import { deduplicateRefs } from '../anchors.ts';
import { roundOfId, roundOfPath, sourcePath } from '../layout.ts';
import { findNamedClaims } from '../timeline.ts';
import { MIN_REFS } from '../transitions.ts';
import type { Verification } from '../types.ts';
import {
  type Context,
  type Errors,
  makeVerificationReporter,
  type ProblemMaker,
} from './context.ts';
import { checkRound } from './ids.ts';
import { makeRecordFinder } from './lines.ts';

/** Checks every verification: its id, its citations and the claims that it changes. */
export function* checkVerifications(context: Context): Errors {
  const { records, known } = context;
  const held = makeRecordFinder(context);
  const looked = new Map((records.sources ?? []).map(({ id, round }) => [sourcePath(id), round]));
  for (const verification of records.verifications) {
    const say = makeVerificationReporter(context, verification);
    yield* checkRound(say, 'V', verification);
    for (const id of findNamedClaims(verification))
      if (!known.claim(id)) yield say('unknown-claim', `there is no claim ${id}`);
    const listed = new Set(verification.claims_affected);
    for (const { claim_id } of verification.claim_status_changes ?? [])
      if (!listed.has(claim_id))
        yield say('unlisted-claim', `it moves ${claim_id}, which is not in its claims_affected`);
    if (verification.result === 'NOT_APPLICABLE') continue;
    const refs = deduplicateRefs(verification.evidence_refs);
    if (refs.length < MIN_REFS) {
      const repeated = verification.evidence_refs.length > refs.length ? ' different' : '';
      yield say('too-few-refs', `${refs.length}${repeated} evidence refs, ${MIN_REFS} needed`);
    }
    for (const ref of refs) yield* checkRef(context, say, verification, ref, held, looked);
  }
}

function* checkRef(
  { resolve, torn }: Context,
  say: ProblemMaker,
  verification: Verification,
  ref: string,
  held: ReturnType<typeof makeRecordFinder>,
  /** The rounds in which tool results were found, by path. */
  looked: ReadonlyMap<string, number>,
): Errors {
  const found = resolve(ref);
  if (found.state === 'no-file') {
    yield say(
      'missing-file',
      found.outside ? `${ref} leads out of the folder` : `${found.path} does not exist`,
    );
    return;
  }
  if (found.state === 'no-anchor') {
    // Report no missing anchor if the cited file has unreadable lines, because one of these lines may contain the
    // anchor.
    if (torn.has(found.path)) return;
    const hint = found.near.length > 0 ? `; there is #${found.near.join(', #')}` : '';
    yield say('missing-anchor', `${found.path} has no #${found.anchor}${hint}`);
    return;
  }
  const { path, anchor, lines } = found;
  const id = (lines === undefined ? undefined : held(path, lines[0])) ?? anchor;
  const [kind] = id;
  const round =
    looked.get(path) ??
    roundOfPath(path) ??
    (path.endsWith('.jsonl') && (kind === 'C' || kind === 'V' || kind === 'D')
      ? roundOfId(kind, id)
      : undefined);
  if (round !== undefined && round > verification.round)
    yield say(
      'later-evidence',
      `${ref} is of round ${round}, and this is round ${verification.round}`,
    );
}

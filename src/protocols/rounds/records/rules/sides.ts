/**
 * Checks that verdicts cite the artifacts that they compare. A verdict that cites only one of two
 * artifacts is an opinion.
 */
import { createEvidenceCheck, deduplicateRefs, splitRef } from '../anchors.ts';
import { COMPARED_ROLES } from '../checks.ts';
import { artifactAt } from '../layout.ts';
import { MIN_REFS } from '../transitions.ts';
import { CONCEDED, type Role, type Verification } from '../types.ts';
import { type Context, type Guarded, makeVerificationReporter } from './context.ts';

/** Checks that every verdict cites the artifacts of all roles that its check compares. */
export function* checkComparedRoles(context: Context): Guarded {
  const telling = tellingPlaces(context);
  for (const one of context.records.verifications) {
    if (one.result === 'NOT_APPLICABLE' || one.degraded !== undefined) continue;
    if (one.check === CONCEDED) yield* checkConceded(context, one);
    else if (COMPARED_ROLES[one.check].length > 0) yield* checkCompared(context, one, telling);
  }
}

function* checkCompared(
  context: Context,
  one: Verification,
  telling: (path: string, anchor: string) => boolean,
): Guarded {
  const say = makeVerificationReporter(context, one);
  const sides = COMPARED_ROLES[one.check];
  const refs = deduplicateRefs(one.evidence_refs);
  const cited = new Set<Role>();
  for (const ref of refs) {
    const { path, anchor } = splitRef(ref);
    const role = artifactAt(path)?.role;
    // Report nothing if an artifact has an unknown name: another program may have written it, and its role is
    // unknown then.
    if (role === undefined && path.startsWith('artifacts/') && !context.strict) return;
    if (role === undefined) continue;
    // Accept a citation that leads nowhere, because another rule reports it.
    const counts = !context.strict || telling(path, anchor) || context.resolve(ref).state !== 'ok';
    if (!sides.includes(role))
      yield say(
        'wrong-role',
        `${ref} is the ${role}'s; ${one.check} compares ${sides.join(' and ')}`,
      );
    else if (counts) cited.add(role);
  }
  const missing = sides.filter((role) => !cited.has(role));
  if (missing.length === 0 || refs.length < MIN_REFS) return;
  const least = context.strict ? 'place that is evidence (not a title or a grade)' : 'place';
  yield say('one-sided', `${one.check} cites no ${least} of the ${missing.join(', none of the ')}`);
}

/** Checks that a withdrawal cites the artifact of the claim's own seat in this round. */
function* checkConceded(context: Context, one: Verification): Guarded {
  const places = one.evidence_refs.map((ref) => artifactAt(splitRef(ref).path));
  for (const { claim_id } of one.claim_status_changes ?? []) {
    const claim = context.claims.get(claim_id);
    if (claim === undefined) continue;
    if (places.some((at) => at?.role === claim.raised_by && at.round === one.round)) continue;
    yield makeVerificationReporter(context, one)(
      'wrong-role',
      `only the ${claim.raised_by} can take ${claim_id} back, in its artifact of round ${one.round}`,
    );
  }
}

/**
 * Returns a function that tells whether a verdict may rest on a place. Each artifact is read once.
 */
function tellingPlaces({ folder }: Context): (path: string, anchor: string) => boolean {
  const read = new Map<string, (anchor: string) => boolean>();
  return (path, anchor) => {
    const tells = read.get(path) ?? createEvidenceCheck(folder.get(path) ?? '');
    read.set(path, tells);
    return tells(anchor);
  };
}

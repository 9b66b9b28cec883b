/**
 * Checks that verdicts cite the artifacts that they compare. A verdict that cites only one of two
 * artifacts is an opinion.
 */
import { createEvidenceCheck, deduplicateRefs, splitRef } from '../anchors.ts';
import { COMPARED_ROLES } from '../checks.ts';
import { parseArtifactPath } from '../layout.ts';
import { MIN_REFS } from '../transitions.ts';
import { CONCEDED, type Role, type Verification } from '../types.ts';
import { type Context, type Guarded, makeVerificationReporter } from './context.ts';

/**
 * Checks that every verdict cites the artifacts of all roles that its check compares, and no artifact of another role.
 * Checks that a withdrawal cites the artifact of the role that withdraws its claim.
 */
export function* checkComparedRoles(context: Context): Guarded {
  const telling = tellingPlaces(context);
  for (const verification of context.records.verifications) {
    if (verification.result === 'NOT_APPLICABLE' || verification.degraded !== undefined) continue;
    if (verification.check === CONCEDED) yield* checkConceded(context, verification);
    else if (COMPARED_ROLES[verification.check].length > 0)
      yield* checkCompared(context, verification, telling);
  }
}

function* checkCompared(
  context: Context,
  verification: Verification,
  telling: (path: string, anchor: string) => boolean,
): Guarded {
  const say = makeVerificationReporter(context, verification);
  const sides = COMPARED_ROLES[verification.check];
  const refs = deduplicateRefs(verification.evidence_refs);
  const cited = new Set<Role>();
  for (const ref of refs) {
    const { path, anchor } = splitRef(ref);
    const role = parseArtifactPath(path)?.role;
    const isUnknownArtifact = role === undefined && path.startsWith('artifacts/');
    // Other programs may name artifacts differently in records of the first edition.
    if (isUnknownArtifact && !context.strict) return;
    if (role === undefined) continue;
    // If a verification cites a missing place in a role's artifact, count the role as cited. Another rule reports the
    // missing place, and one mistake is to be reported once.
    const counts = !context.strict || telling(path, anchor) || context.resolve(ref).state !== 'ok';
    if (!sides.includes(role))
      yield say(
        'wrong-role',
        `${ref} is the ${role}'s; ${verification.check} compares ${sides.join(' and ')}`,
      );
    else if (counts) cited.add(role);
  }
  const missing = sides.filter((role) => !cited.has(role));
  if (missing.length === 0 || refs.length < MIN_REFS) return;
  const least = context.strict ? 'place that is evidence (not a title or a grade)' : 'place';
  yield say(
    'one-sided',
    `${verification.check} cites no ${least} of the ${missing.join(', none of the ')}`,
  );
}

/** Checks that a withdrawal cites an artifact, from the same round, of the role that raised the claim. */
function* checkConceded(context: Context, verification: Verification): Guarded {
  const places = verification.evidence_refs.map((ref) => parseArtifactPath(splitRef(ref).path));
  for (const { claim_id } of verification.claim_status_changes ?? []) {
    const claim = context.claims.get(claim_id);
    if (claim === undefined) continue;
    if (places.some((at) => at?.role === claim.raised_by && at.round === verification.round))
      continue;
    yield makeVerificationReporter(context, verification)(
      'wrong-role',
      `only the ${claim.raised_by} can take ${claim_id} back, in its artifact of round ${verification.round}`,
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

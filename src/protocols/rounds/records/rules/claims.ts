/** Rules for single claims, and for the claims that they name. */
import { splitRef } from '../anchors.ts';
import { CLAIMS_FILE, parseArtifactPath, VERIFICATIONS_FILE } from '../layout.ts';
import { hasVisibleText } from '../said.ts';
import { findNamedClaims } from '../timeline.ts';
import { isDecidedStatus } from '../types.ts';
import { type Context, type Errors, type Guarded, makeClaimReporter } from './context.ts';
import { checkRound } from './ids.ts';

/** Checks every claim: its id, text, test and status, and the claims that it supersedes or contradicts. */
export function* checkClaims(context: Context): Errors {
  const { records, known, torn } = context;
  const { claims, verifications } = records;
  const affected = new Set(
    verifications.flatMap((verification) => [...findNamedClaims(verification)]),
  );
  /** For each superseded claim, by its id: the index of the last claim that supersedes it. */
  const superseders = new Map<string, number>();
  for (const [index, { supersedes }] of claims.entries())
    if (supersedes !== undefined) superseders.set(supersedes, index);
  yield* checkSupersession(context);
  for (const [index, claim] of claims.entries()) {
    const say = makeClaimReporter(context, claim);
    yield* checkRound(say, 'C', claim);
    if (!hasVisibleText(claim.text)) yield say('empty-text', `${claim.id} says nothing`);
    if (!hasVisibleText(claim.testable_as))
      yield say('not-testable', `nothing says what would settle ${claim.id}`);
    for (const [verb, id] of [
      ['supersedes', claim.supersedes],
      ['challenges', claim.challenges],
    ] as const)
      if (id !== undefined && !known.claim(id))
        yield say('unknown-claim', `it ${verb} ${id}, which does not exist`);
    const replaced = torn.has(CLAIMS_FILE) || (superseders.get(claim.id) ?? -1) > index;
    if (claim.status === 'superseded' && !replaced)
      yield say('no-superseder', `no later claim supersedes ${claim.id}`);
    const seen = torn.has(VERIFICATIONS_FILE) || affected.has(claim.id);
    if (isDecidedStatus(claim.status) && !seen)
      yield say('untested-claim', `${claim.id} is ${claim.status}, but no verification affects it`);
  }
}

/**
 * Reports claims that supersede themselves through others. Each circle is reported once, at its
 * first claim.
 */
function* checkSupersession(context: Context): Errors {
  const before = new Map(context.records.claims.map(({ id, supersedes }) => [id, supersedes]));
  const done = new Set<string>();
  for (const claim of context.records.claims) {
    const path: string[] = [];
    for (let id: string | undefined = claim.id; id !== undefined && !done.has(id); ) {
      done.add(id);
      path.push(id);
      id = before.get(id);
      const start = id === undefined ? -1 : path.indexOf(id);
      if (start < 0) continue;
      const circle = path.slice(start);
      const at = context.claims.get(circle[0] ?? '') ?? claim;
      const message =
        circle.length === 1
          ? `${at.id} supersedes itself`
          : `claims supersede each other in a circle: ${[...circle, at.id].join(' → ')}`;
      yield makeClaimReporter(context, at)('circular-supersession', message);
    }
  }
}

/**
 * Checks that each claim was raised by a role of the panel, in the artifact of this role and in its
 * own round.
 */
export function* checkOrigins(context: Context): Guarded {
  const { claims, roles } = context.records;
  for (const claim of claims) {
    if (!roles.includes(claim.raised_by))
      yield makeClaimReporter(context, claim)(
        'unknown-seat',
        `it is raised by the ${claim.raised_by}, who is not among the roles of the run`,
      );
    const artifact = parseArtifactPath(splitRef(claim.raised_at_artifact ?? '').path);
    if (artifact === undefined) continue;
    const { role, round } = artifact;
    if (role === claim.raised_by && round === claim.round) continue;
    yield makeClaimReporter(context, claim)(
      'raised-elsewhere',
      `it is the ${claim.raised_by}'s of round ${claim.round}, but was raised in the ${role}'s artifact of round ${round}`,
    );
  }
}

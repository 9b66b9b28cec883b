/** What is lawful and still worth a look, or what a foreign folder lacks for everything to be checked. */
import { differentRefs, type Resolution } from './anchors.ts';
import { needs } from './checks.ts';
import {
  artifactAt,
  CLAIMS_FILE,
  DECISIONS_FILE,
  LEADS_FILE,
  RUN_FILE,
  VERIFICATIONS_FILE,
} from './layout.ts';
import type { Problem, WarningRule } from './problem.ts';
import type { Reading } from './read.ts';
import { INFLATED } from './thresholds.ts';
import { count } from './trend.ts';
import { isTested } from './types.ts';

type Warnings = Generator<Problem<WarningRule>>;

export function warningsOf(
  reading: Reading,
  resolve: (ref: string) => Resolution,
): Problem<WarningRule>[] {
  return [
    ...unrecorded(reading),
    ...claimWarnings(reading, resolve),
    ...verificationWarnings(reading),
    ...decisionWarnings(reading, resolve),
    ...stressWarnings(reading),
  ];
}

/** What the folder does not tell, and which rules or signals that leaves open. */
function* unrecorded({ records }: Reading): Warnings {
  const { claims, verifications, leads, budget } = records;
  const silent = verifications.filter((one) => one.claim_status_changes === undefined).length;
  if (silent > 0 && claims.some(({ status }) => isTested(status)))
    yield {
      ...whole(VERIFICATIONS_FILE, 'no-status-changes'),
      message: `${silent} of ${count(verifications.length, 'verification')} record no claim_status_changes: where claims moved from is not checked there`,
    };
  if (leads.length === 0 && verifications.length > 0)
    yield {
      ...whole(LEADS_FILE, 'no-lead-history'),
      message: 'who led and who was absent is not known: signals 3 and 4 cannot be read',
    };
  if (budget === undefined)
    yield {
      ...whole(RUN_FILE, 'no-budget'),
      message: 'how many rounds were planned is not known: an overrun cannot be seen',
    };
}

function* claimWarnings(
  { records, lineOf }: Reading,
  resolve: (ref: string) => Resolution,
): Warnings {
  const raised = new Map<number, number>();
  for (const claim of records.claims) {
    const at = { file: CLAIMS_FILE, line: lineOf.get(claim) ?? 0, id: claim.id };
    const number = (raised.get(claim.round) ?? 0) + 1;
    raised.set(claim.round, number);
    if (number === INFLATED + 1)
      yield {
        ...at,
        rule: 'claim-inflation',
        message: `round ${claim.round} raises more than ${INFLATED} claims`,
      };
    const ref = claim.raised_at_artifact;
    if (ref !== undefined && resolve(ref).state !== 'ok')
      yield { ...at, rule: 'missing-artifact', message: `${ref} does not exist` };
  }
}

function* verificationWarnings({ records, lineOf }: Reading): Warnings {
  for (const one of records.verifications) {
    const at = { file: VERIFICATIONS_FILE, line: lineOf.get(one) ?? 0, id: one.id };
    const listed = new Set(one.claims_affected);
    for (const { claim_id } of one.claim_status_changes ?? [])
      if (!listed.has(claim_id))
        yield {
          ...at,
          rule: 'unlisted-claim',
          message: `it moves ${claim_id}, which is not in its claims_affected`,
        };
    if (one.result === 'NOT_APPLICABLE') continue;
    for (const ref of differentRefs(one.evidence_refs))
      if (!ref.includes('#'))
        yield { ...at, rule: 'ref-without-anchor', message: `${ref} names no place in the file` };
  }
}

function* decisionWarnings(
  { records, lineOf }: Reading,
  resolve: (ref: string) => Resolution,
): Warnings {
  const { claims, verifications, decisions } = records;
  const made = new Map(
    [...claims, ...verifications, ...decisions].map(({ id, round }) => [id, round]),
  );
  for (const decision of decisions) {
    const at = { file: DECISIONS_FILE, line: lineOf.get(decision) ?? 0, id: decision.id };
    for (const { id } of decision.cites)
      if (id === decision.id || (made.get(id) ?? 0) > decision.round)
        yield { ...at, rule: 'cites-later', message: `it cites ${id}, which did not exist then` };
    for (const ref of decision.round_artifact_refs)
      if (resolve(ref).state !== 'ok')
        yield { ...at, rule: 'missing-artifact', message: `${ref} does not exist` };
  }
}

/** A role that was to be absent and was not: failure mode 7, seen from the records. */
function* stressWarnings({ records, lineOf }: Reading): Warnings {
  const absent = new Map(
    records.leads.flatMap((lead) =>
      lead.is_stress && lead.absent_agent !== null
        ? [[lead.round, lead.absent_agent] as const]
        : [],
    ),
  );
  for (const path of records.artifacts ?? []) {
    const artifact = artifactAt(path);
    if (artifact !== undefined && absent.get(artifact.round) === artifact.role)
      yield {
        ...whole(path, 'absent-role-artifact'),
        message: `round ${artifact.round} was to be held without the ${artifact.role}`,
      };
  }
  for (const one of records.verifications) {
    const role = absent.get(one.round);
    if (role === undefined || one.result === 'NOT_APPLICABLE' || !needs(one.check, role)) continue;
    yield {
      file: VERIFICATIONS_FILE,
      line: lineOf.get(one) ?? 0,
      id: one.id,
      rule: 'absent-role-verdict',
      message: `${one.check} is ${one.result} though the ${role} was absent`,
    };
  }
}

function whole(file: string, rule: WarningRule): Omit<Problem<WarningRule>, 'message'> {
  return { file, line: 0, id: '', rule };
}

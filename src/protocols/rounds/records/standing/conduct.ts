/**
 * Finds what went wrong in how a run was held, as far as single records show it. If it happens
 * often, a failure mode is suspected as well; the rest is only listed in the retrospective.
 */
import { formatCount } from '../../../../text/numbers.ts';
import { normalizeRef } from '../anchors.ts';
import { comparesRole } from '../checks.ts';
import { DECISIONS_FILE, parseArtifactPath } from '../layout.ts';
import type { DriftCheck, Records } from '../records.ts';
import { isVerdict, listFinishedRounds } from '../timeline.ts';
import type { LeadEntry, Role, Verification } from '../types.ts';
import { findRepeatedFacts } from './facts.ts';

const CONDUCT = [
  'contradicted-decision',
  'drift-passed',
  'one-sided-evidence',
  'attack-without-reach',
  'attack-without-hypothesis',
  'no-objection',
  'mostly-facts',
  'degraded-verdicts',
] as const;
/** Something that went wrong in how the deliberation was held, such as an attack without a hypothesis. */
export interface Conduct {
  readonly id: (typeof CONDUCT)[number];
  /** The round. Absent if the whole run is meant. */
  readonly round?: number | undefined;
  readonly why: string;
}

/** The deviation, of 5, from which a drift check has not passed, whatever its verdict. */
const DEVIATION_LIMIT = 3;

/** The fewest claims for which a role can be said to repeat the text. The value was chosen for this program. */
const CLAIMS_OF_A_SEAT = 4;

/**
 * Lists what went wrong in how a deliberation was held, such as an attack without a hypothesis, in the order of
 * rounds. Remarks on the whole run come last. Before edition 2 of the rules, the only remark is how many of the
 * verifier's answers failed a check.
 */
export function listConduct(records: Records): Conduct[] {
  const { rules, verifications, drifts } = records;
  if (rules !== 2) return findDegraded(records);
  const notes: Conduct[] = [
    ...verifications.flatMap((verification) => [
      ...findContradicted(verification, records),
      ...oneSided(verification, records),
      ...findUnreached(verification, records),
    ]),
    ...drifts.flatMap((drift) => passedOff(drift)),
    ...findUnfoundedAttacks(records),
    ...findMissingObjections(records),
  ];
  return [
    ...notes.sort((left, right) => (left.round ?? 0) - (right.round ?? 0)),
    ...mostlyFacts(records),
    ...findDegraded(records),
  ];
}

/**
 * Returns the verdict of a drift check. Since edition 2 of the rules, a PASS with a deviation of 3
 * or more counts as FAIL.
 */
export function judgeDrift(
  { verdict, deviation_score = 0 }: DriftCheck,
  { rules }: Pick<Records, 'rules'>,
): DriftCheck['verdict'] {
  return rules === 2 && verdict === 'PASS' && deviation_score >= DEVIATION_LIMIT ? 'FAIL' : verdict;
}

function passedOff(drift: DriftCheck): Conduct[] {
  if (judgeDrift(drift, { rules: 2 }) === drift.verdict) return [];
  const why = `the drift check of round ${drift.round} says PASS with a deviation of ${drift.deviation_score} of 5: it counts as FAIL`;
  return [{ id: 'drift-passed', round: drift.round, why }];
}

/**
 * Returns a remark if check 4 found that an earlier decision was contradicted without a word about it. The remark says
 * which cited decisions the same round then overturned: the check precedes the decisions of its round. If it
 * overturned some, the remark also names the cited decisions that still stand.
 */
function findContradicted(verdict: Verification, { decisions }: Records): Conduct[] {
  const { id, round, check, result, degraded } = verdict;
  if (check !== 'all_vs_prior_decisions' || result !== 'BROKEN' || degraded !== undefined)
    return [];
  const cited = decisions.filter((_one, at) =>
    verdict.evidence_refs.includes(`${DECISIONS_FILE}#L${at + 1}`),
  );
  const overturned = decisions
    .filter((decision) => decision.round === round)
    .flatMap((decision) =>
      decision.cites.flatMap((cite) =>
        cite.relation === 'supersedes' && cited.some((other) => other.id === cite.id)
          ? [{ by: decision.id, id: cite.id }]
          : [],
      ),
    );
  const kept = cited.filter((decision) => !overturned.some((other) => other.id === decision.id));
  const named = [
    ...overturned.map((entry) => `${entry.by} then overturned ${entry.id} by name`),
    ...(overturned.length === 0
      ? []
      : kept.map((decision) => `${decision.id}, which it cites too, stands`)),
  ];
  const why = `what was proposed and handed in in round ${round} contradicts an earlier decision without naming it (${id})`;
  return [{ id: 'contradicted-decision', round, why: [why, ...named].join('; ') }];
}

function oneSided(verification: Verification, { roles }: Records): Conduct[] {
  const missing = findUncitedRoles(verification, roles);
  if (missing.length === 0) return [];
  const why = `${verification.id} cites nothing of the ${missing.join(' and the ')}, which it compares`;
  return [{ id: 'one-sided-evidence', round: verification.round, why }];
}

/**
 * Returns the roles that a verdict's check compares, but whose artifacts the verdict does not cite.
 */
export function findUncitedRoles(verification: Verification, roles: readonly Role[]): Role[] {
  const sides = roles.filter((role) => comparesRole(verification.check, role));
  if (!isVerdict(verification) || sides.length === 0) return [];
  const cited = new Set(
    verification.evidence_refs.map(
      (ref) => parseArtifactPath(normalizeRef(ref).split('#')[0] ?? '')?.role,
    ),
  );
  return sides.filter((role) => !cited.has(role));
}

/**
 * Returns a remark if Critic and Action both handed in, and the verifier found that the attack
 * concerns no step.
 */
function findUnreached(
  { id, round, check, result, degraded: why }: Verification,
  { artifacts = [] }: Records,
): Conduct[] {
  const hasHandedIn = (role: Role) =>
    artifacts.some((path) => {
      const artifact = parseArtifactPath(path);
      return artifact?.round === round && artifact.role === role;
    });
  if (check !== 'critic_attack_on_action_trace' || result !== 'NOT_APPLICABLE') return [];
  if (why !== undefined || !hasHandedIn('critic') || !hasHandedIn('action')) return [];
  return [
    {
      id: 'attack-without-reach',
      round,
      why: `the Critic's attack of round ${round} reaches no step of the traces (${id})`,
    },
  ];
}

/**
 * The fewest letters and digits of a real hypothesis; "none" and "n/a" have fewer. The value was chosen for this
 * program.
 */
const LEAST_SAID = 8;

/**
 * Returns a remark for each attack of the Critic without a hypothesis, or with its target as the
 * hypothesis.
 */
function findUnfoundedAttacks({ attacks = [] }: Records): Conduct[] {
  return attacks.flatMap(({ round, target, hypothesis }): Conduct[] => {
    const said = toLettersAndDigits(hypothesis);
    if (said.length >= LEAST_SAID && said !== toLettersAndDigits(target)) return [];
    const how =
      said === toLettersAndDigits(target) && said !== '' ? 'has its target for a' : 'names no';
    const why = `the Critic's attack of round ${round} ${how} hypothesis`;
    return [{ id: 'attack-without-hypothesis', round, why }];
  });
}

function toLettersAndDigits(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function findMissingObjections({ unobjecting: silent = [] }: Records): Conduct[] {
  return silent.map(({ round, role }) => ({
    id: 'no-objection',
    round,
    why: `the ${role} was asked in round ${round} to name a decision that rests on an untested claim, and named none`,
  }));
}

function mostlyFacts(records: Records): Conduct[] {
  const facts = findRepeatedFacts(records);
  return records.roles.flatMap((role): Conduct[] => {
    const own = records.claims.filter(({ raised_by }) => raised_by === role);
    const padding = own.filter(({ id }) => facts.has(id)).length;
    if (own.length < CLAIMS_OF_A_SEAT || padding * 2 <= own.length) return [];
    const why = `${padding} of ${formatCount(own.length, 'claim')} of the ${role} only repeat the text`;
    return [{ id: 'mostly-facts', why }];
  });
}

function findDegraded({ verifications }: Records): Conduct[] {
  const bad = verifications.filter((verification) => verification.degraded !== undefined).length;
  if (bad === 0) return [];
  const all = bad + verifications.filter(isVerdict).length;
  const why = `${bad} of ${formatCount(all, 'answer')} of the verifier could not stand`;
  return [{ id: 'degraded-verdicts', why }];
}

/** The roles that handed in nothing in a round, although no absence was planned. */
export interface Absence {
  readonly round: number;
  /** The roles without an artifact in this round, except for a role whose absence was planned. */
  readonly roles: readonly Role[];
}

/**
 * Returns the unplanned absences in finished rounds. Skipped are rounds without any artifact, and rounds of which the
 * records do not say whether a role was left out, or which.
 */
export function findAbsences(records: Records): Absence[] {
  const { artifacts = [], leads, roles } = records;
  const present = new Map<number, Set<Role>>();
  for (const path of artifacts) {
    const artifact = parseArtifactPath(path);
    if (artifact === undefined) continue;
    const there = present.get(artifact.round);
    if (there === undefined) present.set(artifact.round, new Set([artifact.role]));
    else there.add(artifact.role);
  }
  const led = new Map(leads.map((lead) => [lead.round, lead]));
  return listFinishedRounds(records).flatMap((round) => {
    const there = present.get(round);
    const lead = led.get(round);
    if (there === undefined || lead === undefined || isUnknown(lead)) return [];
    const gone = roles.filter((role) => !there.has(role) && role !== lead.absent_agent);
    return gone.length === 0 ? [] : [{ round, roles: gone }];
  });
}

/** Returns whether a folder says that a round was a stress round, but not which role was absent. */
function isUnknown({ is_stress, absent_agent }: LeadEntry): boolean {
  return is_stress && absent_agent === null;
}

/**
 * Simulated runs under edition 1 of the rules. A kind of panel, a seed and a budget make the records and
 * artifacts of a whole deliberation, which validate without an error. Where the program has rules of its own,
 * they are used.
 */
import { findAnchors } from '../../src/protocols/rounds/records/anchors.ts';
import { COMPARED_ROLES, comparesRole } from '../../src/protocols/rounds/records/checks.ts';
import {
  artifactPath,
  claimId,
  DECISIONS_FILE,
  decisionId,
  verificationId,
} from '../../src/protocols/rounds/records/layout.ts';
import type { DriftCheck } from '../../src/protocols/rounds/records/records.ts';
import {
  applyVerification,
  MIN_REFS,
  type UsedRefs,
} from '../../src/protocols/rounds/records/transitions.ts';
import {
  CHECKS,
  type Check,
  type Claim,
  type Decision,
  type LeadEntry,
  type Result,
  ROLES,
  type Role,
  type Verification,
} from '../../src/protocols/rounds/records/types.ts';
import type { Artifact, Writing } from '../../src/protocols/rounds/records/write.ts';
import { Chance } from './chance.ts';
import { supersedeClaim } from './supersede.ts';
import { getTemper, type Kind, type Temper } from './tempers.ts';

/**
 * Returns the records, artifacts and pages of a simulated run under edition 1 of the rules, ready for
 * `writeFolder`. The same arguments give the same run.
 *
 * @param budget The number of rounds that are planned; an overrunning panel takes more.
 */
export function simulateRecords(kind: Kind, seed: number, budget: number): Writing {
  const chance = new Chance(seed);
  const temper = getTemper(kind, chance, budget);
  const panel = new Panel(chance, temper);
  for (let round = 1; round <= temper.rounds; round++) panel.hold(round);
  return panel.writing();
}

class Panel {
  readonly #chance: Chance;
  readonly #temper: Temper;
  #claims: readonly Claim[] = [];
  #used: UsedRefs = new Map();
  readonly #verifications: Verification[] = [];
  readonly #decisions: Decision[] = [];
  readonly #leads: LeadEntry[] = [];
  readonly #drifts: DriftCheck[] = [];
  readonly #artifacts: Artifact[] = [];

  constructor(chance: Chance, temper: Temper) {
    this.#chance = chance;
    this.#temper = temper;
  }

  hold(round: number): void {
    const plan = this.#temper.schedule.find((stressPlan) => stressPlan.round === round);
    const stress = plan === undefined ? 'skipped' : this.#temper.stress();
    const absent = plan === undefined || stress === 'skipped' ? null : plan.role;
    this.#leads.push({
      round,
      lead: this.#lead(absent),
      is_stress: absent !== null,
      absent_agent: absent,
    });
    for (const seat of ROLES)
      if (seat !== absent || stress === 'filled')
        this.#artifacts.push({ round, seat, text: ARTIFACTS[seat] });
    this.#raise(round, absent);
    for (const check of CHECKS) this.#verify(round, check, stress === 'filled' ? null : absent);
    this.#decide(round);
    if (round % this.#temper.driftEvery === 0)
      this.#drifts.push({
        round,
        verdict: this.#temper.driftVerdict(round),
        deviation_score: this.#chance.whole(1, 5),
        notes: 'compared with the question',
      });
  }

  writing(): Writing {
    const { budget, schedule, driftEvery } = this.#temper;
    return {
      records: {
        claims: this.#claims,
        verifications: this.#verifications,
        decisions: this.#decisions,
        leads: this.#leads,
        drifts: this.#drifts,
        roles: ROLES,
        artifacts: this.#artifacts.map(({ round, seat }) => artifactPath(round, seat)),
        budget,
        stressSchedule: schedule,
        driftEvery,
        synthesisRound: undefined,
        question: 'Should we split the monolith?',
      },
      artifacts: this.#artifacts,
      pages: new Map(
        this.#leads.map(({ round, lead }) => [round, `# Round ${round}\n\nLead: ${lead}`]),
      ),
    };
  }

  /**
   * Returns the usurper of the round if there is one, otherwise the role that led the fewest rounds without a
   * stress test; never the absent role.
   */
  #lead(absent: Role | null): Role {
    const usurper = this.#temper.usurper();
    if (usurper !== undefined && usurper !== absent) return usurper;
    const countLeads = (role: Role) =>
      this.#leads.filter((lead) => !lead.is_stress && lead.lead === role).length;
    const candidates = ROLES.filter((role) => role !== absent);
    return candidates.reduce((best, role) => (countLeads(role) < countLeads(best) ? role : best));
  }

  #raise(round: number, absent: Role | null): void {
    const seats = ROLES.filter((role) => role !== absent);
    const number = this.#temper.claims(round);
    for (let seq = 1; seq <= number; seq++) {
      const old = this.#chance.happens(0.03)
        ? this.#claims.find(({ status }) => status === 'tested_unclear')
        : undefined;
      const claim: Claim = {
        id: claimId(round, seq),
        round,
        raised_by: this.#chance.pick(seats),
        text: 'A write is lost on failover.',
        testable_as: 'The count of acknowledged writes after the failover.',
        status: 'pending',
        supersedes: old?.id,
        raised_at_artifact: undefined,
      };
      this.#claims = supersedeClaim([...this.#claims, claim], claim).claims;
    }
  }

  #verify(round: number, check: Check, absent: Role | null): void {
    const chance = this.#chance;
    const impossible = whyNotApplicable(check, round, absent);
    const result = impossible === undefined ? this.#result(round) : 'NOT_APPLICABLE';
    const weighed = impossible === undefined ? this.#temper.weighed(round) : 0;
    const applied = applyVerification(
      this.#claims,
      {
        id: verificationId(round, check),
        round,
        check,
        result,
        evidence_refs: impossible === undefined ? this.#evidence(round, check) : [],
        notes: impossible ?? 'the guard held at step 4',
        bearings: this.#open(weighed).map(({ id, raised_by }) => ({
          claim_id: id,
          stance: chance.happens(raised_by === 'critic' ? 0.8 : 0.25) ? 'attacks' : 'upholds',
          bearing: chance.happens(0.75) ? 'whole' : 'part',
        })),
      },
      this.#used,
    );
    this.#claims = applied.claims;
    this.#used = applied.usedRefs;
    this.#verifications.push(applied.verification);
  }

  #result(round: number): Result {
    if (!this.#chance.happens(this.#temper.disagreement(round))) return 'ROBUST';
    return this.#chance.happens(this.#temper.brokenShare) ? 'BROKEN' : 'UNCLEAR';
  }

  /**
   * Returns places of the artifacts that a check cites: one of each role that the check compares, then others
   * of these roles or earlier decisions.
   */
  #evidence(round: number, check: Check): string[] {
    const chance = this.#chance;
    const sides = COMPARED_ROLES[check].length > 0 ? COMPARED_ROLES[check] : ROLES;
    const places = this.#artifacts
      .filter((artifact) => artifact.round === round)
      .flatMap(({ seat }) =>
        sides.some((role) => role === seat)
          ? [(PLACES[seat] ?? []).map((anchor) => `${artifactPath(round, seat)}${anchor}`)]
          : [],
      );
    const number = this.#temper.refs(round);
    const due =
      number < MIN_REFS ? [] : places.slice(0, MIN_REFS).map((group) => chance.pick(group));
    const earlier = this.#decisions.map(({ id }) => `${DECISIONS_FILE}#${id}`);
    const others = [...places.flat(), ...earlier.slice(-3)].filter((place) => !due.includes(place));
    return [...due, ...chance.some(others, number - due.length)];
  }

  /**
   * Returns claims that a check weighs: pending ones, and in one of seven cases one that was tested before.
   */
  #open(number: number): Claim[] {
    const pending = this.#claims.filter(({ status }) => status === 'pending');
    const tested = this.#claims.filter(
      ({ status }) => status !== 'pending' && status !== 'superseded',
    );
    const again = tested.length > 0 && this.#chance.happens(1 / 7) ? 1 : 0;
    return [
      ...this.#chance.some(pending, number - Math.min(number, again)),
      ...this.#chance.some(tested, Math.min(number, again)),
    ];
  }

  #decide(round: number): void {
    const chance = this.#chance;
    const number = chance.pick([1, 2, 2, 3]);
    const { citing, recency, departure } = this.#temper;
    for (let seq = 1; seq <= number; seq++) {
      const since = round >= departure ? departure : 1;
      const earlier = this.#decisions.filter(
        (decision) => decision.round >= since && decision.round < round,
      );
      const cited = chance.happens(recency)
        ? earlier.slice(-Math.max(3, chance.poisson(6)))
        : earlier;
      const claims = this.#claims.slice(-12);
      const verification = this.#verifications.at(-1 - chance.whole(0, 3));
      this.#decisions.push({
        id: decisionId(round, seq),
        round,
        text: 'Keep the outbox, and test the failover weekly.',
        cites: [
          ...(claims.length > 0
            ? [{ type: 'claim', id: chance.pick(claims).id, relation: 'based-on' } as const]
            : []),
          ...(verification !== undefined && (claims.length === 0 || chance.happens(0.5))
            ? [{ type: 'verification', id: verification.id, relation: 'supported-by' } as const]
            : []),
          ...(cited.length > 0 && chance.happens(citing)
            ? [{ type: 'decision', id: chance.pick(cited).id, relation: 'based-on' } as const]
            : []),
        ],
        made_by: chance.pick(['consensus', 'round_lead', 'adversary_concession']),
        round_artifact_refs: [],
      });
    }
  }
}

const ARTIFACTS: Readonly<Record<Role, string>> = {
  action: makeSections('Trace 1', 'Trace 2', 'Trace 3'),
  guardian: makeSections('Invariant', 'Evidence', 'Verdict'),
  observer: makeSections('Persona', 'Step 1', 'Step 2', 'Step 3', 'Friction 1', 'Friction 2'),
  critic: makeSections('Target', 'Attack 1', 'Attack 2', 'Attack 3', 'Assumption'),
};

/** The anchors of each seat's artifacts, such as `#trace-1`. */
const PLACES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(ARTIFACTS).map(([seat, text]) => [
    seat,
    [...findAnchors(text)].map((anchor) => `#${anchor}`),
  ]),
);

function makeSections(...names: string[]): string {
  return names.map((name) => `## ${name}\n\nAs it happened.\n`).join('\n');
}

/** Returns why a check has to be NOT_APPLICABLE; undefined if the check can be made. */
function whyNotApplicable(check: Check, round: number, absent: Role | null): string | undefined {
  if (absent !== null && comparesRole(check, absent)) return `stress test: ${absent} absent`;
  if (check === 'all_vs_prior_decisions' && round === 1) return 'round 1: no decision before it';
  return undefined;
}

/**
 * Simulated runs under edition 2 of the rules. In a healthy panel a reader is right about most claims, few
 * verdicts decide claims, and decisions rest on decided claims or name the test that they wait for.
 * Flatterers raise claims that nothing decides, withdraw objections and rest their decisions on both; half of
 * these panels also stop disagreeing. In the third kind of panel the reader failed its entrance, so that
 * nothing is settled by reading.
 */
import { comparesRole } from '../../src/protocols/rounds/records/checks.ts';
import {
  artifactPath,
  claimId,
  decisionId,
  verificationId,
} from '../../src/protocols/rounds/records/layout.ts';
import type { DriftCheck, Records } from '../../src/protocols/rounds/records/records.ts';
import {
  type Basis,
  CHECKS,
  type Check,
  type Citation,
  type Claim,
  type ClaimStatus,
  CONCEDED,
  type Decision,
  type LeadEntry,
  type ReadingRecord,
  type Result,
  ROLES,
  type Role,
  SETTLED_BY_READING,
  type StatusChange,
  type Verification,
} from '../../src/protocols/rounds/records/types.ts';
import { Chance } from './chance.ts';
import { readSignalSeries } from './series.ts';
import { getTemper, type Temper } from './tempers.ts';

/**
 * The kinds of simulated panels: sound ones, flatterers, who agree and raise claims that nothing decides, and
 * panels whose reader failed the reading test.
 */
export const PANELS = ['healthy', 'flatterers', 'untrusted reader'] as const;
/** One of the kinds of simulated panels. */
export type PanelKind = (typeof PANELS)[number];

/**
 * In how many simulated runs of one kind of panel each of four things was the case after at least one round.
 */
export interface StopCounts {
  readonly kind: PanelKind;
  /** The number of all simulated runs. */
  readonly runs: number;
  /** The number of runs that were advised to stop, to wrap up or to consider stopping. */
  readonly stopped: number;
  /**
   * The number of runs with at least four of six signals satisfied, which a rule that only counts signals
   * would have stopped.
   */
  readonly counted: number;
  /** The number of runs with the alarm that disagreement is falling. */
  readonly alarmed: number;
  /** The number of runs in which a failure mode was suspected. */
  readonly accused: number;
}

/**
 * Simulates runs of one kind of panel with the seeds from 1 on, and counts the runs for each field of
 * `StopCounts`.
 *
 * @param budget The number of rounds of each run.
 * @param runs The number of runs.
 */
export function measureStops(kind: PanelKind, budget: number, runs: number): StopCounts {
  let [stopped, counted, alarmed, accused] = [0, 0, 0, 0];
  for (let seed = 1; seed <= runs; seed++) {
    const series = readSignalSeries(simulateSecondRecords(kind, seed, budget));
    if (series.some(({ recommendation }) => recommendation !== 'continue')) stopped += 1;
    if (series.some(({ satisfied }) => satisfied >= 4)) counted += 1;
    if (series.some(({ alarm }) => alarm !== null)) alarmed += 1;
    if (series.some((signals) => signals.failureModes.some(({ state }) => state === 'suspected')))
      accused += 1;
  }
  return { kind, runs, stopped, counted, alarmed, accused };
}

/**
 * Returns the records of a simulated run of `budget` rounds under edition 2 of the rules. The same arguments
 * give the same records.
 */
export function simulateSecondRecords(kind: PanelKind, seed: number, budget: number): Records {
  const chance = new Chance(seed);
  const dying = kind === 'flatterers' && chance.happens(0.5);
  const panel = new Panel(
    kind,
    chance,
    getTemper(dying ? 'sycophantic' : 'healthy', chance, budget),
  );
  for (let round = 1; round <= budget; round++) panel.hold(round);
  return panel.records(budget);
}

/** What decides a claim: the document, which shows it true or false, or a test. */
type Nature = 'true' | 'false' | 'test';

class Panel {
  readonly #kind: PanelKind;
  readonly #chance: Chance;
  readonly #temper: Temper;
  /** The share of claims that the reader is right about. */
  readonly #accuracy: number;
  readonly #nature = new Map<string, Nature>();
  readonly #claims = new Map<string, Claim>();
  readonly #verifications: Verification[] = [];
  readonly #decisions: Decision[] = [];
  readonly #leads: LeadEntry[] = [];
  readonly #drifts: DriftCheck[] = [];
  readonly #readings: ReadingRecord[] = [];
  readonly #artifacts: string[] = [];

  constructor(kind: PanelKind, chance: Chance, temper: Temper) {
    this.#kind = kind;
    this.#chance = chance;
    this.#temper = temper;
    this.#accuracy = chance.between(0.93, 0.97);
    this.#readings.push({
      kind: 'entrance',
      model: 'house/reader',
      passed: kind !== 'untrusted reader',
      items: 24,
      errors: kind === 'untrusted reader' ? 9 : 1,
      called_true: kind === 'untrusted reader' ? 6 : 0,
      source: 'held',
    });
  }

  get #flatters(): boolean {
    return this.#kind === 'flatterers';
  }

  hold(round: number): void {
    const absent = this.#temper.schedule.find((plan) => plan.round === round)?.role ?? null;
    const seats = ROLES.filter((role) => role !== absent);
    const countLeads = (role: Role) =>
      this.#leads.filter((lead) => !lead.is_stress && lead.lead === role).length;
    this.#leads.push({
      round,
      lead: seats.reduce((best, role) => (countLeads(role) < countLeads(best) ? role : best)),
      is_stress: absent !== null,
      absent_agent: absent,
    });
    this.#artifacts.push(...seats.map((role) => artifactPath(round, role)));
    const raised = this.#raise(round, seats);
    for (const check of CHECKS) this.#verify(round, check, absent);
    if (this.#kind !== 'untrusted reader') this.#read(round, raised);
    this.#concede(round);
    this.#decide(round);
    if (round % this.#temper.driftEvery === 0) {
      const verdict = this.#temper.driftVerdict(round);
      const score = { PASS: this.#chance.whole(1, 2), PARTIAL: 3, FAIL: 4 }[verdict];
      this.#drifts.push({ round, verdict, deviation_score: score, notes: '' });
    }
  }

  records(budget: number): Records {
    return {
      claims: [...this.#claims.values()],
      verifications: this.#verifications,
      decisions: this.#decisions,
      leads: this.#leads,
      drifts: this.#drifts,
      roles: ROLES,
      artifacts: this.#artifacts,
      budget,
      stressSchedule: this.#temper.schedule,
      driftEvery: this.#temper.driftEvery,
      rules: 2,
      documents: true,
      readings: this.#readings,
      completed: this.#leads.map(({ round }) => round),
    };
  }

  /**
   * Raises one or two claims for each seat. Except among flatterers, more claims of early rounds can be
   * decided by the document, and more of them are false.
   */
  #raise(round: number, seats: readonly Role[]): Claim[] {
    const chance = this.#chance;
    const fresh = Math.exp((1 - round) / 3);
    return seats
      .flatMap((role) => (chance.happens(0.45) ? [role, role] : [role]))
      .map((raised_by, index): Claim => {
        const readable = chance.happens(this.#flatters ? 0.2 : 0.35 + 0.3 * fresh);
        const wrong = chance.happens(this.#flatters ? 0.05 : 0.1 + 0.35 * fresh);
        const nature = readable ? (wrong ? 'false' : 'true') : 'test';
        const id = claimId(round, index + 1);
        const claim: Claim = {
          id,
          round,
          raised_by,
          text: 'A write is lost on failover.',
          testable_as: 'Count.',
          status: 'pending',
          supersedes: undefined,
          raised_at_artifact: undefined,
          decided_by: readable ? 'reading' : 'running',
          says: 'fails',
          about: 'document',
        };
        this.#claims.set(id, claim);
        this.#nature.set(id, nature);
        return claim;
      });
  }

  #verify(round: number, check: Check, absent: Role | null): void {
    const chance = this.#chance;
    const first = check === 'all_vs_prior_decisions' && round === 1;
    const none = first || (absent !== null && comparesRole(check, absent));
    const degraded = !none && chance.happens(0.05) ? 'it cited what does not exist' : undefined;
    const result = none || degraded !== undefined ? 'NOT_APPLICABLE' : this.#result(round);
    const sides = ROLES.filter(
      (role) => role !== absent && (comparesRole(check, role) || check === CHECKS[3]),
    );
    const moves =
      (result === 'BROKEN' || result === 'ROBUST') &&
      (check === CHECKS[0] || check === CHECKS[1]) &&
      this.#kind !== 'untrusted reader';
    this.#verifications.push({
      id: verificationId(round, check),
      round,
      check,
      result,
      degraded,
      notes: '',
      claims_affected: [],
      evidence_refs:
        result === 'NOT_APPLICABLE'
          ? []
          : sides.map((role) => `${artifactPath(round, role)}#step-1`),
      // In real runs, code refuses some of the status changes that a verifier asks for. So this simulation
      // leaves out 13 % of the changes, chosen by chance.
      claim_status_changes: !moves
        ? []
        : chance
            .some(this.#open(), chance.poisson(0.5))
            .filter(() => chance.happens(0.87))
            .map(({ id }) =>
              this.#move(id, chance.happens(0.6) ? 'tested_confirmed' : 'tested_refuted', 'argued'),
            ),
    });
  }

  #result(round: number): Result {
    if (!this.#chance.happens(this.#temper.disagreement(round))) return 'ROBUST';
    return this.#chance.happens(this.#temper.brokenShare) ? 'BROKEN' : 'UNCLEAR';
  }

  /** Reads each new claim once. In three rounds of a hundred the call fails and nothing is read. */
  #read(round: number, raised: readonly Claim[]): void {
    const chance = this.#chance;
    if (chance.happens(0.03)) return;
    const changes: StatusChange[] = [];
    for (const { id } of raised) {
      const nature = this.#nature.get(id) ?? 'test';
      const right = chance.happens(this.#accuracy);
      const found = right
        ? nature
        : chance.pick(NATURES.filter((otherNature) => otherNature !== nature));
      const same = found !== 'test' && chance.happens(right ? 0.93 : 0.1);
      const counts = same && this.#claims.get(id)?.status === 'pending';
      this.#readings.push({
        kind: 'finding',
        round,
        claim: id,
        model: 'house/reader',
        quotes: [],
        sought: [],
        finding: found === 'test' ? 'needs_a_test' : `${found}_in_text`,
        second: found === 'test' ? undefined : same ? found : 'undecided',
        counts,
        why: '',
      });
      if (counts)
        changes.push(
          this.#move(id, found === 'true' ? 'tested_confirmed' : 'tested_refuted', 'read'),
        );
    }
    this.#file(round, SETTLED_BY_READING, changes);
  }

  #concede(round: number): void {
    const relied = new Set(this.#decisions.flatMap(({ cites }) => cites.map(({ id }) => id)));
    const free = this.#open().filter(({ id }) => !relied.has(id));
    const number = this.#flatters ? this.#chance.poisson(1.5) : this.#chance.happens(0.25) ? 1 : 0;
    const taken = this.#chance.some(free, number);
    this.#file(
      round,
      CONCEDED,
      taken.map(({ id }) => this.#move(id, 'tested_unclear', 'conceded')),
    );
  }

  #decide(round: number): void {
    const chance = this.#chance;
    const recent = [...this.#claims.values()].filter(({ status }) => status !== 'tested_unclear');
    const choice = this.#flatters ? recent.slice(-12) : this.#weighed(recent.slice(-16));
    const number = chance.pick([1, 2, 2, 3]);
    for (let seq = 1; seq <= number; seq++) {
      const cited = chance.some(choice, chance.whole(1, 2));
      const cites = cited.map(
        ({ id, status }): Citation => ({
          type: 'claim',
          id,
          relation: 'based-on',
          takes_as: status === 'tested_refuted' && !this.#flatters ? 'false' : 'true',
        }),
      );
      const earlier = this.#decisions.filter((decision) => decision.round < round);
      if (earlier.length > 0 && chance.happens(this.#temper.citing))
        cites.push({ type: 'decision', id: chance.pick(earlier).id, relation: 'based-on' });
      this.#decisions.push({
        id: decisionId(round, seq),
        round,
        text: 'Keep the outbox.',
        made_by: 'consensus',
        round_artifact_refs: [],
        cites,
        conditions: cited
          .filter(
            ({ status }) => status === 'pending' && chance.happens(this.#flatters ? 0.1 : 0.75),
          )
          .map(({ id }) => id),
      });
    }
  }

  /**
   * Returns the claims that a decision may rest on: three times out of four only decided ones, if there are
   * any.
   */
  #weighed(claims: readonly Claim[]): Claim[] {
    const decided = claims.filter(({ status }) => status !== 'pending');
    return decided.length > 0 && this.#chance.happens(0.75) ? decided : [...claims];
  }

  #open(): Claim[] {
    return [...this.#claims.values()].filter(({ status }) => status === 'pending');
  }

  #move(id: string, to: ClaimStatus, basis: Basis): StatusChange {
    const claim = this.#claims.get(id);
    if (claim === undefined) throw new RangeError(`no claim ${id}`);
    this.#claims.set(id, { ...claim, status: to });
    return { claim_id: id, from: claim.status, to, basis, stance: undefined, bearing: undefined };
  }

  /** Records a verification for claims that were read or withdrawn; records nothing if there are none. */
  #file(round: number, check: Check, changes: readonly StatusChange[]): void {
    if (changes.length === 0) return;
    const own = this.#verifications.filter((verification) => verification.round === round).length;
    this.#verifications.push({
      id: `V-${round}-${own + 1}`,
      round,
      check,
      result: 'ROBUST',
      evidence_refs: [],
      notes: '',
      degraded: undefined,
      claims_affected: changes.map(({ claim_id }) => claim_id),
      claim_status_changes: [...changes],
    });
  }
}

const NATURES: readonly Nature[] = ['true', 'false', 'test'];

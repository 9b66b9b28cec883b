/** A deliberation in rounds whose facts a test records itself. */

import type { Role } from '../../src/protocols/rounds/records/types.ts';
import type { FactOf } from '../every-fact.ts';
import { FakeRun, makeFakeSeat, makeProse } from './fake-run.ts';

const USAGE = { input: 5200, output: 640, cached: 0, cacheWritten: 0, thinking: 0 };
const ROLES: readonly Role[] = ['action', 'guardian', 'observer', 'critic'];
/** The seats of the four roles. */
export const ROUNDS_SEATS = [
  makeFakeSeat('action', 'Action', 'ollama/qwen3:8b'),
  makeFakeSeat('guardian', 'Guardian', 'anthropic/claude-haiku-4-5'),
  makeFakeSeat('observer', 'Observer', 'ollama/llama3.2:3b'),
  makeFakeSeat('critic', 'Critic', 'ollama/qwen3:8b'),
];
const SIGNALS = [
  ['refutation-rate', 'uninformative', null, null, 'it takes 6 rounds'],
  ['disagreement-slope', 'unsatisfied', -0.5, -0.2, 'disagreement falls by 0.5 a round'],
  ['lead-coverage', 'unsatisfied', 1, 1.4, 'observer, critic have not led a round'],
  ['stress-tests', 'unsatisfied', 1, 3, '1 role of 4 stress-tested (critic), 3 wanted'],
  ['drift-checks', 'satisfied', 1, 1, 'all 1 drift check PASS'],
  ['pending-claims', 'satisfied', 0.25, 0.3, '1 of 4 claims pending (25 %), below 30 % wanted'],
] as const;

/** A run in rounds as a console follows it. Its clock moves only when a test or one of its calls moves it. */
export class FakeRounds extends FakeRun {
  #calls = 0;

  /** Records that the run starts. `config` replaces all its settings. */
  start(question: string, config: object = { rounds: 8, driftEvery: 2 }): this {
    this.seats = ROUNDS_SEATS;
    return this.tell('run.started', {
      protocol: 'rounds',
      question,
      seats: [...ROUNDS_SEATS],
      config: { ...config },
      request: { kind: 'convene' },
    });
  }

  /**
   * Records the start and the first round of a run under edition 2 of the rules: a claim that the text
   * refutes, a claim that waits for a test, a refused claim, and a reader that is wrong about half of its
   * controls.
   */
  startByReading(question: string): this {
    const quote = { text: 'One node carries 800 writes a second.', ref: 'attachments/plan.md#L2' };
    const basis = {
      basis: 'read',
      refs: [quote.ref],
      quotes: [quote],
      why: 'its own figure',
    } as const;
    const verdict = {
      id: 'V-1-5',
      round: 1,
      check: 'settled_by_reading',
      result: 'ROBUST',
    } as const;
    this.start(question, {
      verifier: 'house/reader',
      rounds: 8,
      stress: {},
      driftEvery: 2,
      stopAt: 'ask',
      respond: 'report',
      seed: 1,
      rules: 2,
      attachments: [{ name: 'plan.md', text: 'a\nb' }],
    });
    this.tell('reader.examined', {
      model: 'house/reader',
      passed: true,
      items: 24,
      errors: 1,
      called_true: 0,
      source: 'held',
      why: '',
    });
    this.tell('round.started', { round: 1, lead: 'action' }).phase(1, 'F');
    for (const [id, raised_by, decided_by] of [
      ['C-1-1', 'critic', 'reading'],
      ['C-1-2', 'action', 'running'],
    ] as const)
      this.tell('claim.raised', {
        id,
        round: 1,
        raised_by,
        decided_by,
        text: `${id} holds.`,
        testable_as: 'Count them.',
        says: 'holds',
        about: 'document',
        if_false: 'The answer would be no.',
        step: 's',
      });
    this.tell('verification.recorded', { ...verdict, evidence_refs: [quote.ref], notes: '' });
    this.tell('claim.moved', {
      claim: 'C-1-1',
      round: 1,
      from: 'pending',
      to: 'tested_refuted',
      verification: 'V-1-5',
      stance: 'attacks',
      bearing: 'whole',
      ...basis,
      refs: [...basis.refs],
      quotes: [...basis.quotes],
    });
    this.tell('refusal.recorded', {
      round: 1,
      kind: 'claim',
      by: 'guardian',
      text: 'It copies.',
      why: 'its test only repeats it',
    });
    for (let at = 0; at < 12; at += 1)
      this.tell('reader.controlled', {
        round: 1,
        model: 'house/reader',
        text: `control ${at}`,
        key: 'absent',
        right: at > 5,
      });
    return this.#signals(1, 'so');
  }

  /** Records that a call begins, and returns the id of its attempt. */
  begin(step: string, seat: string): string {
    this.#calls += 1;
    const attempt = `call-${this.#calls}`;
    const model =
      ROUNDS_SEATS.find(({ id }) => id === seat)?.model ?? 'anthropic/claude-sonnet-5-5';
    this.tell('step.started', { step, attempt, kind: 'call', seat, model });
    return attempt;
  }

  /** Sends a part of the text of a running call to the console. */
  stream(step: string, seat: string, call: string, text: string): this {
    this.bus.live({ type: 'text', text, step, seat, call });
    this.bus.flush();
    return this;
  }

  /** Records a call from its beginning to its end. */
  call(step: string, seat: string, text: string): this {
    const attempt = this.begin(step, seat);
    this.wait(1400);
    this.tell('call.completed', {
      step,
      attempt,
      seat,
      role: seat,
      model: 'ollama/qwen3:8b',
      text,
      thinking: '',
      usage: USAGE,
      costUsd: 0.004,
      latencyMs: 1400,
      attempts: 1,
      notes: [],
      rehearsal: false,
    });
    return this.tell('step.completed', { step, attempt });
  }

  /** Records that a phase of a round begins. */
  phase(round: number, phase: FactOf<'phase.entered'>['phase']): this {
    return this.tell('phase.entered', { round, phase });
  }

  /**
   * Records a whole round: the phases A to G, and in even rounds also H.
   *
   * @param absent The role that a stress round leaves out.
   * @param words A text that every proposal, artifact, claim, note and reason of the round contains.
   */
  round(round: number, lead: Role, absent?: Role, words = makeProse(round, 12)): this {
    const at = `round-${round}`;
    const here = ROLES.filter((role) => role !== absent);
    this.tell('round.started', { round, lead, ...(absent ? { absent } : {}) }).phase(round, 'A');
    if (absent !== undefined)
      this.tell('stress.predicted', { round, absent, signature: [`no attack: ${words}`] });
    this.phase(round, 'B').call(`${at}/B/proposal`, lead, `**Proposal.** ${words}`);
    this.phase(round, 'C');
    for (const role of here.filter((role) => role !== lead))
      this.call(`${at}/C/${role}`, role, `Supplement. ${words}`);
    this.phase(round, 'D');
    for (const role of here)
      this.call(`${at}/D/${role}`, role, '{}').tell('artifact.produced', {
        round,
        role,
        path: `artifacts/round_${round}/${role}.md`,
        markdown: `# ${role} in round ${round}\n\n## Part 1\n\n${words}\n\n- a point\n- another`,
        step: `${at}/D/${role}`,
      });
    this.phase(round, 'E').#checks(round, absent, words);
    this.phase(round, 'F').#claims(round, here, words);
    this.phase(round, 'G').#decisions(round, lead, absent, words);
    if (round % 2 === 0)
      this.phase(round, 'H')
        .call(`${at}/H/drift`, 'verifier', '{}')
        .tell('drift.checked', { round, verdict: 'PASS', deviation_score: 2, notes: words });
    return this.#signals(round, words);
  }

  #checks(round: number, absent: Role | undefined, words: string): this {
    const checks = [
      ['critic_attack_on_action_trace', 'BROKEN'],
      ['guardian_vs_observer_walkthrough', 'ROBUST'],
      ['observer_friction_vs_critic_attack', 'UNCLEAR'],
      ['all_vs_prior_decisions', 'ROBUST'],
    ] as const;
    for (const [index, [check, result]] of checks.entries()) {
      const step = `round-${round}/E/${index + 1}`;
      const nothing = absent === 'critic' && check.includes('critic');
      if (!nothing) this.call(step, 'verifier', '{}');
      this.tell('verification.recorded', {
        id: `V-${round}-${index + 1}`,
        round,
        check,
        result: nothing ? 'NOT_APPLICABLE' : result,
        evidence_refs: nothing
          ? []
          : [
              `artifacts/round_${round}/action.md#part-1`,
              `artifacts/round_${round}/guardian.md#part-1`,
            ],
        notes: nothing ? 'stress round: the critic is absent' : words,
        ...(nothing ? {} : { step }),
      });
    }
    return this;
  }

  #claims(round: number, here: readonly Role[], words: string): this {
    for (const role of here) this.call(`round-${round}/F/${role}`, role, '{}');
    for (const [index, role] of here.entries())
      this.tell('claim.raised', {
        id: `C-${round}-${index + 1}`,
        round,
        raised_by: role,
        text: `${role} holds that ${words}`,
        testable_as: `count it: ${words}`,
        raised_at_artifact: `artifacts/round_${round}/${role}.md`,
        step: `round-${round}/F/${role}`,
      });
    const moves = [
      [1, 'tested_refuted', 1, 'upholds', 'whole'],
      [2, 'tested_confirmed', 2, 'upholds', 'whole'],
      [3, 'partially_refuted', 1, 'upholds', 'part'],
    ] as const;
    for (const [claim, to, check, stance, bearing] of moves)
      this.tell('claim.moved', {
        claim: `C-${round}-${claim}`,
        round,
        from: 'pending',
        to,
        verification: `V-${round}-${check}`,
        stance,
        bearing,
        why: `V-${round}-${check} bears on it: ${words}`,
      });
    return this;
  }

  #decisions(round: number, lead: Role, absent: Role | undefined, words: string): this {
    const step = `round-${round}/G/assessment`;
    this.call(step, lead, '{}').tell('decision.made', {
      id: `D-${round}-1`,
      round,
      text: `Decided: ${words}`,
      cites: [
        { type: 'claim', id: `C-${round}-2`, relation: 'based-on' },
        { type: 'verification', id: `V-${round}-1`, relation: 'supported-by' },
      ],
      made_by: 'round_lead',
      round_artifact_refs: [`artifacts/round_${round}/${lead}.md`],
      step,
    });
    this.tell('round.closed', { round, tensions: [`open: ${words}`], impact: words });
    if (absent === undefined) return this;
    return this.tell('stress.compared', {
      round,
      absent,
      observed: [{ prediction: `no attack: ${words}`, happened: 'yes', where: words }],
      decorative: false,
      notes: words,
    });
  }

  #signals(round: number, words: string): this {
    this.tell('signals.read', {
      round,
      satisfied: 2,
      recommendation: 'continue',
      why: `2 of 6 signals are satisfied: ${words}`,
      signals: SIGNALS.map(([name, state, value, threshold, why], index) => ({
        id: index + 1,
        name,
        state,
        value: value === null ? null : value / round,
        threshold,
        why: `${why}; ${words}`,
      })),
      ...(round > 1 ? { alarm: `disagreement has been falling for 2 rounds: ${words}` } : {}),
    });
    return this.tell('failure-mode.suspected', {
      round,
      id: 'FM-1',
      name: 'sycophancy',
      why: words,
      ...(round > 1 ? { response: `an attack is asked for: ${words}` } : {}),
    });
  }
}

/**
 * Returns a run in whose third round all artifacts are being written, after two finished rounds, the second
 * without the critic. `speak` streams nine more pieces of each artifact to the console and moves the clock
 * forward by 1.35 seconds.
 */
export function makeThreeRounds(): { run: FakeRounds; speak: () => void } {
  const run = new FakeRounds().start('Should we split the monolith into services?');
  run.round(1, 'action').round(2, 'guardian', 'critic');
  run.tell('round.started', { round: 3, lead: 'observer' }).phase(3, 'A').phase(3, 'B');
  run.call('round-3/B/proposal', 'observer', `**Proposal.** ${makeProse(5, 60)}`).phase(3, 'D');
  const calls = ROLES.map((role) => [role, run.begin(`round-3/D/${role}`, role)] as const);
  const speak = (): void => {
    for (let part = 0; part < 9; part += 1) {
      run.wait(100);
      for (const [role, call] of calls)
        run.stream(`round-3/D/${role}`, role, call, `${makeProse(part + role.length, 8)} `);
    }
    run.wait(450);
  };
  return { run, speak };
}

/** Runs generated plans, and compares their specs with the truth. */

import { type ModelResult, NO_USAGE } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import {
  CHAIR,
  DEFAULTS,
  LATEST,
  type PlanConfig,
  RESEARCHER,
} from '../../src/protocols/plan/config.ts';
import { type PlanView, planOf } from '../../src/protocols/plan/fold.ts';
import { plan } from '../../src/protocols/plan/plan.ts';
import { openConflicts } from '../../src/protocols/plan/rules/spec.ts';
import { deriveSpecBasis } from '../../src/protocols/plan/standings.ts';
import type { Store } from '../../src/store/store.ts';
import { Chance } from './chance.ts';
import { type Minds, mindsFor, play } from './minds.ts';
import { doContradict, type GeneratedPlan, planFor } from './plans.ts';

/** How the spec of a generated plan compares with the conflicts that are really in the plan. */
export interface PlanMeasures {
  readonly seed: number;
  readonly minds: Minds;
  /** Why the run failed; undefined if it did not. */
  readonly failed?: string | undefined;
  /** The recorded state of the spec; undefined if no spec was written. */
  readonly state?: string | undefined;
  /** How many readers' findings name at least two real statements, not counting the control. */
  readonly named: number;
  /** How many of these findings were neither settled nor listed as open. */
  readonly lost: number;
  /** The number of pairs of decisions in the spec that really contradict each other. */
  readonly contradictory: number;
  /** How many of these pairs the spec marks neither as doubtful nor as about an open conflict. */
  readonly unmarked: number;
  /** Whether the spec counts as converged although decisions contradict each other or a conflict is open. */
  readonly isConvergedOver: boolean;
  /** How many contradictions, decisions without support and open conflicts the spec reports. */
  readonly marks: number;
  /** How many of these reports are wrong. */
  readonly falseMarks: number;
}

/**
 * Runs the plan generated from a seed, and compares its spec with the conflicts that are really in the plan.
 * @param prompts the edition of the plan's rules
 */
export async function measureOne(
  store: Store,
  seed: number,
  prompts: NonNullable<PlanConfig['prompts']> = LATEST.prompts,
): Promise<PlanMeasures> {
  const generated = planFor(seed);
  const minds = mindsFor(seed);
  const journal = store.create('plan');
  const person = new Chance('person', String(seed));
  const session = new Session({
    journal,
    protocol: plan as Protocol,
    models: {
      call: async (request) => makeResult(play(generated, minds, request)),
      price: () => undefined,
    },
    answer: async (_step, { options }) => {
      const { value } = person.pick(options);
      return {
        answer: value === 'own' ? 'own: By my own word it is done later.' : value,
        by: 'person',
      };
    },
  });
  const roles = Object.keys(generated.says);
  const ending = await session.begin({
    question: generated.topic,
    seats: [...roles, CHAIR, RESEARCHER].map((id) => ({
      id,
      role: id,
      title: id,
      brief: '',
      model: id === roles[0] ? 'test/second' : 'test/first',
    })),
    config: configOf(generated, minds, prompts),
  });
  await session.close();
  const view = planOf(store.facts(journal.run));
  const failed = ending.status === 'done' ? undefined : (ending.reason ?? ending.status);
  return { seed, minds, failed, ...judgePlan(generated, view) };
}

function configOf(
  { says, seed }: GeneratedPlan,
  { person }: Minds,
  prompts: PlanConfig['prompts'],
): PlanConfig {
  const names = Object.keys(says);
  return {
    roles: Object.fromEntries(names.map((role) => [role, { clusters: [role], called: true }])),
    cards: names.map((name) => ({ name, line: name })),
    ...DEFAULTS,
    prompts,
    researchers: 0,
    seed,
    person,
    documents: { root: 'repo', index: 'main' },
    staffing: { queries: [], named: names },
    output: {
      slug: 'plan',
      topics: 'docs/planning',
      specs: 'docs/roadmap',
      fixes: 'docs/fixes',
      research: 'docs/context/research',
    },
  };
}

function judgePlan(
  generated: GeneratedPlan,
  view: PlanView,
): Omit<PlanMeasures, 'seed' | 'minds' | 'failed'> {
  const basis = deriveSpecBasis(view);
  const open = openConflicts(basis);
  const texts = new Map(view.statements.map(({ id, text }) => [id, text]));
  const isTrue = (ids: readonly string[]): boolean =>
    ids.some((one) =>
      ids.some((other) => doContradict(generated, texts.get(one) ?? '', texts.get(other) ?? '')),
    );
  const named = view.examined.flatMap(({ found, control }) =>
    found.flatMap(({ statements }) => {
      const real = statements.filter((id) => id !== control?.planted && texts.has(id));
      return real.length < 2 ? [] : [real];
    }),
  );
  const lost = named.filter((ids) => {
    const question = view.conflicts.find(
      ({ options }) => ids.filter((id) => options.includes(id)).length > 1,
    );
    const standing = basis.standings.find(({ conflict }) => conflict === question?.id);
    return question === undefined || (!open.includes(question) && standing?.state !== 'settled');
  });
  const { decisions = [], checks } = view.written?.spec ?? {};
  const pairs = decisions.flatMap((one, at) =>
    decisions
      .slice(at + 1)
      .flatMap((other) =>
        doContradict(generated, one.text, other.text) ? [[one, other] as const] : [],
      ),
  );
  const isMarked = (pair: (typeof pairs)[number]): boolean =>
    checks?.contradictions.some(({ parts }) => pair.every(({ text }) => parts.includes(text))) ===
      true ||
    pair.every(({ text }) => checks?.notCompared?.some((part) => part.text === text)) ||
    pair.some(
      ({ text, from }) =>
        checks?.notCarried.some((part) => part.text === text) ||
        open.some(({ options }) => options.some((id) => from.includes(id))),
    );
  const bare = pairs.filter((pair) => !isMarked(pair));
  const contradictions = checks?.contradictions ?? [];
  const notCarried = checks?.notCarried ?? [];
  const isCarried = ({ text, from }: { text: string; from: readonly string[] }): boolean =>
    from.some((id) => text.includes(texts.get(id) ?? '\n'));
  return {
    state: view.written?.state,
    named: named.length,
    lost: lost.length,
    contradictory: pairs.length,
    unmarked: bare.length,
    isConvergedOver: view.written?.state === 'converged' && (pairs.length > 0 || open.length > 0),
    marks: contradictions.length + notCarried.length + open.length,
    falseMarks:
      contradictions.filter(
        ({ parts: [one = '', other = ''] }) => !doContradict(generated, one, other),
      ).length +
      notCarried.filter(isCarried).length +
      open.filter(
        ({ options, given = [] }) =>
          !isTrue([...options, ...given]) && !options.some((id) => id.startsWith('person-')),
      ).length,
  };
}

function makeResult(value: object): ModelResult {
  return {
    status: 'done',
    value,
    text: JSON.stringify(value),
    thinking: '',
    usage: NO_USAGE,
    latencyMs: 0,
    firstTokenMs: 0,
    attempts: 1,
    notes: [],
  };
}

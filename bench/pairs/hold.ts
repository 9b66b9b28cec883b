/**
 * Runs a plan for a panel with the real protocol, session and store, and with the model under test. The steps
 * before the questions are scripted: nothing is asked beforehand, each seat says what its panel says, and the
 * spec cites what stands. The model under test compares, answers and defends.
 */
import { RunStopped } from '../../src/kernel/errors.ts';
import {
  type ModelRequest,
  type ModelResult,
  type ModelSpec,
  type Models,
  NO_USAGE,
} from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { type Ending, Session } from '../../src/kernel/session.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import {
  CHAIR,
  DEFAULTS,
  LATEST,
  type PlanConfig,
  RESEARCHER,
} from '../../src/protocols/plan/config.ts';
import { BRIEFS } from '../../src/protocols/plan/desk/convene.ts';
import { plan } from '../../src/protocols/plan/plan.ts';
import type { Store } from '../../src/store/store.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import type { Panel } from './panels.ts';

/** The tasks that the model under test does in a measured plan; all others are scripted. */
export const MEASURED: readonly string[] = [
  'plan/conflicts',
  'plan/answer',
  'plan/must',
  'plan/reread',
];

/** A made-up panel of seats with the facts of the plan that was run for it, and how that run ended. */
export interface HeldPanel {
  readonly panel: Panel;
  /** The id of the run. */
  readonly run: string;
  readonly ending: Ending;
  readonly facts: readonly AnyFact[];
}

/**
 * Runs a plan for a panel. The model under test searches for conflicts, answers the questions for the seats, and
 * rereads the answers. What the seats say first, the spec and its checks are scripted.
 * @param model the model under test, as the seats' model
 * @param models calls the model under test
 * @param patience the least time limit of a call in milliseconds; a longer limit of the plan stays
 */
export async function runPanelPlan(
  store: Store,
  panel: Panel,
  model: ModelSpec,
  models: Models,
  { patience, seed }: { readonly patience: number; readonly seed: number },
): Promise<HeldPanel> {
  const journal = store.create('plan');
  const session = new Session({
    journal,
    protocol: extendTimeLimits(plan as Protocol, patience),
    models: scriptModels(panel, models),
    answer: () => {
      throw new RunStopped('gate', 'there is nobody to answer');
    },
  });
  const titles = { ...panel.roles, [CHAIR]: 'Chair', [RESEARCHER]: 'Researcher' };
  const ending = await session.begin({
    question: panel.topic,
    seats: Object.entries(titles).map(([id, title]) => {
      const brief = id === CHAIR || id === RESEARCHER ? BRIEFS[id] : briefOf(title);
      return { id, role: id, title, model, brief };
    }),
    config: configOf(panel, seed),
  });
  await session.close();
  return { panel, run: journal.run, ending, facts: store.facts(journal.run) };
}

function briefOf(title: string): string {
  return `You speak in this plan as: ${title}. You hold what your domain needs and has a ground for, and you say what speaks for it.`;
}

function configOf({ name, roles }: Panel, seed: number): PlanConfig {
  const names = Object.keys(roles);
  return {
    roles: Object.fromEntries(names.map((role) => [role, { clusters: [role], called: true }])),
    cards: Object.entries(roles).map(([role, line]) => ({ name: role, line })),
    ...DEFAULTS,
    ...LATEST,
    researchers: 0,
    seed,
    // The names `repo` and `main` refer to nothing, because the plan that this measurement makes has no index of
    // documents.
    documents: { root: 'repo', index: 'main' },
    // Without a person, a conflict that the seats cannot settle stays open and can be counted.
    person: false,
    staffing: { queries: [], named: names },
    output: {
      slug: name,
      topics: 'docs/planning',
      specs: 'docs/roadmap',
      fixes: 'docs/fixes',
      research: 'docs/context/research',
    },
  };
}

/** Extends the time limits, because a person who answers by hand takes longer than any model. */
function extendTimeLimits(protocol: Protocol, patience: number): Protocol {
  return {
    ...protocol,
    execute: (run, context) =>
      protocol.execute(
        {
          ...run,
          ask: (key, request, { timeoutMs, ...options } = {}) =>
            run.ask(key, request, {
              ...options,
              ...(timeoutMs === undefined ? {} : { timeoutMs: Math.max(timeoutMs, patience) }),
            }),
        },
        context,
      ),
  };
}

function scriptModels(panel: Panel, models: Models): Models {
  const conceal = models.conceal?.bind(models);
  return {
    call: async (request, context) =>
      MEASURED.includes(request.task)
        ? models.call(request, context)
        : makeResult(scriptFor(panel, request)),
    price: (model, usage) => models.price(model, usage),
    ...withoutUndefined({ conceal }),
  };
}

function scriptFor({ statements, topic }: Panel, { task, seat, about }: ModelRequest): object {
  switch (task) {
    case 'plan/questions':
      return { questions: [] };
    case 'plan/speak':
      return {
        statements: (statements[seat.id] ?? []).map((statement) => ({ title: '', ...statement })),
      };
    case 'plan/synthesis':
      return {
        goal: topic,
        outOfScope: [],
        interfaces: [],
        data: [],
        tasks: [],
        risks: [],
        openQuestions: [],
        fixes: [],
        notCarried: [],
        decisions: (about?.heard ?? []).map(({ from, text }) => ({ text, from: [from] })),
      };
    // The spec that this measurement writes repeats all statements that were not given up, so a statement is
    // carried into the spec if a part of the spec has the same text.
    case 'plan/carried': {
      const by = about?.heard?.find(({ text }) => about.items?.includes(text));
      return by === undefined
        ? { carried: 'not', quotation: '', missing: 'all of it' }
        : { carried: 'wholly', quotation: by.text, missing: '' };
    }
    case 'plan/compared': {
      const [one, other] = (about?.items ?? []).map((id) =>
        about?.heard?.find(({ from }) => from === id),
      );
      const quoted = { quotationOfOne: one?.text, quotationOfOther: other?.text };
      const pair = { one: one?.from, other: other?.from, ...quoted, why: 'it is planted' };
      return { contradictions: other === undefined ? [] : [pair] };
    }
    default:
      throw new Error(`a plan asks for ${task}, which no panel has a script for`);
  }
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

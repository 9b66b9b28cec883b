/** Compares a plan's forecast of calls and tokens with what runs of several shapes take. */
import { KERNEL } from '../../src/kernel/facts.ts';
import type { CallContext, ModelRequest, ModelResult } from '../../src/kernel/model.ts';
import { estimatePrompt, estimateTokens } from '../../src/kernel/tokens.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import type { Task, TeamPlan } from '../../src/protocols/team/forms/plan.ts';
import {
  GOAL,
  makeCorrection,
  makeScriptedModels,
  makeToolCalls,
  makeWriter,
  type RecordingModels,
  type Script,
} from '../../test/team/harness.ts';
import {
  makeNotesPlan,
  makeNoteTask,
  makePassingVerdict,
  makeSoundScript,
  notePathOf,
  noteTextOf,
} from '../../test/team/notes.ts';
import type { PersonRepository } from '../../test/workshop/place.ts';
import type { Row } from '../measure.ts';
import { DEFECTS } from './defects.ts';
import type { Quality } from './minds.ts';
import { makeScript as scriptOf } from './minds.ts';
import { repositoryIn } from './play.ts';
import { repositoryOf, withTeam } from './runner.ts';

/** The factor by which a forecast may be off in either direction. */
const FACTOR = 2;

interface Shape {
  readonly name: string;
  readonly goal: string;
  readonly script: Script;
  make(root: string): PersonRepository;
}

/** Counts tokens sent and received, with the estimate that budgets use. */
class Counting implements RecordingModels {
  readonly requests: ModelRequest[] = [];
  readonly #minds: RecordingModels;
  tokens = 0;

  constructor(minds: RecordingModels) {
    this.#minds = minds;
  }

  async call(asked: ModelRequest, context: CallContext): Promise<ModelResult> {
    this.requests.push(asked);
    const { seat, messages, tools = [] } = asked;
    const result = await this.#minds.call(asked, context);
    const used = result.status === 'done' ? (result.calls ?? []) : [];
    const input = estimatePrompt(seat.brief, messages, tools);
    const output =
      estimateTokens(result.text) + (used.length === 0 ? 0 : estimateTokens(JSON.stringify(used)));
    this.tokens += input + output;
    // Report usage as a server would: from it the program estimates the tokens of the whole run, which the
    // person is told when asked to approve the plan.
    return result.status === 'done'
      ? { ...result, usage: { ...result.usage, input, output } }
      : result;
  }

  price(): number {
    return 0;
  }
}

/**
 * Compares the calls and tokens that a team's plan forecasts with those that its run takes. Returns rows for the
 * table of `npm run bench`.
 */
export async function benchForecast(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const shape of SHAPES) {
    const made = await compareShape(shape);
    for (const { what, measured } of made) process.stderr.write(`${what}: ${measured}\n`);
    rows.push(...made);
  }
  return rows;
}

function compareShape({ name, goal, script, make }: Shape): Promise<Row[]> {
  const models = new Counting(makeScriptedModels(script));
  return withTeam({ goal, models, make, config: { version: 5, seed: 7 } }, ({ ending, facts }) => {
    if (ending.status !== 'done') throw new Error(`${name} ended ${JSON.stringify(ending)}`);
    const likely = likelyIn(facts);
    return [
      rowOf(`${name}: calls`, models.requests.length, likely.calls),
      rowOf(`${name}: tokens`, models.tokens, likely.tokens),
    ];
  });
}

/** Returns the forecast that the plan's question told the person. */
function likelyIn(facts: readonly AnyFact[]): { readonly calls: number; readonly tokens: number } {
  const gate = facts.find(KERNEL.is('gate.opened'))?.prompt ?? '';
  const [, calls, tokens, unit] = /In all about (\d+) calls, ([\d.]+)(k?) tokens/.exec(gate) ?? [];
  if (calls === undefined) throw new Error(`no forecast at the gate: ${gate}`);
  return { calls: Number(calls), tokens: Number(tokens) * (unit === 'k' ? 1_000 : 1) };
}

function rowOf(what: string, took: number, forecast: number): Row {
  const share = took / forecast;
  return {
    what: `team forecast, ${what}`,
    measured: `${Math.round(took)} of ${forecast} (${share.toFixed(2)})`,
    target: `within ${FACTOR} times`,
    met: share <= FACTOR && share >= 1 / FACTOR,
  };
}

function makeDefectiveShape(name: string, first: Quality, second: Quality): Shape {
  const [defect] = DEFECTS;
  if (defect === undefined) throw new Error('no defects');
  return {
    name,
    goal: defect.says,
    make: repositoryIn,
    script: scriptOf(defect, { 't5-1': first, 't5-2': second }, 7),
  };
}

function notesOf(name: string, plan: TeamPlan, tasks: readonly Task[], more: Script = {}): Shape {
  const passLook = (asked: ModelRequest) => ({
    ...makePassingVerdict(tasks, asked.about?.items ?? []),
    drops: [],
  });
  const script = makeSoundScript(plan, tasks, {
    work: (asked) => {
      const [id = ''] = asked.about?.items ?? [];
      return makeWriter({ [notePathOf(id)]: fileTextOf(id) })(asked);
    },
    verify: passLook,
    'look-again': passLook,
    correct: (asked) => makeCorrection(asked, { test_changes: [] }),
    architecture: () => ({
      summary: DESIGN,
      interfaces: [],
      settled: [],
      open: [],
      decisions: [
        { id: 'D1', text: 'A file each.', covers: plan.requirements.map(({ id }) => id), from: [] },
      ],
    }),
    ...more,
  });
  return { name, goal: GOAL, script, make: makeRepository };
}

const DESIGN = 'A file for each note, by its name, with a line that says what it is. '.repeat(40);

/** Returns a file of forty lines, because nobody sets a team to work on a single line. */
function fileTextOf(id: string): string {
  return `${noteTextOf(id)}${'And this is a line of what it says.\n'.repeat(39)}`;
}

function makeRepository(root: string): PersonRepository {
  return repositoryOf(root, 'notes', {
    'check.sh': 'if grep -rn BAD src; then exit 1; fi\n',
    'src/start.txt': 'Notes begin here.\n',
  });
}

function makeSquadPlan(
  path: 'T2-T5' | 'T3-T5',
  count: number,
): readonly [TeamPlan, readonly Task[]] {
  const tasks = Array.from({ length: count }, (_, index) =>
    makeNoteTask(`n${index + 1}`, { covers: [`R${index + 1}`] }),
  );
  return [makeNotesPlan(path, tasks), tasks];
}

/** Makes two workstreams with this many tasks each. */
function makeParallelPlan(
  path: 'T2-T5' | 'T4-T5',
  each: number,
): readonly [TeamPlan, readonly Task[]] {
  const tasks = Array.from({ length: 2 * each }, (_, index) =>
    makeNoteTask(`n${index + 1}`, { workstream: `w${(index % 2) + 1}`, covers: [`R${index + 1}`] }),
  );
  const workstreams = ['w1', 'w2'].map((id) => {
    const own = tasks.filter(({ workstream }) => workstream === id);
    return {
      id,
      goal: 'Notes',
      path,
      depends_on: [],
      covers: own.flatMap(({ covers }) => covers),
      retry_multiplier: 1 as const,
      task: path === 'T4-T5' ? (own[0] ?? null) : null,
    };
  });
  return [makeNotesPlan(path, tasks, { workstreams }), tasks];
}

/** Makes the first attempt at each task fail, three times, so that a higher tier corrects it. */
function makeFailingScript(): Script {
  const tries = new Map<string, number>();
  return {
    work: (asked) => {
      const [id = ''] = asked.about?.items ?? [];
      const isNew = asked.messages.every(({ role }) => role === 'user');
      if (isNew) tries.set(id, (tries.get(id) ?? 0) + 1);
      const text = (tries.get(id) ?? 0) <= 3 ? 'BAD\n' : fileTextOf(id);
      return isNew
        ? makeToolCalls(['write', { path: notePathOf(id), text }])
        : { status: 'done', did: [], covers_done: [], left: [], needs: [] };
    },
  };
}

const SHAPES: readonly Shape[] = [
  makeDefectiveShape('one task, straight', 'able', 'nodding'),
  makeDefectiveShape('one task, sent back by a verifier', 'nodding', 'able'),
  notesOf('two workstreams of a task', ...makeParallelPlan('T4-T5', 1)),
  notesOf('a squad with three tasks', ...makeSquadPlan('T3-T5', 3)),
  notesOf('a squad with six tasks', ...makeSquadPlan('T3-T5', 6)),
  notesOf('a squad whose tasks fail at first', ...makeSquadPlan('T3-T5', 3), makeFailingScript()),
  notesOf('one domain, two tasks', ...makeSquadPlan('T2-T5', 2)),
  notesOf('two domains, two tasks each', ...makeParallelPlan('T2-T5', 2), {
    boundaries: () => ({
      domains: [1, 2].map((number) => ({
        id: `d${number}`,
        workstreams: [`w${number}`],
        owns: [`src/n${number}.txt`, `src/n${number + 2}.txt`],
      })),
      assumptions: [],
    }),
    propose: ({ about }) => ({
      domain: about?.items?.[0] ?? 'd1',
      design: DESIGN,
      interfaces: [],
      needs: [],
      risks: [],
    }),
  }),
];

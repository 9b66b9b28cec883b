/**
 * Runs a team on a real repository with real git, commands and journal. Only the models are scripted, by
 * task, each with a valid answer that a test can replace.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findStatus } from '../../src/io/text-file.ts';
import type { Limits } from '../../src/kernel/budget.ts';
import { type FactOf, KERNEL } from '../../src/kernel/facts.ts';
import type { Answerer } from '../../src/kernel/handle.ts';
import type { ModelRequest, ModelResult, Models } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { type Ending, Session } from '../../src/kernel/session.ts';
import type { Workshop } from '../../src/kernel/tools/workshop.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { configSchema, SEATS, type TeamConfig } from '../../src/protocols/team/config.ts';
import { foldAllTeamFacts, type TeamView } from '../../src/protocols/team/fold.ts';
import type { Task, TeamPlan } from '../../src/protocols/team/forms/plan.ts';
import { team } from '../../src/protocols/team/team.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { workshopFolder } from '../../src/workshop/clean.ts';
import { openRequest } from '../../src/workshop/request.ts';
import { openCommands } from '../../src/workshop/running/commands.ts';
import { openWorkshop } from '../../src/workshop/workshop.ts';
import { makeAnswer, makeSeat, ScriptedModels } from '../kernel/scripted-models.ts';
import { temporaryFolder } from '../store/folder.ts';
import { makePerson, type Person } from '../workshop/place.ts';

type Value = object;

/** A scripted answer to a request: JSON, or a whole result if it is not JSON. */
export type Says = (asked: ModelRequest) => Value | ModelResult | undefined;
/** Scripted answers by the name of the task, without `team/`. */
export type Script = Readonly<Record<string, Says>>;

/** Scripted models, and the requests that they got. */
export interface Minds extends Models {
  readonly requests: readonly ModelRequest[];
}

/** The goal of the test runs. */
export const GOAL = 'Let sums be told in words.';

/** Creates a program of two files with a passing test, checked by Node's own test runner. */
export function makeWordsRepository(root?: string): Person {
  const repository = makePerson({ root });
  repository.write(
    'package.json',
    '{ "name": "words", "type": "module", "scripts": { "test": "node --test" } }\n',
  );
  repository.write('src/sum.js', 'export function sum(a, b) {\n  return a + b;\n}\n');
  repository.write('src/tell.js', 'export function tell(number) {\n  return String(number);\n}\n');
  repository.write(
    'test/sum.test.js',
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from '../src/sum.js';\n\ntest('adds', () => assert.equal(sum(1, 2), 3));\n",
  );
  repository.git('add', '.');
  repository.git('commit', '--quiet', '-m', 'Add numbers');
  return repository;
}

/** The check of the test repository. */
export const CHECK = {
  id: 'unit',
  // Run all tests in one process, which takes a third of the time.
  argv: [process.execPath, '--test', '--test-isolation=none'],
  env: [],
  timeout_s: 60,
  from_survey: false,
};

/** Returns a task that holds these files. */
export function makeTask(id: string, files: readonly string[], more: Partial<Task> = {}): Task {
  return {
    id,
    workstream: 'words',
    title: `Do ${id}`,
    files: [...files],
    changes_tests: [],
    depends_on: [],
    covers: ['R1'],
    brief: `Do what ${id} is for.`,
    done_when: 'Checks pass.',
    checks: ['unit'],
    ...more,
  };
}

/** Returns a valid plan with one workstream and one task. */
export function planOf(more: Partial<TeamPlan> = {}): TeamPlan {
  return {
    no_team: '',
    requirements: [{ id: 'R1', text: 'tell(2) says “two”.', proof: 'test' }],
    tiers: [],
    workstreams: [
      {
        id: 'words',
        goal: 'Numbers in words',
        path: 'T4-T5',
        depends_on: [],
        covers: ['R1'],
        retry_multiplier: 1,
        task: makeTask('tell', ['src/tell.js', 'test/tell.test.js']),
      },
    ],
    cast: [],
    checks: [CHECK],
    tests: ['test/**'],
    guarded: ['package.json'],
    questions: [],
    ...more,
  };
}

/** A source file that meets the requirement R1 of the test plan. */
export const TELL =
  "export function tell(number) {\n  return ['zero', 'one', 'two'][number] ?? String(number);\n}\n";
/** A test file for the source file `TELL`. */
export const TELL_TEST =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { tell } from '../src/tell.js';\n\ntest('tells two', () => assert.equal(tell(2), 'two'));\n";

/** Returns a result that calls these tools. */
export function makeToolCalls(
  ...wanted: readonly (readonly [name: string, given: Value])[]
): ModelResult {
  return makeAnswer('', {
    calls: wanted.map(([name, given], at) => ({ id: `call-${at + 1}`, name, arguments: given })),
  });
}

/** Answers as a seat that writes these files in one turn and reports in the next. */
export function makeWriter(files: Readonly<Record<string, string>>, report: Value = DONE): Says {
  return (asked) =>
    isFirstTurn(asked)
      ? makeToolCalls(
          ...Object.entries(files).map(([path, text]) => ['write', { path, text }] as const),
        )
      : report;
}

/** Returns whether a request is the first turn of its question. */
export function isFirstTurn({ messages }: ModelRequest): boolean {
  return messages.every(({ role }) => role === 'user');
}

/** A report that all work is done. */
export const DONE = { status: 'done', did: [], covers_done: ['R1'], left: [], needs: [] };

/** Returns a verifier's verdict that passes the work. */
export function makePassedVerdict(more: Value = {}): Value {
  return {
    verdict: 'pass',
    items: [
      {
        requirement: 'R1',
        met: 'yes',
        path: 'src/tell.js',
        quote: "['zero', 'one', 'two'][number]",
        why: 'it says so',
      },
    ],
    defects: [],
    cause: 'none',
    probe: null,
    ...more,
  };
}

/** How a run is begun or resumed. */
export interface Holding {
  /** The goal; by default the one of the test runs. */
  readonly goal?: string;
  readonly script?: Script;
  readonly config?: Partial<TeamConfig>;
  readonly answer?: Answerer;
  readonly models?: Minds;
  readonly limits?: Limits;
  /** The id of the run that this one is a fork of. */
  readonly parent?: string;
  /** Wraps the workshop, so that a test can change or observe its calls. */
  readonly around?: (workshop: Workshop) => Workshop;
}

/** What a run came to. */
export interface Held {
  readonly run: string;
  readonly models: Minds;
  readonly ending: Ending;
  readonly facts: readonly AnyFact[];
  readonly view: TeamView;
  /** The names of the tasks that were asked, in order. */
  readonly asked: readonly string[];
  readonly gates: readonly string[];
}

/** A repository with a database, in which runs are begun, resumed and forked. */
export class House {
  readonly person: Person;
  readonly database: string;
  readonly gates: string[] = [];
  /** The id of the run that was begun or resumed last. */
  run = '';
  #session: Session | undefined;

  constructor(
    person: Person = makeWordsRepository(),
    database = join(temporaryFolder(), 'runs.db'),
  ) {
    this.person = person;
    this.database = database;
  }

  config(more: Partial<TeamConfig> = {}): TeamConfig {
    return configSchema.parse({
      look: [{ name: 'repo', path: this.person.folder }],
      workshop: { root: 'repo' },
      levels: {
        'fast-cheap': 'test/fast',
        capable: 'test/capable',
        'reasoning-heavy': 'test/heavy',
      },
      tiers: {},
      specialists: [],
      runtime: { kind: 'standard' },
      turns: 12,
      parallel: 4,
      verifiers: 2,
      deliver: 'branch',
      provide: [],
      seed: 7,
      version: 2,
      ...more,
    });
  }

  open(): Store {
    return Store.open(this.database, FACTS);
  }

  store(): Store {
    const store = this.open();
    onTestFinished(() => store.close());
    return store;
  }

  /**
   * Answers questions to the person with the option whose step begins with a given text, otherwise with the
   * default.
   */
  answers(chosen: Readonly<Record<string, string>> = {}): Answerer {
    return async (step, question) => {
      this.gates.push(`${step}\n${question.prompt}`);
      const [, answer] =
        Object.entries(chosen).find(([key]) => step.startsWith(key)) ??
        (step === 'base/unboxed' ? ['', 'yes'] : ['', question.default]);
      return { answer, by: 'person' };
    };
  }

  session(
    store: Store,
    run: string | undefined,
    holding: Holding,
  ): { session: Session; models: Minds } {
    const { parent } = holding;
    const journal = run === undefined ? store.create('team', parent ?? null) : store.own(run);
    const { folder, env } = this.person;
    this.run = journal.run;
    const models = holding.models ?? makePlayer(holding.script);
    const opened = openWorkshop({
      repository: folder,
      folder: workshopFolder(env, journal.run),
      run: journal.run,
      env,
      ...(parent === undefined ? {} : { earlier: workshopFolder(env, parent) }),
      commands: openCommands,
      request: openRequest,
    });
    const workshop = holding.around?.(opened) ?? opened;
    const session = new Session({
      journal,
      models,
      protocol: team as Protocol,
      limits: holding.limits ?? {},
      answer: holding.answer ?? this.answers(),
      tools: workshop.tools,
      workshop,
    });
    this.#session = session;
    return { session, models };
  }

  /** Stops the present session. */
  stop(): void {
    this.#session?.stop();
  }

  async hold(holding: Holding = {}): Promise<Held> {
    const store = this.store();
    const { session, models } = this.session(store, undefined, holding);
    const ending = await session.begin({
      question: holding.goal ?? GOAL,
      seats: SEATS.map((id) => makeSeat(id)),
      config: { ...this.config(holding.config) },
    });
    return this.#held(store, session, models, ending);
  }

  async resume(run: string, holding: Holding = {}): Promise<Held> {
    const store = this.store();
    const { session, models } = this.session(store, run, holding);
    const ending = await session.resume({ kind: 'convene' });
    return this.#held(store, session, models, ending);
  }

  async #held(store: Store, session: Session, models: Minds, ending: Ending): Promise<Held> {
    await session.close();
    const facts = store.facts(session.run);
    store.close();
    return {
      run: session.run,
      models,
      ending,
      facts,
      view: foldAllTeamFacts(facts),
      gates: this.gates,
      asked: models.requests.map((request) => request.task.replace('team/', '')),
    };
  }
}

/** Returns scripted models. `first` answers the call of the given number before the script is used. */
export function makePlayer(
  script: Script = {},
  first: (number: number) => ModelResult | undefined = () => undefined,
): ScriptedModels {
  let number = 0;
  return new ScriptedModels((asked) => {
    number += 1;
    const at = first(number);
    if (at !== undefined) return at;
    const name = asked.task.replace('team/', '');
    const given = script[name]?.(asked) ?? makeSoundAnswer(name, asked);
    if ('status' in given && 'usage' in given) return given as ModelResult;
    const text = JSON.stringify(given);
    return asked.schema === undefined ? makeAnswer(text) : makeAnswer(text, { value: given });
  });
}

/** Returns a valid answer to a task. */
export function makeSoundAnswer(name: string, asked: ModelRequest): Value {
  switch (name) {
    case 'plan':
      return planOf();
    case 'critique':
      return { found: [], plan: planOf() };
    case 'work':
      return makeWriter({ 'src/tell.js': TELL, 'test/tell.test.js': TELL_TEST })(asked) as Value;
    case 'verify':
    case 'look-again':
      return makePassedVerdict();
    case 'correct':
      return makeCorrection(asked);
    case 'accept':
      return makeAcceptance(asked);
    default:
      throw new Error(`nothing is played for ${name}`);
  }
}

/**
 * Returns whether a process is running; a zombie is not.
 * @throws Error if the id is not positive
 */
export function isRunning(pid: number): boolean {
  if (!(pid > 0)) throw new Error(`no process ${pid}`);
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = findStatus(`/proc/${pid}/stat`) && readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat === undefined || !/\) Z /.test(stat);
}

/**
 * Returns the final page of a run.
 * @throws Error if there is none
 */
export function pageIn({ facts }: Pick<Held, 'facts'>): FactOf<'synthesis.completed'> {
  const page = facts.findLast(KERNEL.is('synthesis.completed'));
  if (page === undefined) throw new Error('no page');
  return page;
}

/** Returns a valid correction. Only tiers above a squad's lead may split a task. */
export function makeCorrection({ seat: { id } }: ModelRequest, more: Value = {}): Value {
  const tasks = id === 't3' ? {} : { tasks: [] };
  return { brief: '', done_when: '', why: 'the work was not right', ...tasks, ...more };
}

/** Returns T1's decision to accept the work, citing the same evidence for each requirement. */
export function makeAcceptance({ about }: ModelRequest, evidence = 't5-1: yes'): Value {
  return {
    decision: 'accept',
    requirements: (about?.items ?? []).map((id) => ({ id, met: 'yes', evidence: [evidence] })),
    beyond_goal: [],
    reject: null,
  };
}

/**
 * Runs a team on a real repository with real git, commands and journal. Only the models are scripted: each
 * task has a valid answer, which a test can replace.
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
import { makePersonRepository, type PersonRepository } from '../workshop/place.ts';

type Value = object;

/**
 * A function that answers a request of the script: with the value of a JSON answer, or with a whole result.
 * `undefined` leaves the request to the default answer.
 */
export type ScriptedAnswer = (asked: ModelRequest) => Value | ModelResult | undefined;
/** The scripted answers, by the name of the task without `team/`. */
export type Script = Readonly<Record<string, ScriptedAnswer>>;

/** Models that keep the requests that they got, in order. */
export interface RecordingModels extends Models {
  readonly requests: readonly ModelRequest[];
}

/** The goal of the test runs. */
export const GOAL = 'Let sums be told in words.';

/**
 * Creates the repository of a program with two source files and a passing test, which Node's own test runner
 * runs. Without `root`, the repository is removed after the test.
 */
export function makeWordsRepository(root?: string): PersonRepository {
  const repository = makePersonRepository({ root });
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

/** The check of the repository that `makeWordsRepository` creates: Node's test runner. */
export const CHECK = {
  id: 'unit',
  // With all tests in one process, this check takes a third of the time.
  argv: [process.execPath, '--test', '--test-isolation=none'],
  env: [],
  timeout_s: 60,
  from_survey: false,
};

/** Returns a task that holds the given files. */
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

/** Returns a valid plan with one requirement, R1, and one workstream, whose only task is `tell`. */
export function makeOneTaskPlan(more: Partial<TeamPlan> = {}): TeamPlan {
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

/** The text of a `src/tell.js` that meets the requirement R1 of `makeOneTaskPlan`: `tell(2)` says “two”. */
export const TELL_SOURCE =
  "export function tell(number) {\n  return ['zero', 'one', 'two'][number] ?? String(number);\n}\n";
/** The text of a test file that passes with `TELL_SOURCE`, and fails with the repository's first `tell`. */
export const TELL_TEST =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { tell } from '../src/tell.js';\n\ntest('tells two', () => assert.equal(tell(2), 'two'));\n";

/** Returns the answer of a model that calls the given tools. */
export function makeToolCalls(
  ...wanted: readonly (readonly [name: string, given: Value])[]
): ModelResult {
  return makeAnswer('', {
    calls: wanted.map(([name, given], at) => ({ id: `call-${at + 1}`, name, arguments: given })),
  });
}

/**
 * Returns the scripted answer of a seat that writes the given files in its first turn, and gives its report
 * in the next.
 */
export function makeWriter(
  files: Readonly<Record<string, string>>,
  report: Value = DONE_REPORT,
): ScriptedAnswer {
  return (asked) =>
    isFirstTurn(asked)
      ? makeToolCalls(
          ...Object.entries(files).map(([path, text]) => ['write', { path, text }] as const),
        )
      : report;
}

/** Returns whether a request is the first turn of its question, before any answer of the model. */
export function isFirstTurn({ messages }: ModelRequest): boolean {
  return messages.every(({ role }) => role === 'user');
}

/** The report of a seat that has done all the work of its task. */
export const DONE_REPORT = { status: 'done', did: [], covers_done: ['R1'], left: [], needs: [] };

/** Returns a verifier's verdict that passes the requirement R1 and quotes `TELL_SOURCE`. */
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

/** How a run of a team is begun or resumed. `models` replaces the scripted models, `answer` the person. */
export interface TeamRunOptions {
  /** The goal. Absent: the goal of the test runs, `GOAL`. */
  readonly goal?: string;
  readonly script?: Script;
  /** The settings that differ from those of `TeamRunner.makeConfig`. Only `begin` uses them. */
  readonly config?: Partial<TeamConfig>;
  readonly answer?: Answerer;
  readonly models?: RecordingModels;
  readonly limits?: Limits;
  /** The id of the run of which the new run is a fork. */
  readonly parent?: string;
  /** Wraps the workshop, so that a test can change or observe its calls. */
  readonly wrapWorkshop?: (workshop: Workshop) => Workshop;
}

/** What came of a run of a team that was begun or resumed, once its session is closed. */
export interface TeamRunResult {
  readonly run: string;
  readonly models: RecordingModels;
  readonly ending: Ending;
  readonly facts: readonly AnyFact[];
  readonly view: TeamView;
  /** The names of the tasks that models were asked, in order, without `team/`. */
  readonly askedTasks: readonly string[];
  /** The questions in `gates` of the runner, also those of earlier attempts. */
  readonly gates: readonly string[];
}

/** A repository and a database, in which runs of a team are begun, resumed and forked. */
export class TeamRunner {
  readonly person: PersonRepository;
  /** The path of the database file. */
  readonly database: string;
  /**
   * The questions that answerers of `makeAnswerer` have got so far, each as its step, a line break and the prompt. A
   * test with an answerer of its own adds its questions itself.
   */
  readonly gates: string[] = [];
  /** The id of the run that was begun or resumed last. */
  run = '';
  #session: Session | undefined;

  constructor(
    person: PersonRepository = makeWordsRepository(),
    database = join(temporaryFolder(), 'runs.db'),
  ) {
    this.person = person;
    this.database = database;
  }

  /** Returns the settings of a run on the person's repository, by default under version 2 of the rules. */
  makeConfig(more: Partial<TeamConfig> = {}): TeamConfig {
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

  /** Opens the database. The caller closes it. */
  openStore(): Store {
    return Store.open(this.database, FACTS);
  }

  /** Opens the database until the end of the test. */
  openStoreForTest(): Store {
    const store = this.openStore();
    onTestFinished(() => store.close());
    return store;
  }

  /**
   * Returns a function that answers the questions to the person and adds them to `gates`. `chosen` gives the
   * answer of every question whose step begins with its key. Other questions get their default, except that
   * a check without a sandbox is allowed.
   */
  makeAnswerer(chosen: Readonly<Record<string, string>> = {}): Answerer {
    return async (step, question) => {
      this.gates.push(`${step}\n${question.prompt}`);
      const [, answer] =
        Object.entries(chosen).find(([key]) => step.startsWith(key)) ??
        (step === 'base/unboxed' ? ['', 'yes'] : ['', question.default]);
      return { answer, by: 'person' };
    };
  }

  /**
   * Opens a session on a new run, or on `run` if an id is given, without starting it. A run with a parent
   * finds the workshop of its parent.
   */
  openSession(
    store: Store,
    run: string | undefined,
    options: TeamRunOptions,
  ): { session: Session; models: RecordingModels } {
    const { parent } = options;
    const journal = run === undefined ? store.create('team', parent ?? null) : store.own(run);
    const { folder, env } = this.person;
    this.run = journal.run;
    const models = options.models ?? makeScriptedModels(options.script);
    const opened = openWorkshop({
      repository: folder,
      folder: workshopFolder(env, journal.run),
      run: journal.run,
      env,
      ...(parent === undefined ? {} : { earlier: workshopFolder(env, parent) }),
      commands: openCommands,
      request: openRequest,
    });
    const workshop = options.wrapWorkshop?.(opened) ?? opened;
    const session = new Session({
      journal,
      models,
      protocol: team as Protocol,
      limits: options.limits ?? {},
      answer: options.answer ?? this.makeAnswerer(),
      tools: workshop.tools,
      workshop,
    });
    this.#session = session;
    return { session, models };
  }

  /** Stops the session that was opened last. */
  stop(): void {
    this.#session?.stop();
  }

  /** Begins a new run and resolves when it has ended. The session is closed then. */
  async begin(options: TeamRunOptions = {}): Promise<TeamRunResult> {
    const store = this.openStoreForTest();
    const { session, models } = this.openSession(store, undefined, options);
    const ending = await session.begin({
      question: options.goal ?? GOAL,
      seats: SEATS.map((id) => makeSeat(id)),
      config: { ...this.makeConfig(options.config) },
    });
    return this.#held(store, session, models, ending);
  }

  /** Resumes a run and resolves when it has ended. The session is closed then. */
  async resume(run: string, options: TeamRunOptions = {}): Promise<TeamRunResult> {
    const store = this.openStoreForTest();
    const { session, models } = this.openSession(store, run, options);
    const ending = await session.resume({ kind: 'convene' });
    return this.#held(store, session, models, ending);
  }

  async #held(
    store: Store,
    session: Session,
    models: RecordingModels,
    ending: Ending,
  ): Promise<TeamRunResult> {
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
      askedTasks: models.requests.map((request) => request.task.replace('team/', '')),
    };
  }
}

/**
 * Returns models that answer by a script, and with `makeSoundAnswer` where the script has no answer. If
 * `first` returns a result for the number of a call, counted from 1, the call gets that result.
 */
export function makeScriptedModels(
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

/**
 * Returns a valid answer to a task.
 * @throws Error if no answer to this task is known
 */
export function makeSoundAnswer(name: string, asked: ModelRequest): Value {
  switch (name) {
    case 'plan':
      return makeOneTaskPlan();
    case 'critique':
      return { found: [], plan: makeOneTaskPlan() };
    case 'work':
      return makeWriter({ 'src/tell.js': TELL_SOURCE, 'test/tell.test.js': TELL_TEST })(
        asked,
      ) as Value;
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

/** Returns the last synthesis of a team's run, which is its final page. Throws an Error if there is none. */
export function getFinalSynthesis({
  facts,
}: Pick<TeamRunResult, 'facts'>): FactOf<'synthesis.completed'> {
  const page = facts.findLast(KERNEL.is('synthesis.completed'));
  if (page === undefined) throw new Error('no page');
  return page;
}

/**
 * Returns a valid correction of a task. The correction of a tier above T3 also has an empty list of tasks to
 * split off.
 */
export function makeCorrection({ seat: { id } }: ModelRequest, more: Value = {}): Value {
  const tasks = id === 't3' ? {} : { tasks: [] };
  return { brief: '', done_when: '', why: 'the work was not right', ...tasks, ...more };
}

/**
 * Returns the decision of T1 to accept the work, with the same evidence for each requirement of the request.
 */
export function makeAcceptance({ about }: ModelRequest, evidence = 't5-1: yes'): Value {
  return {
    decision: 'accept',
    requirements: (about?.items ?? []).map((id) => ({ id, met: 'yes', evidence: [evidence] })),
    beyond_goal: [],
    reject: null,
  };
}

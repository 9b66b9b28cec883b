/**
 * Runs a plan from its topic to its spec with a real repository, index, tools and journal. Only the models
 * are scripted, by task, each with a valid answer that a test can replace.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { withDocuments } from '../../src/app/settings/documents.ts';
import type { Answerer } from '../../src/kernel/handle.ts';
import type { ModelRequest, ModelResult, Seat } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { type Ending, Session } from '../../src/kernel/session.ts';
import type { Tools } from '../../src/kernel/tools/tools.ts';
import { viewOf } from '../../src/kernel/view.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { type Knowledge, openKnowledge } from '../../src/knowledge/knowledge.ts';
import { configSchema, LATEST, type PlanConfig } from '../../src/protocols/plan/config.ts';
import { type PlanView, planOf } from '../../src/protocols/plan/fold.ts';
import { filesOf, type OutcomeFile, specText } from '../../src/protocols/plan/outcome.ts';
import { plan } from '../../src/protocols/plan/plan.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { openTools } from '../../src/tools/tools.ts';
import { stopAtGate } from '../kernel/desk.ts';
import {
  makeAnswer,
  makeFailure,
  makeSeat,
  ScriptedModels,
  textOf,
} from '../kernel/scripted-models.ts';
import { temporaryFolder } from '../store/folder.ts';
import { makeEmptyFolder, type TestFolder } from '../tools/repository.ts';

/** A model's answer as JSON. */
export type Value = Readonly<Record<string, unknown>>;

/**
 * Makes the scripted answer to a request: a value for the task's schema, or a whole result. `undefined`
 * stands for the usual answer.
 */
type Says = (asked: ModelRequest) => Value | ModelResult | undefined;

/** The names of a plan's tasks, without the prefix `plan/`. */
export type Task =
  | 'staff'
  | 'questions'
  | 'look-up'
  | 'research'
  | 'carries'
  | 'speak'
  | 'control'
  | 'conflicts'
  | 'answer'
  | 'must'
  | 'reread'
  | 'told'
  | 'carried'
  | 'compared'
  | 'synthesis';

/** Scripted answers by task. Tasks without a script get the usual answer. */
export type Script = { readonly [task in Task]?: Says | undefined };

/** A statement before it has a number, as a test writes it. */
export interface StatementDraft {
  /** The kind of the statement; a constraint if absent. */
  readonly kind?: 'section' | 'constraint' | 'concern' | undefined;
  readonly title?: string | undefined;
  readonly text: string;
  /** Whether its seat marks the constraint as a must. */
  readonly must?: boolean | undefined;
  /** The reason that the seat gives. */
  readonly because?: string | undefined;
}

/** The topic of the test plans. */
export const TOPIC = 'Let people stay signed in on their own machines.';

/** The statements that each specialist makes in the first round unless a test gives others. */
export const STATEMENTS_BY_ROLE: Readonly<Record<string, readonly StatementDraft[]>> = {
  security: [
    { kind: 'constraint', text: 'A session must end after 15 minutes without a click.' },
    { kind: 'concern', text: 'Tokens could be written into the log by accident.' },
  ],
  ux: [
    { kind: 'constraint', text: 'Nobody may be asked for a password twice in 24 hours.' },
    { kind: 'section', title: 'Form', text: 'The form keeps what was typed until it is sent.' },
  ],
  data: [{ kind: 'constraint', text: 'Sessions live in one table that is swept every 30 days.' }],
};

/** The line that describes each domain in the clusters file. */
const WORDS: Readonly<Record<string, string>> = {
  security: 'Sessions, tokens and who may do what',
  ux: 'Forms, waiting and what people see',
  data: 'Tables, their sizes and how they are swept',
};

/** The files of a project with a document in each of its three domains, by path. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  'docs/security.md':
    '---\nclusters: [security]\n---\n# Sessions\n\nA session ends fifteen minutes after the last click. Tokens are opaque.\n',
  'docs/ux.md':
    '---\nclusters: [ux]\n---\n# Forms\n\nSigning in takes one form with two fields. Nobody likes to see it twice.\n',
  'docs/data.md':
    '---\nclusters: [data]\n---\n# Tables\n\nSessions are rows of one table. A sweeper removes what is thirty days old.\n',
};

/** The path of the one source file in the test repository. */
export const SOURCE_FILE = 'src/session.ts';
/** The lines of the file `SOURCE_FILE`; the last one is empty. */
export const SOURCE_LINES = [
  'export const LENGTH = 900;',
  '/** Ends a session that nobody has used. */',
  'export function sweep(now: number): void {}',
  '',
];

/** Returns the text of a clusters file. `cards` has the line that describes each cluster, by its name. */
export function formatClustersFile(cards: Readonly<Record<string, string>>): string {
  const rows = Object.entries(cards).map(
    ([name, line]) => `  - name: ${name}\n    line: ${line}\n`,
  );
  return `clusters:\n${rows.join('')}`;
}

/** What a test wants of a plan; everything has a default. */
export interface PlanOptions {
  /** The topic; `TOPIC` if absent. */
  readonly topic?: string;
  /** Scripted answers in place of the usual ones. */
  readonly script?: Script;
  /** Settings in place of the usual ones. */
  readonly config?: Partial<PlanConfig>;
  /**
   * The first statements by role, in place of `STATEMENTS_BY_ROLE`. The plan has a seat for each of these
   * roles, which owns the cluster with the role's name.
   */
  readonly says?: Readonly<Record<string, readonly StatementDraft[]>>;
  /** The model of each seat by its id; `test/model-1` if absent. */
  readonly models?: Readonly<Record<string, string>>;
  /** Answers the run's gates; otherwise each gate takes its default. */
  readonly answer?: Answerer;
}

/** A run of a plan that has ended, and what it recorded. */
export interface FinishedPlan {
  /** The models that answered, with all requests that they got. */
  readonly models: ScriptedModels;
  readonly ending: Ending;
  readonly facts: readonly AnyFact[];
  /** The facts of the run, folded to a plan. */
  readonly view: PlanView;
  /** The spec as Markdown. */
  readonly spec: string;
  /** The files that the plan would write into the repository. */
  readonly files: readonly OutcomeFile[];
  /** Returns the requests of a task in their order, of one seat or of all seats. */
  requests(task: Task, seat?: string): ModelRequest[];
  /** Returns the texts of the requests that `requests` returns. */
  prompts(task: Task, seat?: string): string[];
}

/**
 * Folders of template repositories by their files as JSON. Each is committed once in a test process and then
 * copied.
 */
const worlds = new Map<string, string>();
process.on('exit', () => {
  for (const folder of worlds.values()) rmSync(folder, { recursive: true, force: true });
});

/**
 * A git repository with documents, their index and a database, in which plans are made in this process. Its
 * folders are removed when the test ends.
 */
export class World {
  /** The repository, with functions to write files and run git. */
  readonly place: TestFolder = makeEmptyFolder();
  /** The absolute path of the repository. */
  readonly folder = this.place.folder;
  /** The path of the database for runs and the index. */
  readonly database = join(temporaryFolder(), 'runs.db');
  /** The line of each cluster's card, by the cluster's name. */
  readonly cards: Readonly<Record<string, string>>;

  /** Makes the repository with these files, a clusters file and one source file, all committed. */
  constructor(
    files: Readonly<Record<string, string>> = DOCUMENTS,
    cards: Readonly<Record<string, string>> = WORDS,
  ) {
    this.cards = cards;
    const all = {
      '.deliberate/clusters.yaml': formatClustersFile(cards),
      [SOURCE_FILE]: SOURCE_LINES.join('\n'),
      ...files,
    };
    const known = worlds.get(JSON.stringify(all));
    if (known === undefined) this.#begin(all);
    else cpSync(known, this.folder, { recursive: true });
  }

  #begin(files: Readonly<Record<string, string>>): void {
    this.place.git('init', '--quiet', '--initial-branch=main');
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.commit();
    const kept = mkdtempSync(join(tmpdir(), 'deliberate-world-'));
    cpSync(this.folder, kept, { recursive: true });
    worlds.set(JSON.stringify(files), kept);
  }

  /** Commits all changes; makes an empty commit if there are none. */
  commit(): void {
    this.place.git('add', '--all');
    this.place.git('commit', '--quiet', '--allow-empty', '-m', 'Go on');
  }

  /** Writes a file of the repository without a commit. */
  write(path: string, text: string | Buffer): void {
    this.place.write(path, text);
  }

  /** Updates the index from the folder `docs` and opens it; it is closed when the test ends. */
  index(): Knowledge {
    const knowledge = openKnowledge(this.database, this.folder, { create: true });
    onTestFinished(() => knowledge.close());
    knowledge.update({ paths: [join(this.folder, 'docs')] });
    return knowledge;
  }

  /** Opens the database; it is closed when the test ends. */
  store(): Store {
    const store = Store.open(this.database, FACTS);
    onTestFinished(() => store.close());
    return store;
  }

  /** Returns the tools with which seats look up the repository and the index. */
  tools(): Tools {
    const look = [{ name: 'repo', path: this.folder }];
    const documents = { root: 'repo', index: 'main' };
    const around = { env: process.env, database: this.database, embedders: {} };
    return withDocuments(openTools(look, { env: process.env }), look, documents, around);
  }

  /** Returns the hash of the last commit. */
  head(): string {
    return this.place.git('rev-parse', 'HEAD').trim();
  }

  /**
   * Returns the settings of a plan with these roles, each of which owns the cluster of the same name.
   *
   * @param more Settings in place of the usual ones.
   * @param hash The commit that the plan starts from.
   */
  config(
    roles: readonly string[],
    more: Partial<PlanConfig> = {},
    hash: string = this.head(),
  ): PlanConfig {
    return configSchema.parse({
      roles: Object.fromEntries(roles.map((role) => [role, { clusters: [role] }])),
      cards: Object.entries(this.cards).map(([name, line]) => ({ name, line })),
      rounds: 3,
      gateTokens: 4_000,
      researchers: 3,
      seed: 7,
      person: false,
      ...LATEST,
      commit: { hash, dirty: false },
      look: [{ name: 'repo', path: this.folder }],
      documents: { root: 'repo', index: 'main' },
      output: {
        slug: 'stay-signed-in',
        topics: 'docs/planning',
        specs: 'docs/roadmap',
        fixes: 'docs/fixes',
        research: 'docs/context/research',
      },
      ...more,
    });
  }

  /** Updates the index and makes a plan to its end. */
  async makePlan(holding: PlanOptions = {}): Promise<FinishedPlan> {
    this.index().close();
    const store = this.store();
    const held = await this.#held(holding, store, this.head());
    store.close();
    return held;
  }

  /**
   * Returns a function that makes one plan after the other. The repository and the index must not change
   * meanwhile, since they are read once.
   */
  makePlanner(): (holding: PlanOptions) => Promise<FinishedPlan> {
    this.index().close();
    const [store, hash] = [this.store(), this.head()];
    return (holding) => this.#held(holding, store, hash);
  }

  async #held(holding: PlanOptions, store: Store, hash: string): Promise<FinishedPlan> {
    const { config: more, says = STATEMENTS_BY_ROLE, topic = TOPIC, answer = stopAtGate } = holding;
    const journal = store.create('plan');
    const played = makePlanModels(holding);
    const parts = { models: played, tools: this.tools(), answer };
    const session = new Session({ journal, protocol: plan as Protocol, ...parts });
    const config = this.config(Object.keys(says), more, hash);
    const seats = seatsOf(config, holding.models);
    const ending = await session.begin({ question: topic, seats, config });
    await session.close();
    return readFinishedPlan(store, journal.run, played, ending);
  }
}

/** Returns a recorded run of a plan with its facts, spec and files. */
export function readFinishedPlan(
  store: Store,
  run: string,
  models: ScriptedModels,
  ending: Ending,
): FinishedPlan {
  const facts = store.facts(run);
  const [view, planned] = [viewOf(facts), planOf(facts)];
  const config = configSchema.parse(view.config);
  const findRequests = (task: Task, seat?: string): ModelRequest[] =>
    models.requests.filter(
      (request) =>
        request.task === `plan/${task}` && (seat === undefined || request.seat.id === seat),
    );
  return {
    models,
    ending,
    facts,
    requests: findRequests,
    view: planned,
    spec: specText(view, planned, config),
    files: filesOf(view, planned, config),
    prompts: (task, seat) => findRequests(task, seat).map(textOf),
  };
}

/** Returns the seats of a plan: one for each role, the chair and the researcher. */
export function seatsOf(
  { roles }: PlanConfig,
  models: Readonly<Record<string, string>> = {},
): Seat[] {
  const all = [...Object.keys(roles), 'chair', 'researcher'];
  return all.map((id) => makeSeat(id, { model: models[id] ?? 'test/model-1' }));
}

/** Returns models that answer by a script, and where the script has no answer with the usual valid one. */
export function makePlanModels({
  script = {},
  says = STATEMENTS_BY_ROLE,
}: PlanOptions): ScriptedModels {
  return new ScriptedModels((asked) => {
    const task = asked.task.replace(/^plan\//, '') as Task;
    const given = script[task]?.(asked) ?? answerSoundly(task, asked, says);
    return 'status' in given
      ? (given as ModelResult)
      : makeAnswer(JSON.stringify(given), { value: given });
  });
}

function answerSoundly(
  task: Task,
  asked: ModelRequest,
  says: NonNullable<PlanOptions['says']>,
): Value {
  const { heard = [], items = [] } = asked.about ?? {};
  switch (task) {
    case 'staff':
      return { queries: ['how long a session lasts'], clusters: items, name: '' };
    case 'questions':
      return { questions: [] };
    case 'look-up':
      return { answered: 'not', missing: '', quotation: '' };
    case 'research':
      return { claims: [], absent: [] };
    case 'carries':
      return { verdicts: heard.map((_, at) => makeVerdict(at + 1, !isControl(asked, at))) };
    case 'speak':
      return { statements: (says[asked.seat.id] ?? []).map(makeHandedStatement) };
    // Asked for a statement to plant, the model returns a copy of an existing one, which the program refuses.
    // The program then makes a statement itself, and `findControl` recognizes it by its words.
    case 'control':
      return makeWrittenControl({ of: heard[0]?.from ?? '', text: heard[0]?.text ?? '' });
    case 'conflicts':
      return { conflicts: findControl(asked, says) };
    case 'answer':
      return makeAnswersTo(asked, (options) =>
        options.filter((id) => isStatementOf(id, asked.seat.id)),
      );
    case 'must':
      return { holds: true, why: 'it still is one' };
    case 'reread':
      return { readings: heard.map(({ text }, at) => makeRereading(at + 1, text)) };
    case 'told':
      return { clashes: [] };
    case 'carried':
      return assessCarried(asked);
    case 'compared':
      return { contradictions: findPlantedContradiction(asked) };
    case 'synthesis':
      return makeSpecDraft({
        decisions: heard.map(({ from, text }) => ({ text: `Do: ${text}`, from: [from] })),
      });
  }
}

/** Returns a statement in the form in which a seat hands it in, with all fields. */
export function makeHandedStatement({
  kind = 'constraint',
  title = '',
  text,
  must = false,
  because = '',
}: StatementDraft) {
  return { kind, title, text, must, because };
}

/**
 * Returns a reader's answer about the statement `number`, which confirms the statement by quoting its first
 * line. It rejects the program's own example of a misreading, and every statement if `isMisread` is true.
 */
export function makeRereading(number: number, text: string, isMisread = false) {
  const says = !text.startsWith('Answers are kept in memory') && !isMisread;
  return { number, says, quotation: says ? (text.split('\n')[0] ?? '') : '', why: 'as it reads' };
}

/**
 * Returns a reader's answer to whether a part of the spec follows from the statements that it cites: `wholly`
 * if the part contains the text or id of one of them, `not` otherwise.
 */
export function assessCarried({ about }: ModelRequest) {
  const [said = ''] = about?.items ?? [];
  const found = about?.heard?.find(({ from, text }) => said.includes(text) || said.includes(from));
  return found === undefined
    ? { carried: 'not', quotation: '', missing: 'all of it' }
    : { carried: 'wholly', quotation: found.text, missing: '' };
}

/**
 * Returns the answer of a model that writes a control, in a form that every edition of the plan reads: as the
 * only control and as a list of one.
 */
export function makeWrittenControl(written: {
  readonly of: string;
  readonly text: string;
  readonly because?: string;
  readonly title?: string;
}): Value {
  const control = { because: '', title: '', ...written };
  return { ...control, controls: [control] };
}

/**
 * Returns the planted contradiction in the form in which a reader reports it; an empty list if the request
 * names no pair.
 */
export function findPlantedContradiction({ about }: ModelRequest): Value[] {
  const [planted = '', against = ''] = about?.items ?? [];
  const textOf = (id: string): string => about?.heard?.find(({ from }) => from === id)?.text ?? '';
  return against === ''
    ? []
    : [makeContradiction(planted, textOf(planted), against, textOf(against))];
}

/** Returns a contradiction between two parts in the form in which a reader reports it. */
export function makeContradiction(
  one: string,
  quotationOfOne: string,
  other: string,
  quotationOfOther: string,
) {
  return { one, quotationOfOne, other, quotationOfOther, why: 'not both can be done' };
}

/** Returns a second reader's verdict: whether (`does`) the quotation of pair `number` supports its claim. */
export function makeVerdict(number: number, does: boolean, why = 'read') {
  return { number, carries: does, why };
}

/**
 * Returns whether the pair of claim and quotation at the index `at` is the program's own, which no reader may
 * accept.
 */
export function isControl(asked: ModelRequest, at: number): boolean {
  return asked.about?.heard?.[at]?.text.startsWith('Requests that fail are sent again') === true;
}

/** Returns whether the statement `id` was made by a role. */
export function isStatementOf(id: string, role: string): boolean {
  return id.replace(/-\d+$/, '') === role;
}

/** A conflict as a reader hands it in. */
export type Clash = {
  readonly question: string;
  readonly statements: readonly string[];
  readonly given: readonly string[];
  readonly why: string;
  readonly kind: 'contradiction' | 'trade-off' | 'unowned' | 'against-context';
};

/** Returns a conflict as a reader hands it in, a contradiction unless `more` says otherwise. */
export function makeClash(
  question: string,
  statements: readonly string[],
  more: Partial<Clash> = {},
): Clash {
  return {
    question,
    statements,
    given: [],
    why: 'not both can be done',
    kind: 'contradiction',
    ...more,
  };
}

/**
 * Returns the finding of a reader that notices the planted statement: one conflict between it and the
 * statement that shares most words with it. Returns an empty list if nothing is planted.
 */
export function findControl(
  asked: ModelRequest,
  says: NonNullable<PlanOptions['says']> = STATEMENTS_BY_ROLE,
): Value[] {
  const made = new Set(Object.values(says).flatMap((all) => all.map(({ text }) => text)));
  const heard = asked.about?.heard ?? [];
  const planted = heard.find(({ text }) => !made.has(text));
  if (planted === undefined) return [];
  const words = new Set(planted.text.split(' '));
  const countShared = (text: string): number =>
    text.split(' ').filter((word) => words.has(word)).length;
  const [of] = heard
    .filter((statement) => statement !== planted)
    .sort((one, other) => countShared(other.text) - countShared(one.text));
  return of === undefined ? [] : [makeClash('Which of the two figures?', [planted.from, of.from])];
}

/**
 * Returns the id under which a reader of conflicts is shown a statement of the first round. It is another one than the
 * recorded id if the planted statement got this statement's id.
 */
export function findShownId(
  { about }: ModelRequest,
  says: NonNullable<PlanOptions['says']>,
  id: string,
): string {
  const [role, nth] = [id.replace(/-\d+$/, ''), Number(id.match(/\d+$/)?.[0])];
  const text = says[role]?.[nth - 1]?.text;
  return about?.heard?.find((heard) => heard.text === text)?.from ?? id;
}

/**
 * Returns the script of a reader that finds the planted statement and these conflicts, which name statements
 * by their recorded ids.
 */
export function makeConflictReader(
  clashes: readonly Clash[],
  says: NonNullable<PlanOptions['says']> = STATEMENTS_BY_ROLE,
): Says {
  return (asked) => {
    const toShownIds = (ids: readonly string[]): string[] =>
      ids.map((id) => findShownId(asked, says, id));
    return {
      conflicts: [
        ...findControl(asked, says),
        ...clashes.map((clash) => ({
          ...clash,
          statements: toShownIds(clash.statements),
          given: toShownIds(clash.given),
        })),
      ],
    };
  };
}

/**
 * Returns a seat's answers to all questions of a request.
 *
 * @param accepts Returns the options that the seat accepts, from all options of a question and the question's
 * id.
 * @param more The statements that the seat changes, withdraws and adds.
 */
export function makeAnswersTo(
  { about }: ModelRequest,
  accepts: (options: readonly string[], conflict: string) => readonly string[],
  more: Value = {},
) {
  const answers = (about?.items ?? []).map((item) => {
    const [conflict = '', options = ''] = item.split(': ');
    return {
      conflict,
      says: 'accepts',
      accepts: accepts(options.split(', '), conflict),
      prefers: '',
      why: 'it can be built within the month',
    };
  });
  const { change = [], withdraw = [], add = [] } = more as Record<string, Value[]>;
  return {
    answers,
    change: change.map((statement) => ({ because: '', ...statement })),
    withdraw,
    add: add.map((statement) => ({ conflict: '', ...statement })),
  };
}

/**
 * Returns a draft of the spec in the form in which the chair hands it in; its lists are empty unless `more`
 * fills them.
 */
export function makeSpecDraft(more: Value = {}) {
  return {
    goal: 'People stay signed in.',
    outOfScope: [],
    decisions: [],
    interfaces: [],
    data: [],
    tasks: [],
    risks: [],
    openQuestions: [],
    fixes: [],
    notCarried: [],
    ...more,
  };
}

/** Returns a result in which a model calls these tools. */
export function makeToolCalls(
  ...calls: readonly (readonly [name: string, given: Value])[]
): ModelResult {
  return makeAnswer('', {
    calls: calls.map(([name, given], at) => ({ id: `call-${at + 1}`, name, arguments: given })),
  });
}

/** The result of a call to a server that cannot be reached. */
export const NO_ANSWER: ModelResult = makeFailure('unreachable', 'the server is gone');

/**
 * Returns the lines below a heading of a spec, up to the first empty line. Returns an empty list if the spec
 * does not have the heading.
 */
export function readSection(spec: string, heading: string): string[] {
  const [, rest] = spec.split(`\n## ${heading}\n\n`);
  return rest === undefined ? [] : (rest.split('\n\n', 1)[0] ?? '').trimEnd().split('\n');
}

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
import { answerByDefault } from '../kernel/desk.ts';
import {
  makeAnswer,
  makeFailure,
  makeSeat,
  ScriptedModels,
  textOf,
} from '../kernel/scripted-models.ts';
import { temporaryFolder } from '../store/folder.ts';
import { emptyPlace, type Place } from '../tools/repository.ts';

/** A model's answer as JSON. */
export type Value = Readonly<Record<string, unknown>>;

/** A scripted answer; undefined for the usual one, a whole result if it is not JSON. */
type Says = (asked: ModelRequest) => Value | ModelResult | undefined;

/** The tasks of a plan, without `plan/`. */
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

/** Scripted answers by task. */
export type Script = { readonly [task in Task]?: Says | undefined };

/** A statement as a seat hands it in. */
export interface StatementDraft {
  readonly kind?: 'section' | 'constraint' | 'concern' | undefined;
  readonly title?: string | undefined;
  readonly text: string;
  readonly must?: boolean | undefined;
  readonly because?: string | undefined;
}

/** The topic of the test plans. */
export const TOPIC = 'Let people stay signed in on their own machines.';

/** What each specialist states in the first round unless a test says otherwise. */
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

const WORDS: Readonly<Record<string, string>> = {
  security: 'Sessions, tokens and who may do what',
  ux: 'Forms, waiting and what people see',
  data: 'Tables, their sizes and how they are swept',
};

/** The files of a project with a document in each of its three domains. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  'docs/security.md':
    '---\nclusters: [security]\n---\n# Sessions\n\nA session ends fifteen minutes after the last click. Tokens are opaque.\n',
  'docs/ux.md':
    '---\nclusters: [ux]\n---\n# Forms\n\nSigning in takes one form with two fields. Nobody likes to see it twice.\n',
  'docs/data.md':
    '---\nclusters: [data]\n---\n# Tables\n\nSessions are rows of one table. A sweeper removes what is thirty days old.\n',
};

/** The path of a source file in the test repository. */
export const SOURCE_FILE = 'src/session.ts';
/** The lines of the source file `SOURCE_FILE`. */
export const SOURCE_LINES = [
  'export const LENGTH = 900;',
  '/** Ends a session that nobody has used. */',
  'export function sweep(now: number): void {}',
  '',
];

/** Returns the text of a clusters file with these cards. */
export function formatClustersFile(cards: Readonly<Record<string, string>>): string {
  const rows = Object.entries(cards).map(
    ([name, line]) => `  - name: ${name}\n    line: ${line}\n`,
  );
  return `clusters:\n${rows.join('')}`;
}

/** How a plan is run. */
export interface PlanOptions {
  readonly topic?: string;
  readonly script?: Script;
  readonly config?: Partial<PlanConfig>;
  /** Statements by role. A role that a test adds owns the cluster of its name. */
  readonly says?: Readonly<Record<string, readonly StatementDraft[]>>;
  /** The model of each seat; `test/model-1` unless given. */
  readonly models?: Readonly<Record<string, string>>;
  readonly answer?: Answerer;
}

/** What a plan came to. */
export interface FinishedPlan {
  readonly models: ScriptedModels;
  readonly ending: Ending;
  readonly facts: readonly AnyFact[];
  readonly view: PlanView;
  /** The spec as Markdown. */
  readonly spec: string;
  readonly files: readonly OutcomeFile[];
  /** The requests of a task, by one seat or all. */
  requests(task: Task, seat?: string): ModelRequest[];
  prompts(task: Task, seat?: string): string[];
}

/** Template repositories by their files, which are committed once in a test process and then copied. */
const worlds = new Map<string, string>();
process.on('exit', () => {
  for (const folder of worlds.values()) rmSync(folder, { recursive: true, force: true });
});

/** A repository with an index and a database, in which plans are made. */
export class World {
  readonly place: Place = emptyPlace();
  readonly folder = this.place.folder;
  readonly database = join(temporaryFolder(), 'runs.db');
  readonly cards: Readonly<Record<string, string>>;

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

  commit(): void {
    this.place.git('add', '--all');
    this.place.git('commit', '--quiet', '--allow-empty', '-m', 'Go on');
  }

  write(path: string, text: string | Buffer): void {
    this.place.write(path, text);
  }

  /** Updates and opens the index. */
  index(): Knowledge {
    const knowledge = openKnowledge(this.database, this.folder, { create: true });
    onTestFinished(() => knowledge.close());
    knowledge.update({ paths: [join(this.folder, 'docs')] });
    return knowledge;
  }

  store(): Store {
    const store = Store.open(this.database, FACTS);
    onTestFinished(() => store.close());
    return store;
  }

  tools(): Tools {
    const look = [{ name: 'repo', path: this.folder }];
    const documents = { root: 'repo', index: 'main' };
    const around = { env: process.env, database: this.database, embedders: {} };
    return withDocuments(openTools(look, { env: process.env }), look, documents, around);
  }

  head(): string {
    return this.place.git('rev-parse', 'HEAD').trim();
  }

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

  /** Makes a plan with the index as it is now. */
  async makePlan(holding: PlanOptions = {}): Promise<FinishedPlan> {
    this.index().close();
    const store = this.store();
    const held = await this.#held(holding, store, this.head());
    store.close();
    return held;
  }

  /**
   * Returns a function that makes one plan after the other. The repository and the index must not change,
   * since they are read once.
   */
  makePlanner(): (holding: PlanOptions) => Promise<FinishedPlan> {
    this.index().close();
    const [store, hash] = [this.store(), this.head()];
    return (holding) => this.#held(holding, store, hash);
  }

  async #held(holding: PlanOptions, store: Store, hash: string): Promise<FinishedPlan> {
    const {
      config: more,
      says = STATEMENTS_BY_ROLE,
      topic = TOPIC,
      answer = answerByDefault,
    } = holding;
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

/** Returns what a recorded run came to. */
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

/** Returns the seats of a plan. */
export function seatsOf(
  { roles }: PlanConfig,
  models: Readonly<Record<string, string>> = {},
): Seat[] {
  const all = [...Object.keys(roles), 'chair', 'researcher'];
  return all.map((id) => makeSeat(id, { model: models[id] ?? 'test/model-1' }));
}

/** Returns models that answer by a script, or validly if the script has no answer. */
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
    // This repeats an existing statement and is unfit as a planted one. The program then makes one itself,
    // which `findControl` recognizes by its words.
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

/** Returns a statement as a model hands it in. */
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
 * Answers, as a reader, the item `number` with this text: quotes its first line to confirm it. Does not confirm
 * the program's own example of a misreading, or anything if `isMisread` is true.
 */
export function makeRereading(number: number, text: string, isMisread = false) {
  const says = !text.startsWith('Answers are kept in memory') && !isMisread;
  return { number, says, quotation: says ? (text.split('\n')[0] ?? '') : '', why: 'as it reads' };
}

/** Answers that a part is carried if it contains the text or id of a statement it cites. */
export function assessCarried({ about }: ModelRequest) {
  const [said = ''] = about?.items ?? [];
  const found = about?.heard?.find(({ from, text }) => said.includes(text) || said.includes(from));
  return found === undefined
    ? { carried: 'not', quotation: '', missing: 'all of it' }
    : { carried: 'wholly', quotation: found.text, missing: '' };
}

/** Returns a written control in the form of all editions: as one of several, and as the only one. */
export function makeWrittenControl(written: {
  readonly of: string;
  readonly text: string;
  readonly because?: string;
  readonly title?: string;
}): Value {
  const control = { because: '', title: '', ...written };
  return { ...control, controls: [control] };
}

/** Returns the planted contradiction in the form in which a reader reports it. */
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

/** Returns a reader's verdict on a numbered pair. */
export function makeVerdict(number: number, does: boolean, why = 'read') {
  return { number, carries: does, why };
}

/** Returns whether a numbered pair is the program's own, which no reader may accept. */
export function isControl(asked: ModelRequest, at: number): boolean {
  return asked.about?.heard?.[at]?.text.startsWith('Requests that fail are sent again') === true;
}

/** Returns whether a statement's id is one of the role's. */
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

/** Returns a conflict as a reader hands it in. */
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
 * Returns the finding of a reader that finds the planted statement: the planted statement and the one it
 * contradicts.
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
 * Returns the id under which a reader of conflicts is shown a statement of the first round, by its text. It
 * differs from the recorded one if it was swapped with the planted statement's.
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

/** Answers as a reader that finds the planted statement and these conflicts, given with recorded ids. */
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
 * Returns a seat's answers to all its questions. `accepts` chooses from the options of a question by its
 * id.
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

/** Returns a draft of the spec. */
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

/** Returns a result that calls these tools. */
export function makeToolCalls(
  ...calls: readonly (readonly [name: string, given: Value])[]
): ModelResult {
  return makeAnswer('', {
    calls: calls.map(([name, given], at) => ({ id: `call-${at + 1}`, name, arguments: given })),
  });
}

/** The result of a call to a server that is gone. */
export const NO_ANSWER: ModelResult = makeFailure('unreachable', 'the server is gone');

/** Returns the lines below a heading of a spec; none if it has no such heading. */
export function readSection(spec: string, heading: string): string[] {
  const [, rest] = spec.split(`\n## ${heading}\n\n`);
  return rest === undefined ? [] : (rest.split('\n\n', 1)[0] ?? '').trimEnd().split('\n');
}

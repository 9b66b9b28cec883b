/**
 * A plan from its topic to its spec over a real repository, a real index, real tools and a real journal.
 * Only the models are played: by task, each with a sound answer that a test replaces by its own.
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
import { nobody } from '../kernel/desk.ts';
import { failed, ScriptedModels, said, seat, textOf } from '../kernel/scripted-models.ts';
import { temporaryFolder } from '../store/folder.ts';
import { emptyPlace, type Place } from '../tools/repository.ts';

export type Value = Readonly<Record<string, unknown>>;

/** What a seat says to a form; undefined: what it says otherwise. A whole result where it is no form. */
type Says = (asked: ModelRequest) => Value | ModelResult | undefined;

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

export type Script = { readonly [task in Task]?: Says | undefined };

export interface Said {
  readonly kind?: 'section' | 'constraint' | 'concern' | undefined;
  readonly title?: string | undefined;
  readonly text: string;
  readonly must?: boolean | undefined;
  readonly because?: string | undefined;
}

export const TOPIC = 'Let people stay signed in on their own machines.';

/** What each specialist says first, where a test does not say otherwise. */
export const SAYINGS: Readonly<Record<string, readonly Said[]>> = {
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

/** Files of a project whose three domains each have a document. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  'docs/security.md':
    '---\nclusters: [security]\n---\n# Sessions\n\nA session ends fifteen minutes after the last click. Tokens are opaque.\n',
  'docs/ux.md':
    '---\nclusters: [ux]\n---\n# Forms\n\nSigning in takes one form with two fields. Nobody likes to see it twice.\n',
  'docs/data.md':
    '---\nclusters: [data]\n---\n# Tables\n\nSessions are rows of one table. A sweeper removes what is thirty days old.\n',
};

export const CODE = 'src/session.ts';
export const CODE_LINES = [
  'export const LENGTH = 900;',
  '/** Ends a session that nobody has used. */',
  'export function sweep(now: number): void {}',
  '',
];

export function clustersFile(cards: Readonly<Record<string, string>>): string {
  const rows = Object.entries(cards).map(
    ([name, line]) => `  - name: ${name}\n    line: ${line}\n`,
  );
  return `clusters:\n${rows.join('')}`;
}

export interface Holding {
  readonly topic?: string;
  readonly script?: Script;
  readonly config?: Partial<PlanConfig>;
  /** By role; a role of a test's own owns the cluster of its name. */
  readonly says?: Readonly<Record<string, readonly Said[]>>;
  /** Of a seat; `test/model-1` otherwise. */
  readonly models?: Readonly<Record<string, string>>;
  readonly answer?: Answerer;
}

export interface Held {
  readonly models: ScriptedModels;
  readonly ending: Ending;
  readonly facts: readonly AnyFact[];
  readonly view: PlanView;
  /** As Markdown. */
  readonly spec: string;
  readonly files: readonly OutcomeFile[];
  /** The requests of a task, by one seat or all. */
  asked(task: Task, seat?: string): ModelRequest[];
  prompts(task: Task, seat?: string): string[];
}

/** Repositories as they begin, by their files: committed once in a process of tests, then copied. */
const worlds = new Map<string, string>();
process.on('exit', () => {
  for (const folder of worlds.values()) rmSync(folder, { recursive: true, force: true });
});

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
      '.deliberate/clusters.yaml': clustersFile(cards),
      [CODE]: CODE_LINES.join('\n'),
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

  /** The index, brought up to date. */
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
      ...{ rounds: 3, gateTokens: 4_000, researchers: 3, seed: 7, person: false, ...LATEST },
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

  /** Has a plan made, with the index as it is now. */
  async hold(holding: Holding = {}): Promise<Held> {
    this.index().close();
    const store = this.store();
    const held = await this.#held(holding, store, this.head());
    store.close();
    return held;
  }

  /** Has one plan after the other made of what stays as it is: it is looked at once. */
  holding(): (holding: Holding) => Promise<Held> {
    this.index().close();
    const [store, hash] = [this.store(), this.head()];
    return (holding) => this.#held(holding, store, hash);
  }

  async #held(holding: Holding, store: Store, hash: string): Promise<Held> {
    const { config: more, says = SAYINGS, topic = TOPIC, answer = nobody } = holding;
    const journal = store.create('plan');
    const played = playing(holding);
    const parts = { models: played, tools: this.tools(), answer };
    const session = new Session({ journal, protocol: plan as Protocol, ...parts });
    const config = this.config(Object.keys(says), more, hash);
    const seats = seatsOf(config, holding.models);
    const ending = await session.begin({ question: topic, seats, config });
    await session.close();
    return heldIn(store, journal.run, played, ending);
  }
}

export function heldIn(store: Store, run: string, models: ScriptedModels, ending: Ending): Held {
  const facts = store.facts(run);
  const [view, planned] = [viewOf(facts), planOf(facts)];
  const config = configSchema.parse(view.config);
  const asked = (task: Task, who?: string): ModelRequest[] =>
    models.requests.filter(
      (one) => one.task === `plan/${task}` && (who === undefined || one.seat.id === who),
    );
  return {
    ...{ models, ending, facts, asked },
    view: planned,
    spec: specText(view, planned, config),
    files: filesOf(view, planned, config),
    prompts: (task, who) => asked(task, who).map(textOf),
  };
}

export function seatsOf(
  { roles }: PlanConfig,
  models: Readonly<Record<string, string>> = {},
): Seat[] {
  const all = [...Object.keys(roles), 'chair', 'researcher'];
  return all.map((id) => seat(id, { model: models[id] ?? 'test/model-1' }));
}

export function playing({ script = {}, says = SAYINGS }: Holding): ScriptedModels {
  return new ScriptedModels((asked) => {
    const task = asked.task.replace(/^plan\//, '') as Task;
    const given = script[task]?.(asked) ?? soundly(task, asked, says);
    return 'status' in given
      ? (given as ModelResult)
      : said(JSON.stringify(given), { value: given });
  });
}

function soundly(task: Task, asked: ModelRequest, says: NonNullable<Holding['says']>): Value {
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
      return { verdicts: heard.map((_, at) => carries(at + 1, !isControl(asked, at))) };
    case 'speak':
      return { statements: (says[asked.seat.id] ?? []).map(handed) };
    // Unfit, so that the program turns a statement itself, which `sees` knows by its words.
    case 'control':
      return controlled({ of: heard[0]?.from ?? '', text: heard[0]?.text ?? '' });
    case 'conflicts':
      return { conflicts: sees(asked, says) };
    case 'answer':
      return answersTo(asked, (options) => options.filter((id) => isOf(id, asked.seat.id)));
    case 'must':
      return { holds: true, why: 'it still is one' };
    case 'reread':
      return { readings: heard.map(({ text }, at) => rereads(at + 1, text)) };
    case 'told':
      return { clashes: [] };
    case 'carried':
      return carriedBy(asked);
    case 'compared':
      return { contradictions: comparesControl(asked) };
    case 'synthesis':
      return draft({
        decisions: heard.map(({ from, text }) => ({ text: `Do: ${text}`, from: [from] })),
      });
  }
}

export function handed({
  kind = 'constraint',
  title = '',
  text,
  must = false,
  because = '',
}: Said) {
  return { kind, title, text, must, because };
}

/** A reader who finds that everything says what was found, but for what the program itself gives as an example. */
export function rereads(number: number, text: string, isMisread = false) {
  const says = !text.startsWith('Answers are kept in memory') && !isMisread;
  return { number, says, quotation: says ? (text.split('\n')[0] ?? '') : '', why: 'as it reads' };
}

/** A part is carried where it says the words of a statement that it cites, or its id. */
export function carriedBy({ about }: ModelRequest) {
  const [said = ''] = about?.items ?? [];
  const found = about?.heard?.find(({ from, text }) => said.includes(text) || said.includes(from));
  return found === undefined
    ? { carried: 'not', quotation: '', missing: 'all of it' }
    : { carried: 'wholly', quotation: found.text, missing: '' };
}

/** A control as it is handed in: one of several, or the only one in plans before the fifth edition. */
export function controlled(written: {
  readonly of: string;
  readonly text: string;
  readonly because?: string;
  readonly title?: string;
}): Value {
  const control = { because: '', title: '', ...written };
  return { ...control, controls: [control] };
}

/** The contradiction that was planted, as somebody names it who sees it. */
export function comparesControl({ about }: ModelRequest): Value[] {
  const [planted = '', against = ''] = about?.items ?? [];
  const textOf = (id: string): string => about?.heard?.find(({ from }) => from === id)?.text ?? '';
  return against === '' ? [] : [contradiction(planted, textOf(planted), against, textOf(against))];
}

export function contradiction(
  one: string,
  quotationOfOne: string,
  other: string,
  quotationOfOther: string,
) {
  return { one, quotationOfOne, other, quotationOfOther, why: 'not both can be done' };
}

export function carries(number: number, does: boolean, why = 'read') {
  return { number, carries: does, why };
}

/** The pair of the program's own, which no reader may agree to. */
export function isControl(asked: ModelRequest, at: number): boolean {
  return asked.about?.heard?.[at]?.text.startsWith('Requests that fail are sent again') === true;
}

export function isOf(id: string, role: string): boolean {
  return id.replace(/-\d+$/, '') === role;
}

export interface Clash {
  readonly question: string;
  readonly statements: readonly string[];
  readonly given: readonly string[];
  readonly why: string;
  readonly kind: 'contradiction' | 'trade-off' | 'unowned' | 'against-context';
}

export function clash(question: string, statements: readonly string[], more: Partial<Clash> = {}) {
  return {
    question,
    statements,
    given: [],
    why: 'not both can be done',
    kind: 'contradiction',
    ...more,
  };
}

/** What a detector that sees the control finds there: the statement that nobody made, and what it turns. */
export function sees(asked: ModelRequest, says: NonNullable<Holding['says']> = SAYINGS): Value[] {
  const made = new Set(Object.values(says).flatMap((all) => all.map(({ text }) => text)));
  const heard = asked.about?.heard ?? [];
  const planted = heard.find(({ text }) => !made.has(text));
  if (planted === undefined) return [];
  const words = new Set(planted.text.split(' '));
  const shared = (text: string): number => text.split(' ').filter((word) => words.has(word)).length;
  const [of] = heard
    .filter((one) => one !== planted)
    .sort((one, other) => shared(other.text) - shared(one.text));
  return of === undefined ? [] : [clash('Which of the two figures?', [planted.from, of.from])];
}

/** A detector that sees the control, and these. */
export function detects(
  clashes: readonly Value[],
  says: NonNullable<Holding['says']> = SAYINGS,
): Says {
  return (asked) => ({ conflicts: [...sees(asked, says), ...clashes] });
}

/** A seat's answer to all that it is asked; `accepts`: of the options of a question, by its id. */
export function answersTo(
  { about }: ModelRequest,
  accepts: (options: readonly string[], conflict: string) => readonly string[],
  more: Value = {},
) {
  const answers = (about?.items ?? []).map((item) => {
    const [conflict = '', options = ''] = item.split(': ');
    return {
      ...{ conflict, says: 'accepts', accepts: accepts(options.split(', '), conflict) },
      ...{ prefers: '', why: 'it can be built within the month' },
    };
  });
  const { change = [], withdraw = [], add = [] } = more as Record<string, Value[]>;
  return {
    answers,
    change: change.map((one) => ({ because: '', ...one })),
    withdraw,
    add: add.map((one) => ({ conflict: '', ...one })),
  };
}

export function draft(more: Value = {}) {
  return {
    ...{ goal: 'People stay signed in.', outOfScope: [], decisions: [], interfaces: [], data: [] },
    ...{ tasks: [], risks: [], openQuestions: [], fixes: [], notCarried: [] },
    ...more,
  };
}

/** A model that wants to look something up, as a turn of it ends. */
export function looks(...calls: readonly (readonly [name: string, given: Value])[]): ModelResult {
  return said('', {
    calls: calls.map(([name, given], at) => ({ id: `call-${at + 1}`, name, arguments: given })),
  });
}

export const dead: ModelResult = failed('unreachable', 'the server is gone');

/** The lines below a heading of a spec; none where it has no such part. */
export function part(spec: string, heading: string): string[] {
  const [, rest] = spec.split(`\n## ${heading}\n\n`);
  return rest === undefined ? [] : (rest.split('\n\n', 1)[0] ?? '').trimEnd().split('\n');
}

/**
 * The data and functions of all phases: the run, its seats, the state so far, and how a seat is
 * asked. Every fact goes into both the log and `view`, so that a replay gives the same state.
 */
import type * as z from 'zod';
import type { Reply } from '../../kernel/call.ts';
import { makeNonce } from '../../kernel/chance.ts';
import { entryOf } from '../../kernel/entry.ts';
import type { Run } from '../../kernel/handle.ts';
import type {
  Message,
  MessagePart,
  ModelSpec,
  PromptContents,
  Quoted,
  Seat,
} from '../../kernel/model.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { askWithTools } from '../common/asking/asking.ts';
import { encloseInTags } from '../common/prompts/fence.ts';
import { makeVerifierSeat } from './cast.ts';
import { EMPTY_ROUNDS, type Phase, type RoundsView, type RoundView } from './claims/rounds-view.ts';
import type { RecordedExam, RoundsConfig } from './config.ts';
import {
  type ExecutedTest,
  findTests,
  findTestsBefore,
  type InheritedTest,
} from './executed-tests.ts';
import { type Fact, type FactBody, fact } from './facts.ts';
import { foldRounds } from './fold.ts';
import { type Change, findEdits, seatAt } from './fork-changes.ts';
import { formatEarlierRounds } from './prompts/earlier-rounds.ts';
import { getLimits } from './prompts/limits.ts';
import {
  isSince,
  type Material,
  orderBlocks,
  orderParts,
  type PromptEdition,
} from './prompts/order.ts';
import { formatSharedPart } from './prompts/shared.ts';
import type { Document } from './records/documents.ts';
import type { Plan } from './records/of-run.ts';
import { ROLES, type Role } from './records/types.ts';
import { addSource, makeSource, type SourceView } from './sources.ts';

interface RoundsSettings {
  readonly question: string;
  readonly seats: readonly Seat[];
  readonly verifier: ModelSpec;
  readonly seed: number;
  readonly rules?: RoundsConfig['rules'];
  readonly prompts?: PromptEdition;
  /** Whether an invented option is added when the verifier compares options. */
  readonly plantedOption?: boolean | undefined;
  /** The thinking effort of models outside the panel. */
  readonly effort?: string | undefined;
  readonly attachments: readonly Document[];
  /** What a fork changes compared with its parent run. */
  readonly changes: readonly Change[];
  /** The log at the beginning of the attempt, which contains a person's tests. */
  readonly log?: readonly AnyFact[];
  /** The tests that a fork's parent knew. */
  readonly tests?: readonly InheritedTest[];
  /** The planned rounds, for the records. */
  readonly plan: Plan;
  /** Results of reading tests from before this run. */
  readonly exams: readonly RecordedExam[];
}

/** A block of text in a prompt, with its author's role or another title. */
export type Piece = Quoted;

/** What a seat is asked to do: the task, and the parts of the prompt that only this task has. */
export interface Prompt extends Material {
  /** The name of the task, without the prefix `rounds/`. */
  readonly kind: string;
  readonly schema?: z.ZodType;
  /** Further messages after the prompt, such as a request for corrections. */
  readonly more?: readonly Message[];
  /** The subject of the task, in addition to what all tasks of the round have in common. */
  readonly about?: PromptContents;
  /** False if the seat must not see the records of earlier rounds. */
  readonly record?: boolean;
  /** The seed; default: the run's. Another seed serves to get another answer to the same prompt. */
  readonly seed?: number;
  /** Set if the seat may use tools before it answers. */
  readonly looks?: true;
}

/**
 * Converts a reply to facts, which must be the same in a replay. `step` is the call that answered.
 * `known` are the tool results that the seat could cite when it answered.
 */
type Conclude = (reply: Reply, step: string, known: readonly SourceView[]) => readonly FactBody[];

/** The author of blocks in which the program itself describes the records. */
const THE_LOG = 'the log';

/** A running deliberation: its settings, its state, and the functions that all phases use. */
export class RoundsRun {
  /** The durable run, in which steps are recorded. */
  readonly run: Run;
  /** The settings of the deliberation. */
  readonly settings: RoundsSettings;
  /** The state that the recorded facts give. */
  view: RoundsView = EMPTY_ROUNDS;
  /**
   * The verifier that the settings name. The getter `verifier` returns the seat that verifies at
   * present.
   */
  readonly verifierSeat: Seat;
  #chair: string | undefined;
  #second: string | undefined;
  #seatedFor: string | undefined;
  #tests: readonly ExecutedTest[];

  constructor(run: Run, settings: RoundsSettings) {
    this.run = run;
    this.settings = settings;
    this.verifierSeat = makeVerifierSeat(settings.verifier, settings.prompts, settings.effort);
    this.#tests = findTests(settings.log ?? []);
  }

  /**
   * The seat that verifies at present: the model that passed the reading test, or else the
   * configured one.
   */
  get verifier(): Seat {
    const model = this.#chair ?? this.#seatedFor ?? this.verifierSeat.model;
    return { ...this.verifierSeat, model };
  }

  /**
   * The model that may decide claims by reading, or undefined if no model has passed the reading
   * test.
   */
  get reader(): string | undefined {
    return this.#chair;
  }

  /** The model that reads at present, whether or not it has passed the reading test. */
  get readerModel(): string {
    return this.verifier.model;
  }

  /**
   * Another model that has passed the reading test, for second looks. If undefined, the reader
   * itself looks again.
   */
  get secondReader(): string | undefined {
    return this.#second;
  }

  /**
   * The model that the settings or a fork named as the verifier when the reader was last chosen.
   * Undefined before the first choice.
   */
  get seatedFor(): string | undefined {
    return this.#seatedFor;
  }

  /**
   * Sets the models that decide claims by reading from now on.
   * @param verifier the configured verifier
   * @param chair the model that passed the reading test and so reads and verifies, if any
   * @param second another model that passed, for second looks, if any
   */
  chooseReader(verifier: string, chair: string | undefined, second: string | undefined): void {
    this.#seatedFor = verifier;
    this.#chair = chair;
    this.#second = second;
  }

  /** The planned rounds, as far as the records need them. */
  get plan(): Plan {
    return this.settings.plan;
  }

  /** Whether seats may look things up with tools. */
  get looks(): boolean {
    return this.run.tools.length > 0;
  }

  /** Returns the state of a round by its number. */
  round(number: number): RoundView {
    const found = this.view.rounds.find((round) => round.round === number);
    if (found === undefined) throw new Error(`round ${number} has not begun`);
    return found;
  }

  /** Returns the seat of a role. */
  seat(role: Role): Seat {
    const found = this.settings.seats.find((seat) => seat.id === role);
    if (found === undefined) throw new Error(`nobody plays ${role}`);
    return found;
  }

  /** Returns the roles that take part in a round. */
  getPresentRoles(round: number): Role[] {
    const { absent } = this.round(round);
    return ROLES.filter((role) => role !== absent);
  }

  /**
   * Records facts that code derives, in a step of their own. A resumed run does not record them
   * again.
   */
  async record(key: string, facts: readonly FactBody[]): Promise<void> {
    await this.run.step(key, facts, ({ emit }) => {
      for (const body of facts) emit(body);
      return null;
    });
    this.applyFacts(facts);
  }

  /** Updates the state by facts that are in the log, or will be. */
  applyFacts(facts: readonly FactBody[]): void {
    // The cast is safe: `body` lacks only the run's id, the position in the log and the time. The fold uses none.
    for (const body of facts) this.view = foldRounds(this.view, body as Fact);
  }

  /** Records that a phase begins, and applies what a person or a fork has changed before it. */
  async enter(round: number, phase: Phase): Promise<void> {
    await this.record(`round-${round}/${phase}/enter`, [fact('phase.entered', { round, phase })]);
    await this.applyEdits(round, phase);
  }

  /**
   * Adds tests that a person ran before this phase, and applies a fork's changed wording of claims.
   */
  async applyEdits(round: number, phase: Phase): Promise<void> {
    await this.#takeNote(round, phase);
    const edits = findEdits(round, phase, this.settings.changes).flatMap(({ claim, text }) => {
      const was = entryOf(this.view.claims, claim)?.text;
      return was === undefined || was === text
        ? []
        : [fact('claim.edited', { claim, round, text, was })];
    });
    if (edits.length > 0) await this.record(`round-${round}/${phase}/edits`, edits);
  }

  async #takeNote(round: number, phase: Phase): Promise<void> {
    const { log = [], tests = [] } = this.settings;
    const inherited = tests.filter(({ from }) => from === `round-${round}/${phase}`);
    if (inherited.length > 0)
      await this.record(
        `round-${round}/${phase}/tests`,
        inherited.flatMap(({ facts }) => facts),
      );
    const known = findTestsBefore(this.#tests, log, round, phase);
    this.#tests = this.#tests.filter((test) => !known.includes(test));
    for (const { id, facts } of known)
      if (!this.view.rounds.some(({ evidence }) => evidence?.some((entry) => entry.id === id)))
        this.applyFacts(facts);
  }

  /**
   * Asks a seat, and records the facts that its reply gives.
   * @param key the key of the step within the round, such as `B/proposal`
   * @param conclude converts the reply to facts; it must give the same facts in a replay
   */
  async ask(
    key: string,
    seat: Seat,
    round: number,
    prompt: Prompt,
    conclude: Conclude = () => [],
  ): Promise<Reply> {
    const step = `round-${round}/${key}`;
    // Use the model that a fork sets for a seat at this step. `chooseReader` has done this for the verifier.
    const { brief, ...place } =
      seat.id === this.verifierSeat.id ? seat : seatAt(seat, step, this.settings.changes);
    const record = (prompt.record === false ? [] : formatEarlierRounds(this.view, round)).map(
      (text) => ({
        from: THE_LOG,
        text,
      }),
    );
    const frame = {
      shared: formatSharedPart(this.settings),
      record,
      brief,
      id: makeNonce(this.settings.seed, 'pieces'),
    };
    const parts = orderParts(frame, prompt, this.settings.prompts);
    return this.#call(step, place, round, prompt, record, parts, conclude);
  }

  /**
   * Asks a seat with the task alone: without the question, documents and records.
   * @param key the key of the step within the round, such as `A/exam-0`
   */
  async askBare(
    key: string,
    { brief: _brief, ...place }: Seat,
    round: number,
    prompt: Omit<Prompt, 'heard' | 'rules' | 'pieces' | 'record'>,
    conclude: Conclude = () => [],
  ): Promise<Reply> {
    const bare = { ...prompt, record: false };
    const parts = [{ text: prompt.task }];
    return this.#call(`round-${round}/${key}`, place, round, bare, [], parts, conclude);
  }

  async #call(
    step: string,
    place: Omit<Seat, 'brief'>,
    round: number,
    prompt: Prompt,
    record: readonly Quoted[],
    parts: readonly MessagePart[],
    conclude: Conclude,
  ): Promise<Reply> {
    // Record a failed call in the list of refusals, except for a reading test, whose result is recorded anyway.
    const leaves = prompt.kind !== 'exam';
    let answered = step;
    let known = this.view.sources;
    const collectFacts = (reply: Reply): readonly FactBody[] => [
      ...conclude(reply, answered, known),
      ...(reply.status === 'failed' && leaves
        ? [failedCall(round, answered, place.id, reply)]
        : []),
    ];
    const reply = await askWithTools(
      this.run,
      step,
      {
        task: `rounds/${prompt.kind}`,
        about: this.#about(round, record, prompt),
        // The seat's brief is empty here, because `ask` puts its text behind the part that all seats share. So seats
        // on one model share the cached beginning of the prompt.
        seat: { ...place, brief: '' },
        seed: prompt.seed ?? this.settings.seed,
        messages: [{ role: 'user', parts }, ...(prompt.more ?? [])],
        ...(prompt.schema === undefined
          ? {}
          : { schema: prompt.schema, limits: getLimits(prompt.kind) }),
      },
      {
        conclude: collectFacts,
        ...(prompt.looks ? {} : { tools: [] }),
        announces: isSince(this.settings.prompts, 4),
        // Keep the step of the last turn: a seat that uses tools takes several turns, and only the last one is its
        // answer.
        again: (turn) => {
          answered = turn;
          return false;
        },
        found: (lookup) => {
          const source = makeSource({ ...lookup, seat: place.id });
          if (source === undefined) return;
          this.view = addSource(this.view, source);
          // `known` holds the tool results that the seat saw before its answer. Files that a coding agent cites
          // (`source.cites`) are read after the answer, so leave them out.
          if (source.cites === undefined) known = [...known, source];
        },
      },
    );
    if (reply.status !== 'stopped') this.applyFacts(collectFacts(reply));
    return reply;
  }

  /** Describes the subject of a request. The ids are those of all records, round by round. */
  #about(round: number, record: readonly Quoted[], prompt: Prompt): PromptContents {
    const rounds = prompt.record === false ? [] : this.view.rounds;
    return {
      question: this.settings.question,
      heard: [...record, ...orderBlocks(prompt, this.settings.prompts)],
      items: rounds.flatMap(({ raised, verifications, decisions }) => [
        ...raised,
        ...[...verifications, ...decisions].map(({ id }) => id),
      ]),
      round,
      absent: this.view.rounds.find((roundView) => roundView.round === round)?.absent,
      ...prompt.about,
    };
  }

  /**
   * Returns the messages that ask for a corrected answer.
   * @param answer the answer so far
   * @param problems what is wrong with the answer
   * @param again what is asked for
   */
  makeCorrection(answer: string, problems: string, again: string): Message[] {
    const text = [
      'That cannot stand, for these reasons:',
      this.quoteText('what was wrong with your answer', problems),
      again,
    ].join('\n\n');
    return [
      { role: 'assistant', parts: [{ text: answer }] },
      { role: 'user', parts: [{ text }] },
    ];
  }

  /**
   * Encloses a model's text in tags, so that a prompt can repeat the text.
   * @param from the author of the text
   */
  quoteText(from: string, text: string): string {
    return encloseInTags('piece', makeNonce(this.settings.seed, 'pieces'), from, text);
  }
}

function failedCall(
  round: number,
  step: string,
  seat: string,
  { message }: Extract<Reply, { status: 'failed' }>,
): FactBody {
  return fact('refusal.recorded', {
    round,
    kind: 'call',
    by: seat,
    text: step,
    why: message,
  });
}

/**
 * The streams of a run's calls, and the columns that some of them stand in: one for each seat and question, one
 * for each running call, or none, as the protocol's runs are followed.
 */
import type { Seat } from '../../kernel/model.ts';
import { stepOf } from '../../kernel/tools/tools.ts';
import { CallStream } from './call-stream.ts';
import { Callers } from './callers.ts';
import type { Column, RunShape } from './run-model.ts';
import { SYNTHESIZER, type Syntheses, versionOf } from './syntheses.ts';

/**
 * Collects the output of all calls of a run, and decides which call is shown in which column or
 * synthesis.
 */
export class Streams {
  readonly #shape: RunShape['columns'];
  readonly #syntheses: Syntheses;
  /** The columns by the number of the question. */
  readonly #columns = new Map<number, readonly Column[]>();
  /** The columns of seats that come and go. */
  readonly #callers = new Callers();
  /** The streams of the present phase by step, also of calls without a column. */
  readonly #byStep = new Map<string, CallStream>();

  constructor(shape: RunShape['columns'], syntheses: Syntheses) {
    this.#shape = shape;
    this.#syntheses = syntheses;
  }

  /** Returns the columns of a question. `isLive`: whether the run is going on. */
  columnsOf(question: number, isLive: boolean): readonly Column[] {
    if (this.#shape.by !== 'calls') return this.#columns.get(question) ?? [];
    return isLive ? this.#callers.columns : this.#callers.latest;
  }

  /** Makes a column for each seat, unless the question has columns already. */
  addColumns(question: number, seats: readonly Seat[]): void {
    if (!this.#columns.has(question)) this.#columns.set(question, makeColumns(seats));
  }

  /**
   * Makes `columns` the columns of a question, with another model for one seat. The outputs that the
   * columns show stay.
   */
  changeModel(question: number, columns: readonly Column[], seat: string, model: string): void {
    this.#columns.set(
      question,
      columns.map((column) =>
        column.seat.id === seat ? { ...column, seat: { ...column.seat, model } } : column,
      ),
    );
  }

  /**
   * Returns the stream for the output of a call that begins, and creates the stream and its column if
   * needed.
   *
   * @param speaker the seat that is called; undefined if the seat does not belong to the panel
   * @param subject the question that the call is about, if the heading of the column should show it
   */
  begin(
    seat: string,
    step: string,
    speaker: Seat | undefined,
    subject: string | undefined,
  ): CallStream | undefined {
    const { by } = this.#shape;
    // A seat whose answer goes on after a tool call keeps its column.
    const goesOn = by === 'calls' && this.#callers.streamOf(stepOf(step))?.running;
    if (by === 'calls' && speaker !== undefined && !goesOn)
      this.#callers.begin(stepOf(step), speaker, subject);
    const known = this.of(seat, step);
    if ((by === 'latest' || known === undefined) && !this.#byStep.has(step))
      this.#byStep.set(step, known ?? new CallStream(seat));
    return this.of(seat, step);
  }

  /** Returns the stream that shows the output of a step's call; undefined if there is none. */
  of(seat: string, step: string): CallStream | undefined {
    const shape = this.#shape;
    if (shape.by === 'calls') return this.#callers.streamOf(stepOf(step));
    for (const [question, columns] of this.#columns) {
      if (shape.by === 'answers' && stepOf(step) !== shape.stepOf(seat, question)) continue;
      const column = columns.find((column) => column.seat.id === seat);
      if (column !== undefined) return column.stream;
    }
    const version = seat === SYNTHESIZER ? versionOf(step) : undefined;
    return version === undefined ? this.#byStep.get(step) : this.#syntheses.streamOf(version);
  }

  /**
   * Returns the streams of the present phase whose steps begin with the prefix, in the order in which they began.
   * Left out are streams that only a column or a synthesis shows.
   */
  below(prefix: string): [step: string, stream: CallStream][] {
    return [...this.#byStep].filter(([step]) => step.startsWith(prefix));
  }

  /** Returns all streams, those of columns first. */
  all(): Set<CallStream> {
    const columns = [...this.#columns.values()].flat();
    const shown = [...columns, ...this.#callers.columns, ...this.#syntheses.all];
    return new Set([...shown.map(({ stream }) => stream), ...this.#byStep.values()]);
  }

  /** Drops the stream of a step whose call has ended, unless the protocol keeps streams until a phase ends. */
  end(step: string): void {
    const shape = this.#shape;
    if (shape.by !== 'latest' || shape.until === undefined) this.#byStep.delete(step);
  }

  /** Drops the streams of all calls that have ended, if a fact of this type ends a phase of the protocol. */
  endPhase(type: string): void {
    const shape = this.#shape;
    if (shape.by !== 'latest' || type !== shape.until) return;
    for (const [step, stream] of this.#byStep) if (!stream.running) this.#byStep.delete(step);
  }
}

function makeColumns(seats: readonly Seat[]): Column[] {
  const times = new Map<string, number>();
  for (const { title } of seats) times.set(title, (times.get(title) ?? 0) + 1);
  return seats.map((seat) => ({
    seat,
    name: nameSeat(seat, times.get(seat.title) === 1),
    stream: new CallStream(seat.id),
  }));
}

/** Returns the seat's title, with its id if another seat has the same title. */
function nameSeat({ id, title }: Seat, isOnlyOne: boolean): string {
  if (title === '') return id;
  return isOnlyOne ? title : `${title} (${id})`;
}

/**
 * What the console knows of the run: the kernel's fold of the facts, and a voice for every seat and
 * every synthesis. It listens to the feed and is plain state; screens read it once a frame.
 */
import type { Listener, Live } from '../kernel/bus.ts';
import type { Fact } from '../kernel/facts.ts';
import type { Seat } from '../kernel/model.ts';
import { EMPTY_VIEW, foldRun, type RunView, type SynthesisView } from '../kernel/view.ts';
import { cleanFact } from './door.ts';
import { Voice } from './voice.ts';

/** The seat that protocols let write their syntheses, in steps `synthesis/1`, `synthesis/2`, … */
const SYNTHESIZER = 'synthesizer';

/** A seat of the panel and its latest call. */
export interface Column {
  readonly seat: Seat;
  /** The role as people read it; the seat's id where the role sits twice. */
  readonly name: string;
  readonly voice: Voice;
}

/** A synthesis that is being written, was written, or failed. */
export interface Draft {
  readonly version: number;
  readonly voice: Voice;
  /** Once it is finished. */
  readonly done: SynthesisView | undefined;
}

export class Desk implements Listener {
  view: RunView = EMPTY_VIEW;
  columns: readonly Column[] = [];
  drafts: readonly Draft[] = [];
  /** Stop was pressed here and the run has not ended yet. */
  stopping = false;
  readonly #now: () => number;
  readonly #changed: () => void;

  /** `changed` is called after everything that may look different on the screen. */
  constructor(facts: readonly Fact[], now: () => number, changed: () => void) {
    this.#now = now;
    this.#changed = changed;
    for (const one of facts) this.#take(cleanFact(one));
  }

  /** A sitting is going on, here or in another process. */
  get sitting(): boolean {
    return this.view.id !== '' && this.view.status === 'running';
  }

  get running(): number {
    return this.columns.filter(({ voice }) => voice.running).length;
  }

  /** Seats that have answered. */
  get answers(): number {
    return this.columns.filter(({ voice }) => voice.phase.kind === 'done').length;
  }

  /** A seat's name by its id. */
  nameOf(seat: string): string {
    return this.columns.find((one) => one.seat.id === seat)?.name ?? seat;
  }

  /** Tokens of the whole run; those of calls that still run are estimated. */
  tokens(): { count: number; estimated: boolean } {
    const { input, output } = this.view.usage;
    const running = this.#voices().reduce((sum, one) => sum + (one.running ? one.tokens : 0), 0);
    return { count: Math.round(input + output + running), estimated: running > 0 };
  }

  fact(one: Fact): void {
    this.#take(cleanFact(one));
    this.#changed();
  }

  live(news: Live): void {
    if (this.#voiceOf(news.seat, news.step)?.hear(news, this.#now())) this.#changed();
  }

  #take(one: Fact): void {
    this.view = foldRun(this.view, one);
    switch (one.type) {
      case 'run.started':
        this.columns = columnsOf(this.view.seats);
        break;
      case 'run.resumed':
      case 'run.ended':
        this.stopping = false;
        for (const voice of this.#voices()) if (voice.running) voice.lose();
        break;
      case 'step.started':
        if (one.kind === 'call')
          this.#voiceOf(one.seat ?? '', one.step)?.begin(
            one.attempt,
            one.model ?? '',
            Date.parse(one.at),
          );
        break;
      case 'call.completed':
      case 'call.failed':
      case 'call.stopped': {
        const call = this.view.calls[one.step];
        if (call !== undefined) this.#voiceOf(one.seat, one.step)?.end(call);
        break;
      }
      case 'synthesis.completed':
        this.#finish(this.view.syntheses.find(({ version }) => version === one.version));
        break;
      default:
        break;
    }
  }

  #voices(): Voice[] {
    return [...this.columns, ...this.drafts].map(({ voice }) => voice);
  }

  #voiceOf(seat: string, step: string): Voice | undefined {
    const column = this.columns.find((one) => one.seat.id === seat);
    if (column !== undefined) return column.voice;
    return seat === SYNTHESIZER ? this.#draft(this.#versionOf(step)).voice : undefined;
  }

  #versionOf(step: string): number {
    const numbered = /(\d+)$/.exec(step)?.[1];
    return numbered === undefined ? 1 : Number(numbered);
  }

  #draft(version: number): Draft {
    const known = this.drafts.find((one) => one.version === version);
    if (known !== undefined) return known;
    const draft: Draft = { version, voice: new Voice(SYNTHESIZER), done: undefined };
    this.drafts = [...this.drafts, draft].sort((a, b) => a.version - b.version);
    return draft;
  }

  #finish(done: SynthesisView | undefined): void {
    if (done === undefined) return;
    const draft = this.#draft(done.version);
    // The text may have come from a parent's record, without a call of this run.
    if (draft.voice.text.text !== done.text) draft.voice.recite(done.text, done.model);
    this.drafts = this.drafts.map((one) => (one === draft ? { ...draft, done } : one));
  }
}

function columnsOf(seats: readonly Seat[]): Column[] {
  const times = new Map<string, number>();
  for (const { role } of seats) times.set(role, (times.get(role) ?? 0) + 1);
  return seats.map((seat) => ({
    seat,
    name: (times.get(seat.role) ?? 0) > 1 ? seat.id : seat.title || seat.id,
    voice: new Voice(seat.id),
  }));
}

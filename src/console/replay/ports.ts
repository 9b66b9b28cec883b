/** What the console is given: a run to show and, where this process owns it, handles to act on it. */

import type { Feed } from '../../kernel/bus.ts';
import type { Control } from '../../kernel/facts.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';

/** A terminal to draw on whose writes never block. */
export interface Screen extends NodeJS.EventEmitter {
  readonly columns: number;
  readonly rows: number;
  /** Ink draws on the alternate screen of a terminal only. */
  readonly isTTY: boolean;
  /** Bytes not yet taken by the terminal: while there are many, frames are skipped. */
  readonly pending: number;
  write(text: string): boolean;
  /** Past everything that waits. */
  writeNow(text: string): void;
}

/** A run as the console follows it. */
export interface Subject {
  /** What the log says when the console opens. */
  readonly facts: readonly AnyFact[];
  readonly feed: Feed;
  /** Absent where the run is only watched or replayed: then no key changes anything. */
  readonly actions?: Actions;
  /** Another process has it, and the keys that act on it. */
  readonly elsewhere?: boolean;
  /** Present where a recorded run is played back. */
  readonly playback?: Playback;
}

/** A recorded run being played, and the handles on it. Times are milliseconds of playing time. */
export interface Playback {
  readonly speed: number;
  readonly paused: boolean;
  readonly ended: boolean;
  readonly position: number;
  readonly length: number;
  /** How long the silence was that is being shortened now; undefined where none is. */
  readonly gapMs: number | undefined;
  toggle(): void;
  faster(): void;
  slower(): void;
  step(by: 1 | -1): void;
  phase(by: 1 | -1): void;
  toEnd(): void;
  /** Told when it goes back: what had been recorded by then is all there is again. */
  onRewind(listener: (facts: readonly AnyFact[]) => void): void;
}

/** Where texts are taken to. None of it changes the run. */
export interface Outside {
  /** Hands a text to the platform's clipboard. Resolves to the tool's name; undefined: there is none. */
  copy(text: string): Promise<string | undefined>;
  /** Writes a new Markdown file, never over another one. Resolves to its path. */
  save(name: string, text: string): Promise<string>;
  /** What was written in a box of this run and not sent; empty where nothing was. */
  draft(box: string): string;
  keepDraft(box: string, text: string): void;
}

/** A model that could play a seat: how it is called (`provider/model`), and a few words about it. */
export interface ModelOffer {
  readonly spec: string;
  readonly detail: string;
}

/** What a person can do to a run. Each takes effect by facts that come back through the feed. */
export interface Actions {
  /** Stops everything that is being said; keeps what was said. */
  stop(): void;
  stopSeat(seat: string): void;
  /** Asks a seat again whose call failed, was stopped or was lost: at once, also after the attempt. */
  retrySeat(seat: string, model?: string): void;
  /** Starts another synthesis from the answers there are. */
  resynthesize(options: { model?: string; note?: string; without?: string[] }): void;
  /** The ablation of a synthesis: one more without each of its seats, and one with all of them. */
  ablate(version: number): void;
  /** Puts a further question to the same seats. */
  followUp(question: string): void;
  /** Goes on where the run stopped: unfinished seats are asked again. */
  resume(): void;
  answer(step: string, value: string): void;
  /** A word to the run: taken where the protocol next asks for it. */
  tell(control: Control): void;
  /** Lets running calls end and begins no other; again: goes on. Returns whether the run rests now. */
  pause(): boolean;
  /** The models that the providers offer now; absent where they cannot be asked. */
  models?(): Promise<readonly ModelOffer[]>;
  /** What the run can be written as. */
  readonly exports: readonly ExportOffer[];
}

export interface ExportOffer {
  /** The letter that chooses it: none that moves in a list. */
  readonly key: string;
  readonly label: string;
  readonly about: string;
  /** Resolves to the path of what was written. */
  write(): Promise<string>;
}

/**
 * What the console is handed by whoever opens it on a run: what it shows and, where this process owns the
 * run, handles to act on it.
 */
import type { DecisionWish } from '../../decisions/taking.ts';
import type { Feed } from '../../kernel/bus.ts';
import type { Control } from '../../kernel/facts.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Playback } from '../replay/playback.ts';
import type { ModelOffer } from '../ui/forms/models.ts';

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

/** What was written in the boxes of a run and not sent. */
export interface RunDrafts {
  /** Empty where nothing was. */
  draft(box: string): string;
  keepDraft(box: string, text: string): void;
}

/** Where texts are taken to. None of it changes the run. */
export interface Outside extends RunDrafts {
  /** Hands a text to the platform's clipboard. Resolves to the tool's name; undefined: there is none. */
  copy(text: string): Promise<string | undefined>;
  /** Writes a new Markdown file, never over another one. Resolves to its path. */
  save(name: string, text: string): Promise<string>;
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
  /** Adds a line to the iteration log. @throws Error that says why the line cannot be taken */
  noteIteration(text: string): void;
  /** Records a decision on the run. Rejects with an error that says why the decision cannot be recorded. */
  decide(wish: DecisionWish): Promise<void>;
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

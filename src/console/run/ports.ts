/**
 * What the console gets from whoever opens it on a run: what it shows and, if this process owns the run,
 * actions on it.
 */
import type { DecisionWish } from '../../decisions/taking.ts';
import type { Feed } from '../../kernel/bus.ts';
import type { Control } from '../../kernel/facts.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Playback } from '../replay/playback.ts';
import type { ModelOffer } from '../ui/forms/models.ts';

/** A run as the console follows it. */
export interface Subject {
  /** The facts when the console opens. */
  readonly facts: readonly AnyFact[];
  readonly feed: Feed;
  /** Actions on the run; absent if it is only watched or replayed, so that no key changes anything. */
  readonly actions?: Actions;
  /** Whether another process owns the run, so that its console has the acting keys. */
  readonly elsewhere?: boolean;
  /** The playback, for a recorded run. */
  readonly playback?: Playback;
}

/** Stored drafts of text fields of a run. */
export interface RunDrafts {
  /** Returns the draft of a text field; empty if there is none. */
  draft(box: string): string;
  keepDraft(box: string, text: string): void;
}

/** Where texts are copied or written to. None of it changes the run. */
export interface Outside extends RunDrafts {
  /**
   * Copies a text with the platform's clipboard tool. Resolves to the tool's name, or undefined if there is
   * none.
   */
  copy(text: string): Promise<string | undefined>;
  /** Writes a new Markdown file without replacing another. Resolves to its path. */
  save(name: string, text: string): Promise<string>;
}

/** What a person can do to a run. Every action takes effect through facts that arrive by the feed. */
export interface Actions {
  /** Stops all running calls; their output so far is kept. */
  stop(): void;
  stopSeat(seat: string): void;
  /**
   * Asks a seat again whose call failed, was stopped or was lost: at once, or in a new attempt if none is under
   * way.
   */
  retrySeat(seat: string, model?: string): void;
  /** Starts another synthesis from the present answers. */
  resynthesize(options: { model?: string; note?: string; without?: string[] }): void;
  /** Ablates a synthesis: writes one more without each of its seats, and one with all of them. */
  ablate(version: number): void;
  /** Asks the same seats a further question. */
  followUp(question: string): void;
  /** Resumes a stopped run: unfinished seats are asked again. */
  resume(): void;
  answer(step: string, value: string): void;
  /** Sends a message to the run, which takes effect when the protocol next looks for one. */
  tell(control: Control): void;
  /**
   * Adds a line to the iteration log.
   * @throws Error that says why the line is refused
   */
  noteIteration(text: string): void;
  /** Records a decision on the run. Rejects with an error that says why the decision cannot be recorded. */
  decide(wish: DecisionWish): Promise<void>;
  /**
   * Pauses the run: running calls may end, no others begin. Called again, continues. Returns whether it is
   * paused now.
   */
  pause(): boolean;
  /** Returns the models that providers offer now; absent if they cannot be asked. */
  models?(): Promise<readonly ModelOffer[]>;
  /** The formats that the run can be exported in. */
  readonly exports: readonly ExportOffer[];
}

export interface ExportOffer {
  /** The letter that chooses the format. Letters that move in lists are not used. */
  readonly key: string;
  readonly label: string;
  readonly about: string;
  /** Writes the file. Resolves to its path. */
  write(): Promise<string>;
}

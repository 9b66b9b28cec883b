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

/** A run as the console shows it, with what the person can do to it. */
export interface Subject {
  /** The facts that were recorded when the console opens. */
  readonly facts: readonly AnyFact[];
  /** Publishes further facts and live events. */
  readonly feed: Feed;
  /** What the person can do to the run; absent if it is only watched or played back. */
  readonly actions?: Actions;
  /** Whether another process works on the run, so that only its console can act. */
  readonly elsewhere?: boolean;
  /** The controls of a run that is played back. */
  readonly playback?: Playback;
}

/** Stores drafts of a run's text fields. */
export interface RunDrafts {
  /** Returns the draft of a text field; empty if there is none. */
  draft(box: string): string;
  /** Stores the draft of a text field. */
  keepDraft(box: string, text: string): void;
}

/** Lets the console copy texts to the clipboard and write files. */
export interface SystemAccess extends RunDrafts {
  /**
   * Copies a text with a clipboard tool. Resolves to the tool's name, or to undefined if there is
   * none.
   */
  copy(text: string): Promise<string | undefined>;
  /** Writes a new Markdown file without replacing another. Resolves to its path. */
  save(name: string, text: string): Promise<string>;
}

/** What a person can do to a run. */
export interface Actions {
  /** Stops the run. The output of running calls is kept. */
  stop(): void;
  /** Stops the call of one seat. */
  stopSeat(seat: string): void;
  /**
   * Asks a seat again whose call failed, was stopped or was lost. Starts a new attempt if none is
   * under way.
   */
  retrySeat(seat: string, model?: string): void;
  /**
   * Starts another synthesis from the present answers. `note` is an instruction to the synthesizer,
   * and `without` names seats to leave out, by id.
   */
  resynthesize(options: { model?: string; note?: string; without?: string[] }): void;
  /**
   * Writes a synthesis again without each of its seats, and once with all of them, to show what
   * each seat contributes.
   */
  ablate(version: number): void;
  /** Asks the same seats a further question. */
  followUp(question: string): void;
  /** Resumes a stopped run: unfinished seats are asked again. */
  resume(): void;
  /**
   * Answers a question that the run asks the person.
   * @param step the key of the step that asks
   */
  answer(step: string, value: string): void;
  /**
   * Records a message to the run, such as a note for the seats. A protocol that takes such messages reads
   * it before its next calls.
   */
  tell(control: Control): void;
  /**
   * Adds a line to the run's iteration log: what the run has taught about how to hold the next one.
   *
   * @throws Error that says why the line is refused
   */
  noteIteration(text: string): void;
  /** Records a decision on the run. Rejects with the reason if the decision is refused. */
  decide(wish: DecisionWish): Promise<void>;
  /**
   * Pauses the run, or continues it. While paused, running calls may end and no others begin.
   * Returns whether the run is paused now.
   */
  pause(): boolean;
  /** Lists the models that providers offer; absent if they cannot be asked. */
  models?(): Promise<readonly ModelOffer[]>;
  /** The formats that the run can be exported in. */
  readonly exports: readonly ExportOffer[];
}

/** A format that a run can be exported in. */
export interface ExportOffer {
  /** The letter that chooses the format. */
  readonly key: string;
  readonly label: string;
  /** A description in a phrase. */
  readonly about: string;
  /** Writes the file. Resolves to its path. */
  write(): Promise<string>;
}

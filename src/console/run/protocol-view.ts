/**
 * What a protocol tells the console about how its runs differ from others. The console knows no protocol;
 * without a protocol's word it shows what every run has: columns of seats, syntheses, the tree of steps and the
 * log.
 */
import type { CallsLeft } from '../../kernel/attempt/time-left.ts';
import type { GateView, RunView } from '../../kernel/view.ts';
import { leadingSentence } from '../../text/answers/first-sentence.ts';
import type { Command, Condition } from '../keys/keymap.ts';
import type { RunModel, RunShape, SynthesisWords } from '../model/run-model.ts';
import type { Mention } from '../ui/citing.ts';
import type { Dialog } from '../ui/component.ts';
import type { FormAround } from './forms/around.ts';
import type { Tab } from './tabs/page.ts';

/** How the console shows runs of a protocol. */
export interface ProtocolView extends RunShape, SynthesisWords {
  /**
   * Tabs in addition to the usual tabs. A tab with the same `place` as a usual tab replaces that
   * tab.
   */
  readonly tabs: readonly Tab[];
  /** The id of the tab that is shown at first; absent: the columns. */
  readonly opensWith?: string;
  /** The id of the tab that the command `vote` opens. */
  readonly votesIn: string;
  /**
   * The id of the tab with all output of seats, for protocols in which a seat can lose its column;
   * absent: all seats keep their columns.
   */
  readonly saidIn?: string;
  /** The records, such as claims, that texts name by id; absent: texts name none. */
  readonly records?: {
    /** The id of the tab whose page can show a record, by its method `show`. */
    readonly tab: string;
    /** Returns the records whose ids occur in a text, each once, in the order of the text. */
    readonly namedIn: (text: string, run: RunModel) => readonly Mention[];
  };
  /**
   * What the protocol's own keys do: they return a form to open, or act at once and return
   * undefined.
   */
  readonly commands: Readonly<Partial<Record<Command, (around: FormAround) => Dialog | undefined>>>;
  /** How the protocol evaluates its own conditions of keys. */
  readonly holds: Readonly<Partial<Record<Condition, (run: RunModel) => boolean>>>;
  /**
   * Conditions of keys that are never met in the protocol's runs, each with the reason in a short
   * sentence.
   */
  readonly lacks: Readonly<Partial<Record<Condition, string>>>;
  /** Returns the options of the run's votes, most votes first. */
  readonly options: (run: RunModel) => readonly string[];
  /** Returns the word for whoever will read a person's note next: `next synthesis`. */
  readonly noteReader: (run: RunModel) => string;
  /** Whether another synthesis may leave seats out. */
  readonly leavesOut: boolean;
  /** Describes the state of a live run in one line; undefined to use the console's own words. */
  readonly status: (run: RunModel, now: number) => string | undefined;
  /**
   * Describes the state of a finished run, in `room` cells if possible; undefined to use the
   * console's own words.
   */
  readonly done: (run: RunModel, room: number) => string | undefined;
  /** Returns the progress of a live run for the window's title: `round 3`. */
  readonly progress: (run: RunModel) => string | undefined;
  /**
   * Returns how many calls the attempt still makes, to estimate the time that is left; undefined if that is not
   * known.
   */
  readonly callsLeft: (view: RunView) => CallsLeft | undefined;
  /** Returns lines to show between a question that the run asks the person and its options. */
  readonly asks: (gate: GateView, run: RunModel) => readonly string[];
  /** Types of facts at which phases begin, to which a person can jump while a recorded run is played back. */
  readonly marks: readonly string[];
}

const returnNothing = (): undefined => undefined;

/**
 * How the console shows a run if its protocol specifies nothing. A protocol overrides only what
 * differs.
 */
export const COMMON_VIEW: ProtocolView = {
  parts: [],
  columns: { by: 'latest' },
  answer: returnNothing,
  says: returnNothing,
  tabs: [],
  votesIn: 'vote',
  commands: {},
  holds: {},
  lacks: {
    'rounds live': 'This run has no rounds.',
    suspected: 'No failure mode is suspected.',
    'board answers': 'Follow-up questions work on board runs only.',
    canAblate: 'Ablation works on board runs only.',
    votes: 'No ballots were cast.',
    filters: 'This run has no list of claims.',
    retraces: 'No link was followed to get here.',
  },
  options: () => [],
  noteReader: () => 'next step that takes notes',
  leavesOut: false,
  status: returnNothing,
  done: returnNothing,
  progress: returnNothing,
  callsLeft: returnNothing,
  asks: () => [],
  heading: returnNothing,
  remarks: () => [[], []],
  lead: ({ done, stream }) => ({
    sentence: done && leadingSentence(stream.text.text),
    beside: [],
  }),
  marks: [],
};

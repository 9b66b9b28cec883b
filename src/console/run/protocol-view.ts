/**
 * What a protocol hands the console: everything in which its runs look otherwise than any other run.
 * The console knows no protocol; where nothing is said here, it shows what every run has: columns by
 * seat, syntheses, the tree of steps and the log.
 */
import type { GateView } from '../../kernel/view.ts';
import { leadingSentence } from '../../text/answers/first-sentence.ts';
import type { Condition } from '../keys/conditions.ts';
import type { Command } from '../keys/keymap.ts';
import type { RunModel, RunShape, SynthesisWords } from '../model/run-model.ts';
import type { Mention } from '../ui/citing.ts';
import type { Dialog } from '../ui/component.ts';
import type { FormAround } from './forms/around.ts';
import type { Tab } from './tabs/page.ts';

export interface ProtocolView extends RunShape, SynthesisWords {
  /** Beside those that every run has; one with the place of such a tab stands instead of it. */
  readonly tabs: readonly Tab[];
  /** The tab a run opens with; absent: the columns. */
  readonly opensWith?: string;
  /** The tab in which its votes are listed. */
  readonly votesIn: string;
  /** The tab that has what those said whose columns are gone for now; absent: columns stay. */
  readonly saidIn?: string;
  /** The records that its texts name by id; absent: they name none. */
  readonly records?: {
    /** The tab that shows one: its page has `show`. */
    readonly tab: string;
    /** Each once, in the text's order. */
    readonly namedIn: (text: string, run: RunModel) => readonly Mention[];
  };
  /** What its own keys do: open a form, or act at once. */
  readonly commands: Readonly<Partial<Record<Command, (around: FormAround) => Dialog | undefined>>>;
  /** Conditions that only its own state can answer. */
  readonly holds: Readonly<Partial<Record<Condition, (run: RunModel) => boolean>>>;
  /** Conditions of keys that never hold in its runs, and why, in one short sentence. */
  readonly lacks: Readonly<Partial<Record<Condition, string>>>;
  /** Returns the options of the run's ballots, most votes first. */
  readonly options: (run: RunModel) => readonly string[];
  /** Who reads a person's note: `next synthesis`. */
  readonly noteReader: (run: RunModel) => string;
  /** Whether a further synthesis may leave seats out. */
  readonly leavesOut: boolean;
  /** Where a run stands that is going on, in one line; undefined: the console's own words. */
  readonly status: (run: RunModel, now: number) => string | undefined;
  /** The same of a run that is done, in `room` cells where that can be. */
  readonly done: (run: RunModel, room: number) => string | undefined;
  /** For the window's title while the run is live: `round 3`. */
  readonly progress: (run: RunModel) => string | undefined;
  /** What a person wants to know before answering that question: lines between it and its options. */
  readonly asks: (gate: GateView, run: RunModel) => readonly string[];
  /** Kinds of facts that begin something worth jumping to in a replay. */
  readonly marks: readonly string[];
}

const nothing = (): undefined => undefined;

/** What every run has. A protocol's view says only where it differs. */
export const COMMON_VIEW: ProtocolView = {
  parts: [],
  columns: { by: 'latest' },
  answer: nothing,
  says: nothing,
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
  status: nothing,
  done: nothing,
  progress: nothing,
  asks: () => [],
  heading: nothing,
  remarks: () => [[], []],
  lead: ({ done, stream }) => ({
    sentence: done && leadingSentence(stream.text.text),
    beside: [],
  }),
  marks: [],
};

/**
 * When a key means something: conditions by name, over plain answers about the run and the focus. The
 * key table names them, the help shows their words.
 */

/** What the keys' conditions are judged by: the run and what has the focus, as plain answers. */
export interface Situation {
  /** The id of the tab. */
  readonly tab: string;
  /** This process owns the run; otherwise it is only watched. */
  readonly acting: boolean;
  readonly live: boolean;
  /** A recorded run is being played. */
  readonly replaying: boolean;
  /** Stop was pressed and the run has not ended yet. */
  readonly stopping: boolean;
  readonly focus: 'seat' | 'synthesis';
  readonly focusSpeaks: boolean;
  /** The focused seat failed, was stopped or was lost. */
  readonly focusCanRetry: boolean;
  /** The question whose answers are shown is the one asked last. */
  readonly atNewest: boolean;
  /** It is the one that the run was opened with. */
  readonly atFirst: boolean;
  /** A seat of the panel is being asked. */
  readonly asking: boolean;
  readonly answers: number;
  readonly unfinished: boolean;
  readonly panes: number;
  readonly columns: number;
  /** Syntheses of the question that is shown. */
  readonly versions: number;
  readonly questions: number;
  /** The synthesis that is shown has several seats and is none of the meter's. */
  readonly weighable: boolean;
  /** There is a Vote tab. */
  readonly votes: boolean;
  readonly tabs: number;
  readonly matches: number;
  /** Conditions that never hold in such a run, and why. */
  readonly lacks: Readonly<Partial<Record<Condition, string>>>;
  /** A failure mode is suspected since the last round. */
  readonly suspected: boolean;
  /** What the page of the tab can do now. */
  readonly opens: boolean;
  readonly retraces: boolean;
  readonly filters: boolean;
  readonly finds: boolean;
  readonly zooms: boolean;
  /** There are words before the person that can be copied. */
  readonly hasText: boolean;
  /** What has the focus has thought. */
  readonly thought: boolean;
  /** Texts lie before the seats. */
  readonly attached: boolean;
  /** There are columns to go through. */
  readonly steps: boolean;
}

/** A condition by name, with the words the help shows for it. */
export const CONDITIONS = {
  always: { when: '', holds: () => true },
  live: {
    when: 'while the run is live',
    holds: (s: Situation) => s.acting && s.live && !s.stopping,
  },
  'notes heeded': {
    when: 'while the run is live',
    holds: (s: Situation) => s.acting && s.live && !s.stopping,
  },
  plays: {
    when: 'while the run is live or replayed',
    holds: (s: Situation) => s.replaying || (s.acting && s.live && !s.stopping),
  },
  replaying: { when: 'in a replay', holds: (s: Situation) => s.replaying },
  'rounds live': {
    when: 'while rounds are held',
    holds: (s: Situation) => s.acting && s.live && !s.stopping,
  },
  suspected: {
    when: 'when a failure mode is suspected',
    holds: (s: Situation) => s.acting && s.live && !s.stopping && s.suspected,
  },
  'seat speaks': {
    when: 'while it is being asked',
    holds: (s: Situation) => s.acting && s.tab === 'columns' && s.focus === 'seat' && s.focusSpeaks,
  },
  'seat silent': {
    when: 'if it failed or was stopped',
    // While a synthesis is written the table is closed: an answer would come too late for it.
    holds: (s: Situation) =>
      s.acting &&
      s.tab === 'columns' &&
      s.focus === 'seat' &&
      s.focusCanRetry &&
      !s.stopping &&
      (!s.live || s.asking),
  },
  'seat rests': {
    when: 'on a seat that is silent',
    holds: (s: Situation) =>
      s.acting &&
      s.tab === 'columns' &&
      s.focus === 'seat' &&
      s.atNewest &&
      (!s.live || (s.asking && s.focusCanRetry && !s.stopping)),
  },
  'board answers': {
    when: 'when a board rests',
    holds: (s: Situation) => s.acting && !s.live && s.answers > 0,
  },
  weighable: {
    when: 'when the run rests, on a synthesis of several seats',
    holds: (s: Situation) => s.acting && !s.live && s.weighable,
  },
  votes: { when: 'when ballots were cast', holds: (s: Situation) => s.votes },
  'earlier question': {
    when: 'after a further question',
    holds: (s: Situation) => s.questions > 1 && !s.atFirst,
  },
  'later question': {
    when: 'on an earlier question',
    holds: (s: Situation) => s.questions > 1 && !s.atNewest,
  },
  answers: {
    when: 'when the run rests',
    holds: (s: Situation) => s.acting && !s.live && s.answers > 0,
  },
  unfinished: {
    when: 'when the run rests unfinished',
    holds: (s: Situation) => s.acting && !s.live && s.unfinished,
  },
  acting: { when: '', holds: (s: Situation) => s.acting },
  panes: {
    when: 'in the Columns and Vote tabs',
    holds: (s: Situation) => s.steps,
  },
  columns: {
    when: 'with several columns',
    holds: (s: Situation) => s.tab === 'columns' && s.columns > 1,
  },
  versions: {
    when: 'with several syntheses',
    holds: (s: Situation) => s.tab === 'columns' && s.versions > 1,
  },
  opens: { when: 'where there is something to open', holds: (s: Situation) => s.opens },
  retraces: { when: 'after following a link', holds: (s: Situation) => s.retraces },
  filters: { when: 'in the list of claims', holds: (s: Situation) => s.filters },
  finds: { when: '', holds: (s: Situation) => s.finds },
  zooms: { when: '', holds: (s: Situation) => s.zooms },
  text: { when: 'where there is text', holds: (s: Situation) => s.hasText },
  thought: {
    when: 'where a seat has thought',
    holds: (s: Situation) => s.tab === 'columns' && s.thought,
  },
  attached: {
    when: 'where there is text, with attachments',
    holds: (s: Situation) => s.hasText && s.attached,
  },
  tabs: { when: 'with several tabs', holds: (s: Situation) => s.tabs > 1 },
  matches: {
    when: 'after a search',
    holds: (s: Situation) => s.matches > 0,
  },
} as const;
export type Condition = keyof typeof CONDITIONS;

/** Whether a condition holds now. */
export function holds(condition: Condition, situation: Situation): boolean {
  return !lacks(situation, condition) && CONDITIONS[condition].holds(situation);
}

/** Whether it can hold at some time in a run like this one. */
export function canEverHold(condition: Condition, situation: Situation): boolean {
  return !lacks(situation, condition) && (condition !== 'replaying' || situation.replaying);
}

function lacks({ lacks: none }: Situation, condition: Condition): boolean {
  return none[condition] !== undefined;
}

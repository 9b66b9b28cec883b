/**
 * The conditions under which keys do something, by name, over plain answers about the run and the focus. The
 * key table refers to them, and the help shows their words.
 */

/** The facts about a run and its screen that decide which keys have an effect now. */
export interface KeyConditions {
  /** The id of the open tab. */
  readonly tab: string;
  /** Whether the person can act on the run; false if it is only watched or played back. */
  readonly acting: boolean;
  /** Whether the run is going on. */
  readonly live: boolean;
  /** Whether a recorded run is being played back. */
  readonly replaying: boolean;
  /** Whether the playback has reached its end. */
  readonly ended: boolean;
  /** Whether the run or the playback is paused. */
  readonly paused: boolean;
  /** Whether one text fills the whole screen. */
  readonly zoomed: boolean;
  /** Whether Esc returns to the screen from which this one was opened. */
  readonly returns?: boolean;
  /** Whether the columns scroll together. */
  readonly synced: boolean;
  /** Whether the person has stopped the run and it has not ended yet. */
  readonly stopping: boolean;
  /** Whether the run waits for an answer to a question that this person has put aside. */
  readonly waits: boolean;
  /** What the focus is on. */
  readonly focus: 'seat' | 'synthesis';
  /** Whether the focused call is running. */
  readonly focusSpeaks: boolean;
  /** Whether the focused seat failed, was stopped or was lost. */
  readonly focusCanRetry: boolean;
  /** Whether the focused seat has answered. */
  readonly focusAnswered: boolean;
  /** Whether the latest question is shown. */
  readonly atNewest: boolean;
  /** Whether the first question is shown. */
  readonly atFirst: boolean;
  /** Whether a seat of the panel is being asked. */
  readonly asking: boolean;
  /** How many seats have an answer that a synthesis can use. */
  readonly answers: number;
  /** Whether the run has ended before its work was complete. */
  readonly unfinished: boolean;
  /** How many columns there are, including the synthesis. */
  readonly panes: number;
  /** How many seats have a column. */
  readonly columns: number;
  /** How many syntheses the shown question has. */
  readonly versions: number;
  readonly questions: number;
  /**
   * Whether the shown synthesis can be ablated, that is written again without each of its seats.
   */
  readonly canAblate: boolean;
  /** Whether the run has a question. */
  readonly asked: boolean;
  /** Whether the title shows only a part of the question. */
  readonly questionCut: boolean;
  /** Whether there is a vote to show. */
  readonly votes: boolean;
  /** Whether votes are listed in the tab Signals instead of a tab of their own. */
  readonly votesBeside: boolean;
  /** How many tabs there are. */
  readonly tabs: number;
  /** How many matches the search has. */
  readonly matches: number;
  /** Conditions that never hold in runs of the protocol, with the reasons. */
  readonly lacks: Readonly<Partial<Record<Condition, string>>>;
  /** Whether code has found something suspicious in the debate since the last round. */
  readonly suspected: boolean;
  /** Whether Enter can open something in the tab. */
  readonly opens: boolean;
  /** Whether something in the tab can be folded. */
  readonly folds: boolean;
  /** Whether the text can also be shown as it arrived. */
  readonly raws: boolean;
  /** Whether the text is shown as it arrived. */
  readonly isRaw: boolean;
  /** Whether the person has followed a link and can go back. */
  readonly retraces: boolean;
  /** Whether the tab can be filtered. */
  readonly filters: boolean;
  /** Whether the tab can be searched. */
  readonly finds: boolean;
  /** Whether the tab can fill the whole screen. */
  readonly zooms: boolean;
  /** Whether there is text that can be copied. */
  readonly hasText: boolean;
  /** Whether the focused call has thinking (text before its answer). */
  readonly thought: boolean;
  /** Whether texts are attached to the question. */
  readonly attached: boolean;
  /** Whether texts of runs of the protocol can mention records by id, such as claims. */
  readonly names: boolean;
  /**
   * Whether the shown text mentions a record by id. Computed only while the run is not going on.
   */
  readonly namesHere: boolean;
  /** Whether there are columns to move between. */
  readonly steps: boolean;
  /**
   * The title of the tab with the output of seats that no longer have a column, such as `Tree (2)`;
   * absent if there are none.
   */
  readonly saidIn?: string | undefined;
}

/** Returns the key of a command as this person has it, for sentences that name keys. */
type KeyNames = (
  command: 'resume' | 'retry-seat' | 'pause' | 'change-model' | 'stop-seat',
) => string;

/** When a key does something, and why not otherwise; without a reason, the key would seem broken. */
interface Rule {
  /** The words that the help shows for it. */
  readonly when: string;
  readonly holds: (s: KeyConditions) => boolean;
  /** The reason why it does not hold, in one short sentence. */
  readonly why: string | ((s: KeyConditions, key: KeyNames) => string);
  /** Whether the key acts on the run, so that it never works where the run is only watched or replayed. */
  readonly acts?: true;
}

const goesOn = (s: KeyConditions): boolean => s.acting && s.live && !s.stopping;
const rests = (s: KeyConditions): boolean => s.acting && !s.live;
/** Whether a seat has the focus, in the tab where it is visible. */
const onSeat = (s: KeyConditions): boolean => s.acting && s.tab === 'columns' && s.focus === 'seat';

const STOPPING = 'The run is already stopping.';
const IN_COLUMNS = 'Only in the Columns tab.';
const ONE_COLUMN = 'There is only one column.';
const oneColumn = ({ tab, columns, saidIn }: KeyConditions): string => {
  if (tab !== 'columns' || columns === 0) return IN_COLUMNS;
  return saidIn === undefined ? ONE_COLUMN : `${ONE_COLUMN} ${saidIn} has what the others said.`;
};
const LATEST_ONLY = 'Only answers to the latest question can be retried.';
const ONE_QUESTION = 'There is only one question so far.';
const stoppingOr =
  (words: string) =>
  (s: KeyConditions): string =>
    s.stopping ? STOPPING : words;
const inColumnsOr =
  (words: string) =>
  (s: KeyConditions): string =>
    s.tab === 'columns' ? words : IN_COLUMNS;
const liveOr =
  (live: string, words: string) =>
  (s: KeyConditions): string =>
    s.live ? live : words;

const LIVE: Rule = {
  when: 'while the run is live',
  holds: goesOn,
  why: stoppingOr('No run in progress.'),
  acts: true,
};

const RULES = {
  always: { when: '', holds: () => true, why: '' },
  live: LIVE,
  'notes heeded': LIVE,
  plays: {
    ...LIVE,
    when: 'while the run is live or replayed',
    holds: (s) => s.replaying || goesOn(s),
  },
  replaying: {
    when: 'in a replay',
    holds: (s) => s.replaying,
    why: 'Only in a replay: deliberate replay RUN.',
  },
  'plays on': {
    when: 'in a replay, before its end',
    holds: (s) => s.replaying && !s.ended,
    why: (s, key) =>
      s.replaying
        ? `The replay has ended; ${key('pause')} plays it again.`
        : 'Only in a replay: deliberate replay RUN.',
  },
  'rounds live': {
    when: 'while rounds are running',
    holds: goesOn,
    why: stoppingOr('No run in progress, so no next round.'),
    acts: true,
  },
  waits: {
    when: 'when its question was postponed',
    holds: (s) => goesOn(s) && s.waits,
    why: (s, key) => {
      if (s.stopping) return STOPPING;
      if (s.live) return 'No question is open; the run goes on by itself.';
      return s.unfinished
        ? `No question is open; the run has stopped. ${key('resume')} resumes it.`
        : 'No question is open; the run is finished.';
    },
    acts: true,
  },
  suspected: {
    when: 'when a failure mode is suspected',
    holds: (s) => goesOn(s) && s.suspected,
    why: (s) =>
      s.suspected ? 'No run in progress, so no next round.' : 'No failure mode is suspected.',
    acts: true,
  },
  'seat speaks': {
    when: 'while the seat is being asked',
    holds: (s) => onSeat(s) && s.focusSpeaks,
    why: (s) =>
      s.tab === 'columns'
        ? 'This seat is not being asked.'
        : 'Stop single seats in the Columns tab.',
    acts: true,
  },
  'seat silent': {
    when: 'if the seat failed or was stopped',
    // While a synthesis is written, a new answer would come too late for it.
    holds: (s) => onSeat(s) && s.focusCanRetry && !s.stopping && (!s.live || s.asking),
    why: (s, key) => {
      if (s.tab !== 'columns') return 'Retry seats in the Columns tab.';
      if (s.stopping) return STOPPING;
      if (s.focus !== 'seat') return 'First go to a seat that failed or was stopped.';
      if (s.focusCanRetry) return 'Synthesis has started; retry this seat when the run finishes.';
      if (s.focusSpeaks) return `This seat is being asked; ${key('stop-seat')} stops it.`;
      if (!s.atNewest) return LATEST_ONLY;
      return s.focusAnswered
        ? `This seat has answered; ${s.live ? 'after the run ' : ''}${key('change-model')} asks another model.`
        : s.live
          ? 'This seat has not been asked yet.'
          : `This seat has not been asked yet; ${key('resume')} resumes the run.`;
    },
    acts: true,
  },
  'seat rests': {
    when: 'on a seat that is not being asked',
    holds: (s) =>
      onSeat(s) && s.atNewest && (!s.live || (s.asking && s.focusCanRetry && !s.stopping)),
    why: (s) => {
      if (!s.atNewest) return LATEST_ONLY;
      if (s.tab !== 'columns' || s.focus !== 'seat')
        return 'First go to a seat in the Columns tab.';
      return "The run is in progress; change this seat's model when it finishes.";
    },
    acts: true,
  },
  'board answers': {
    when: 'after the run, on boards',
    holds: (s) => rests(s) && s.answers > 0,
    why: liveOr(
      'The run is in progress; ask when it finishes.',
      'No seat has answered; nothing to follow up on.',
    ),
    acts: true,
  },
  canAblate: {
    when: 'after the run, on a synthesis of several seats',
    holds: (s) => rests(s) && s.canAblate,
    why: liveOr(
      'The run is in progress; ablation needs a finished run.',
      'Ablation needs a synthesis of several seats.',
    ),
    acts: true,
  },
  votes: {
    when: 'when ballots were cast',
    holds: (s) => s.votes,
    why: (s) =>
      s.votesBeside
        ? 'No vote so far. Votes are listed in the Signals tab.'
        : 'No ballots were cast.',
  },
  'earlier question': {
    when: 'after a follow-up question',
    holds: (s) => s.questions > 1 && !s.atFirst,
    why: (s) => (s.questions > 1 ? 'This is the first question.' : ONE_QUESTION),
  },
  'later question': {
    when: 'on an earlier question',
    holds: (s) => s.questions > 1 && !s.atNewest,
    why: (s) => (s.questions > 1 ? 'This is the latest question.' : ONE_QUESTION),
  },
  answers: {
    when: 'after the run',
    holds: (s) => rests(s) && s.answers > 0,
    why: liveOr(
      'The run is in progress; make another synthesis when it finishes.',
      'No seat has answered; nothing to synthesize.',
    ),
    acts: true,
  },
  decides: {
    when: 'after the run',
    holds: rests,
    why: 'The run is in progress; decide when it finishes.',
    acts: true,
  },
  unfinished: {
    when: 'when the run has stopped early',
    holds: (s) => rests(s) && s.unfinished,
    why: (s, key) => {
      if (s.live) return 'The run is already in progress.';
      return s.columns > s.answers && s.answers > 0
        ? `The run is finished. ${key('retry-seat')} asks a seat that failed again.`
        : 'Nothing left to do; the run is finished.';
    },
    acts: true,
  },
  acting: { when: '', holds: (s) => s.acting, why: '', acts: true },
  panes: {
    when: 'in the Columns and Vote tabs',
    holds: (s) => s.steps,
    why: oneColumn,
  },
  columns: {
    when: 'in the columns',
    holds: (s) => s.tab === 'columns' && s.columns > 1 && s.focus === 'seat',
    why: (s): string => {
      if (s.tab !== 'columns' || s.columns === 0) return IN_COLUMNS;
      return s.columns === 1 ? ONE_COLUMN : 'First go to the columns.';
    },
  },
  versions: {
    when: 'with several syntheses',
    holds: (s) => s.tab === 'columns' && s.versions > 1,
    why: inColumnsOr('There is only one synthesis so far.'),
  },
  opens: {
    when: 'on an item that opens',
    holds: (s) => s.opens,
    why: 'Nothing to open here.',
  },
  folds: {
    when: 'in a tree',
    holds: (s) => s.folds,
    why: 'Nothing to fold here.',
  },
  raws: {
    when: 'in an opened text',
    holds: (s) => s.raws,
    why: 'First open a line of the tree or the log.',
  },
  asked: { when: '', holds: (s) => s.asked, why: 'Nothing has been asked yet.' },
  'question cut': {
    when: 'when the title is cut',
    holds: (s) => s.asked && s.questionCut,
    why: 'The title shows the whole question.',
  },
  retraces: {
    when: 'after following a link',
    holds: (s) => s.retraces,
    why: 'No link was followed to get here.',
  },
  filters: {
    when: 'in the list of claims',
    holds: (s) => s.filters,
    why: 'Only in the list of claims.',
  },
  finds: { when: '', holds: (s) => s.finds, why: 'Nothing to search here.' },
  zooms: {
    when: '',
    holds: (s) => s.zooms,
    why: (s) =>
      s.tab === 'columns' && s.panes > 0
        ? 'It already has the whole screen.'
        : 'Nothing to zoom here.',
  },
  text: {
    when: 'on text',
    holds: (s) => s.hasText,
    why: 'No text to copy here.',
  },
  thought: {
    when: 'on a seat with thinking',
    holds: (s) => s.tab === 'columns' && s.thought,
    why: inColumnsOr('This seat has no thinking to show.'),
  },
  attached: {
    when: 'with attachments or records',
    holds: (s) => s.hasText && (s.attached || s.names),
    why: (s) =>
      s.attached || s.names ? 'No text with citations here.' : 'Nothing was attached to this run.',
  },
  cites: { when: '', holds: (s) => s.attached || s.namesHere, why: '' },
  tabs: { when: 'with several tabs', holds: (s) => s.tabs > 1, why: 'There are no other tabs.' },
  matches: { when: 'after a search', holds: (s) => s.matches > 0, why: 'No search in progress.' },
} as const satisfies Record<string, Rule>;

/** The name of a condition. */
export type Condition = keyof typeof RULES;
/**
 * The conditions under which keys have an effect, by name: how each is evaluated, and what to say
 * if it is not met.
 */
export const CONDITIONS: Readonly<Record<Condition, Rule>> = RULES;

/** Returns whether a condition is met now. */
export function holds(condition: Condition, conditions: KeyConditions): boolean {
  return !lacks(conditions, condition) && CONDITIONS[condition].holds(conditions);
}

const ONLY_REPLAYED: ReadonlySet<Condition> = new Set(['replaying', 'plays on']);

/** Returns whether a condition can be met at some time in a run of this kind. */
export function canEverHold(condition: Condition, conditions: KeyConditions): boolean {
  const { acting, replaying } = conditions;
  const { acts = false } = CONDITIONS[condition];
  if (lacks(conditions, condition)) return false;
  if (ONLY_REPLAYED.has(condition)) return replaying;
  return acting || !acts || (replaying && condition === 'plays');
}

/**
 * Returns a sentence on why a condition is not met now, and what can be done instead.
 * @param key returns the name of a command's key
 */
export function whyNot(condition: Condition, conditions: KeyConditions, key: KeyNames): string {
  const { acts = false, why } = CONDITIONS[condition];
  if (conditions.replaying && acts)
    return 'This is a replay: nothing is asked and nothing changes.';
  if (!conditions.acting && acts)
    return 'Watch-only view. Use the terminal that started the run, or deliberate answer and deliberate stop.';
  return conditions.lacks[condition] ?? (typeof why === 'string' ? why : why(conditions, key));
}

function lacks({ lacks: none }: KeyConditions, condition: Condition): boolean {
  return none[condition] !== undefined;
}

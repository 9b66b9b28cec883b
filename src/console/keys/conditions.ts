/**
 * The conditions under which keys do something, by name, over the run and what the person is looking at. The
 * key table refers to them, and the help shows their words.
 */
import { questionTitle } from '../../text/answers/first-sentence.ts';
import { toLine } from '../../text/line.ts';
import {
  canAblate,
  canRetry,
  canUseNewAnswer,
  canZoomColumns,
  countColumns,
  findTabWithOutput,
  hasSources,
  hasText,
  isAtRest,
  isFocusedCallRunning,
  isGoingOn,
  isOnSeat,
  isSeatFocused,
  isSuspected,
  isUnfinished,
  type KeyState,
  namesRecords,
  questionOf,
} from './key-state.ts';
import type { Command, Condition, Keymap } from './keymap.ts';

/** Returns the key of a command as this person has it, for sentences that name keys. */
type KeyNames = (
  command: 'resume' | 'retry-seat' | 'pause' | 'change-model' | 'stop-seat',
) => string;

/** When a key does something, and why not otherwise; without a reason, the key would seem broken. */
interface Rule {
  /** The words that the help shows for it. */
  readonly when: string;
  readonly holds: (s: KeyState) => boolean;
  /** The reason why it does not hold, in one short sentence. */
  readonly why: string | ((s: KeyState, key: KeyNames) => string);
  /** Whether the key acts on the run, so that it never works where the run is only watched or replayed. */
  readonly acts?: true;
}

const STOPPING = 'The run is already stopping.';
const IN_COLUMNS = 'Only in the Columns tab.';
const ONE_COLUMN = 'There is only one column.';
const oneColumn = (s: KeyState): string => {
  if (s.tab !== 'columns' || countColumns(s) === 0) return IN_COLUMNS;
  const saidIn = findTabWithOutput(s);
  return saidIn === undefined ? ONE_COLUMN : `${ONE_COLUMN} ${saidIn} has what the others said.`;
};
const LATEST_ONLY = 'Only answers to the latest question can be retried.';
const ONE_QUESTION = 'There is only one question so far.';
const stoppingOr =
  (words: string) =>
  (s: KeyState): string =>
    s.runModel.stopping ? STOPPING : words;
const inColumnsOr =
  (words: string) =>
  (s: KeyState): string =>
    s.tab === 'columns' ? words : IN_COLUMNS;
const liveOr =
  (live: string, words: string) =>
  (s: KeyState): string =>
    s.runModel.isLive ? live : words;

const LIVE: Rule = {
  when: 'while the run is live',
  holds: isGoingOn,
  why: stoppingOr('No run in progress.'),
  acts: true,
};

/**
 * The conditions under which keys on a run's screen have an effect, by name: its words for the help,
 * how it is evaluated, and the message if it is not met.
 */
export const CONDITIONS: Readonly<Record<Condition, Rule>> = {
  always: { when: '', holds: () => true, why: '' },
  live: LIVE,
  'notes heeded': LIVE,
  plays: {
    ...LIVE,
    when: 'while the run is live or replayed',
    holds: (s) => s.playback !== undefined || isGoingOn(s),
  },
  replaying: {
    when: 'in a replay',
    holds: (s) => s.playback !== undefined,
    why: 'Only in a replay: deliberate replay RUN.',
  },
  'plays on': {
    when: 'in a replay, before its end',
    holds: ({ playback }) => playback !== undefined && !playback.ended,
    why: ({ playback }, key) =>
      playback !== undefined
        ? `The replay has ended; ${key('pause')} plays it again.`
        : 'Only in a replay: deliberate replay RUN.',
  },
  'rounds live': {
    when: 'while rounds are running',
    holds: isGoingOn,
    why: stoppingOr('No run in progress, so no next round.'),
    acts: true,
  },
  waits: {
    when: 'when its question was postponed',
    holds: (s) => isGoingOn(s) && s.waits,
    why: (s, key) => {
      if (s.runModel.stopping) return STOPPING;
      if (s.runModel.isLive) return 'No question is open; the run goes on by itself.';
      return isUnfinished(s)
        ? `No question is open; the run has stopped. ${key('resume')} resumes it.`
        : 'No question is open; the run is finished.';
    },
    acts: true,
  },
  suspected: {
    when: 'when a failure mode is suspected',
    holds: (s) => isGoingOn(s) && isSuspected(s),
    why: (s) =>
      isSuspected(s) ? 'No run in progress, so no next round.' : 'No failure mode is suspected.',
    acts: true,
  },
  'seat speaks': {
    when: 'while the seat is being asked',
    holds: (s) => isOnSeat(s) && isFocusedCallRunning(s),
    why: (s) =>
      s.tab === 'columns'
        ? 'This seat is not being asked.'
        : 'Stop single seats in the Columns tab.',
    acts: true,
  },
  'seat silent': {
    when: 'if the seat failed or was stopped',
    // While the synthesis is written, do not let the person ask a failed seat again: the seat's answer would come
    // too late for the synthesis.
    holds: (s) => isOnSeat(s) && canRetry(s) && !s.runModel.stopping && canUseNewAnswer(s),
    why: (s, key) => {
      if (s.tab !== 'columns') return 'Retry seats in the Columns tab.';
      const { stopping, isLive } = s.runModel;
      if (stopping) return STOPPING;
      if (!isSeatFocused(s)) return 'First go to a seat that failed or was stopped.';
      if (canRetry(s)) return 'Synthesis has started; retry this seat when the run finishes.';
      if (isFocusedCallRunning(s)) return `This seat is being asked; ${key('stop-seat')} stops it.`;
      if (!s.reading.atNewest) return LATEST_ONLY;
      return s.focused?.stream.phase.kind === 'done'
        ? `This seat has answered; ${isLive ? 'after the run ' : ''}${key('change-model')} asks another model.`
        : isLive
          ? 'This seat has not been asked yet.'
          : `This seat has not been asked yet; ${key('resume')} resumes the run.`;
    },
    acts: true,
  },
  'seat rests': {
    when: 'after the run, or on a seat that failed or was stopped',
    holds: (s) => {
      const { isLive, stopping } = s.runModel;
      return (
        isOnSeat(s) &&
        s.reading.atNewest &&
        (!isLive || (canUseNewAnswer(s) && canRetry(s) && !stopping))
      );
    },
    why: (s) => {
      if (!s.reading.atNewest) return LATEST_ONLY;
      if (s.tab !== 'columns' || !isSeatFocused(s)) return 'First go to a seat in the Columns tab.';
      return "The run is in progress; change this seat's model when it finishes.";
    },
    acts: true,
  },
  'board answers': {
    when: 'after the run, on boards',
    holds: (s) => isAtRest(s) && s.runModel.answers > 0,
    why: liveOr(
      'The run is in progress; ask when it finishes.',
      'No seat has answered; nothing to follow up on.',
    ),
    acts: true,
  },
  canAblate: {
    when: 'after the run, on a synthesis of several seats',
    holds: (s) => isAtRest(s) && canAblate(s.reading),
    why: liveOr(
      'The run is in progress; ablation needs a finished run.',
      'Ablation needs a synthesis of several seats.',
    ),
    acts: true,
  },
  votes: {
    when: 'when ballots were cast',
    holds: ({ view, runModel, tabs }) =>
      view.holds.votes?.(runModel) ?? tabs.some(({ id }) => id === view.votesIn),
    why: ({ view }) =>
      view.votesIn !== 'vote'
        ? 'No vote so far. Votes are listed in the Signals tab.'
        : 'No ballots were cast.',
  },
  'earlier question': {
    when: 'after a follow-up question',
    holds: ({ reading }) => reading.question !== 1,
    why: (s) => (s.runModel.questions.length > 1 ? 'This is the first question.' : ONE_QUESTION),
  },
  'later question': {
    when: 'on an earlier question',
    holds: ({ reading }) => !reading.atNewest,
    why: (s) => (s.runModel.questions.length > 1 ? 'This is the latest question.' : ONE_QUESTION),
  },
  answers: {
    when: 'after the run',
    holds: (s) => isAtRest(s) && s.runModel.answers > 0,
    why: liveOr(
      'The run is in progress; make another synthesis when it finishes.',
      'No seat has answered; nothing to synthesize.',
    ),
    acts: true,
  },
  decides: {
    when: 'after the run',
    holds: isAtRest,
    why: 'The run is in progress; decide when it finishes.',
    acts: true,
  },
  unfinished: {
    when: 'when the run has stopped early',
    holds: (s) => isAtRest(s) && isUnfinished(s),
    why: (s, key) => {
      const { isLive, answers } = s.runModel;
      if (isLive) return 'The run is already in progress.';
      return countColumns(s) > answers && answers > 0
        ? `The run is finished. ${key('retry-seat')} asks a seat that failed again.`
        : 'Nothing left to do; the run is finished.';
    },
    acts: true,
  },
  acting: { when: '', holds: (s) => s.acting, why: '', acts: true },
  panes: {
    when: 'in the Columns and Vote tabs',
    holds: ({ page, panes }) => (page === undefined ? panes.length > 1 : page.step !== undefined),
    why: (s) => (s.tab === 'vote' ? 'Only the table of positions has columns.' : oneColumn(s)),
  },
  columns: {
    when: 'in the columns',
    holds: (s) => s.tab === 'columns' && countColumns(s) > 1 && isSeatFocused(s),
    why: (s): string => {
      if (s.tab !== 'columns' || countColumns(s) === 0) return IN_COLUMNS;
      return countColumns(s) === 1 ? ONE_COLUMN : 'First go to the columns.';
    },
  },
  versions: {
    when: 'with several syntheses',
    holds: ({ tab, runModel, reading }) =>
      tab === 'columns' && runModel.synthesesOf(reading.question).length > 1,
    why: inColumnsOr('There is only one synthesis so far.'),
  },
  opens: {
    when: 'on an item that opens',
    holds: ({ page }) => page?.open !== undefined,
    why: 'Nothing to open here.',
  },
  folds: {
    when: 'in a tree',
    holds: ({ page }) => page?.fold !== undefined,
    why: 'Nothing to fold here.',
  },
  raws: {
    when: 'in an opened text',
    holds: ({ page }) => page?.raw !== undefined,
    why: ({ page }) =>
      page?.isRaw === undefined
        ? 'First open a line of the tree or the log.'
        : 'This text has no other form.',
  },
  asked: { when: '', holds: (s) => questionOf(s) !== '', why: 'Nothing has been asked yet.' },
  'question cut': {
    when: 'when the title is cut',
    holds: (s) => toLine(questionTitle(s.runModel.asked(s.reading.question))) !== questionOf(s),
    why: 'The title shows the whole question.',
  },
  retraces: {
    when: 'after following a link',
    holds: ({ page }) => page?.retrace !== undefined,
    why: 'No link was followed to get here.',
  },
  filters: {
    when: 'in the list of claims',
    holds: ({ page }) => page?.filter !== undefined,
    why: 'Only in the list of claims.',
  },
  finds: {
    when: '',
    holds: ({ page }) => page === undefined || page.find !== undefined,
    why: 'Nothing to search here.',
  },
  zooms: {
    when: '',
    holds: (s) => (s.page === undefined ? canZoomColumns(s) : s.page.zoom !== undefined),
    why: (s) =>
      s.tab === 'columns' && s.panes.length > 0
        ? 'It already has the whole screen.'
        : 'Nothing to zoom here.',
  },
  text: {
    when: 'on text',
    holds: hasText,
    why: 'No text to copy here.',
  },
  thought: {
    when: 'on a seat with thinking',
    holds: ({ tab, focused }) => tab === 'columns' && (focused?.stream.thinking.words ?? 0) > 0,
    why: inColumnsOr('This seat has no thinking to show.'),
  },
  attached: {
    when: 'with attachments or records',
    holds: (s) => hasText(s) && hasSources(s),
    why: (s) =>
      hasSources(s) ? 'No text with citations here.' : 'Nothing was attached to this run.',
  },
  cites: { when: '', holds: (s) => s.runModel.attachments.length > 0 || namesRecords(s), why: '' },
  tabs: {
    when: 'with several tabs',
    holds: ({ tabs }) => tabs.length > 1,
    why: 'There are no other tabs.',
  },
  matches: {
    when: 'after a search',
    holds: ({ page, reading }) =>
      page === undefined ? (reading.search?.count ?? 0) > 0 : page.match !== undefined,
    why: 'No search in progress.',
  },
};

/** Returns whether a condition of a key is met now. Conditions that the protocol's view lacks never are. */
export function isConditionMet(condition: Condition, state: KeyState): boolean {
  return state.view.lacks[condition] === undefined && CONDITIONS[condition].holds(state);
}

/** Returns whether a command of a run's screen would have an effect now. */
export function hasEffect(keymap: Keymap, command: Command, state: KeyState): boolean {
  return isConditionMet(keymap.run[command].where, state);
}

const ONLY_REPLAYED: ReadonlySet<Condition> = new Set(['replaying', 'plays on']);

/**
 * Returns whether the condition of a key can be met at some time in the run on the screen, which may
 * be live, only watched or replayed. The help leaves out all other keys: in a run that is only watched,
 * for example, the keys that change the run.
 */
export function canEverHold(condition: Condition, { acting, playback, view }: KeyState): boolean {
  const { acts = false } = CONDITIONS[condition];
  const isReplay = playback !== undefined;
  if (view.lacks[condition] !== undefined) return false;
  if (ONLY_REPLAYED.has(condition)) return isReplay;
  return acting || !acts || (isReplay && condition === 'plays');
}

/**
 * Returns a sentence that says why the condition of a key is not met now, and what can be done
 * instead.
 * @param key returns the name of a command's key
 */
export function whyNot(condition: Condition, state: KeyState, key: KeyNames): string {
  const { acts = false, why } = CONDITIONS[condition];
  if (state.playback !== undefined && acts)
    return 'This is a replay: nothing is asked and nothing changes.';
  if (!state.acting && acts)
    return state.runModel.isLive
      ? 'Watch-only view. Use the terminal that started the run, or deliberate answer and deliberate stop.'
      : 'Watch-only view: another console has this run open. Close that one, then open the run here again.';
  return state.view.lacks[condition] ?? (typeof why === 'string' ? why : why(state, key));
}

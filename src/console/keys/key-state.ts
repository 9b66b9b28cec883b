/** What decides which keys do something: the run and what a person is looking at, with what follows from them. */
import { joinLines } from '../../text/line.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Playback } from '../replay/playback.ts';
import type { Pane } from '../run/panes.ts';
import type { ProtocolView } from '../run/protocol-view.ts';
import type { Reading } from '../run/reading.ts';
import type { NumberedTab, Page } from '../run/tabs/page.ts';

/**
 * What decides whether a key has an effect on a run's screen: the run, and what the person is
 * looking at.
 */
export interface KeyState {
  readonly runModel: LiveRun;
  readonly view: ProtocolView;
  readonly reading: Reading;
  /** The columns and the synthesis. */
  readonly panes: readonly Pane[];
  /** The pane that has the focus: a column or the synthesis; undefined if there is none. */
  readonly focused: Pane | undefined;
  /** Whether the person can act on the run; false if it is only watched or played back. */
  readonly acting: boolean;
  /** The playback of a recorded run. */
  readonly playback: Playback | undefined;
  /** Whether Esc returns to the screen from which this one was opened. */
  readonly returns: boolean;
  readonly tabs: readonly NumberedTab[];
  /** The id of the open tab. */
  readonly tab: string;
  /** The page that replaces the columns; undefined in the tab Columns. */
  readonly page: Page | undefined;
  /** Whether the run waits for an answer to a question that this person has put aside. */
  readonly waits: boolean;
}

/** Returns whether the person can act on the run, and the run is going on. */
export function canActOnLiveRun({ acting, runModel }: KeyState): boolean {
  return acting && runModel.isLive;
}

/** Returns whether the person can act on the run, and the run is going on and not being stopped. */
export function isGoingOn(state: KeyState): boolean {
  return canActOnLiveRun(state) && !state.runModel.stopping;
}

/** Returns whether the person can act on the run, and the run is not going on. */
export function isAtRest({ acting, runModel }: KeyState): boolean {
  return acting && !runModel.isLive;
}

/**
 * Returns whether a seat's column has the focus, rather than the synthesis or the page of another
 * tab.
 */
export function isSeatFocused({ page, reading, focused }: KeyState): boolean {
  return page === undefined && !reading.alone && focused?.kind !== 'synthesis';
}

/**
 * Returns whether a key can act on the focused seat: the person may act on the run, the tab Columns
 * is open, and a seat has the focus.
 */
export function isOnSeat(state: KeyState): boolean {
  return state.acting && state.tab === 'columns' && isSeatFocused(state);
}

/**
 * Returns whether the focused seat can be asked again: its call failed, was stopped or was lost, and
 * the shown question is the latest.
 */
export function canRetry({ reading, focused }: KeyState): boolean {
  return reading.atNewest && (focused?.stream.canRetry ?? false);
}

/** Returns how many seats have a column; 0 while the page of another tab is open. */
export function countColumns({ page, runModel }: KeyState): number {
  return page === undefined ? runModel.columns.length : 0;
}

/** Returns whether the call of the focused column or synthesis is running. */
export function isFocusedCallRunning({ focused }: KeyState): boolean {
  return focused?.stream.running ?? false;
}

/**
 * Returns whether a new answer of a seat could still be used. True while seats are being asked, and also
 * when the run is not live, because another synthesis can then be made. False while a live run only
 * writes its synthesis.
 */
export function canUseNewAnswer({ runModel }: KeyState): boolean {
  return !runModel.isLive || runModel.asking;
}

/** Returns whether code has found signs of a failure mode in the debate since the last round. */
export function isSuspected({ view, runModel }: KeyState): boolean {
  return view.holds.suspected?.(runModel) ?? false;
}

/**
 * Returns whether resuming the run would still do something: it is not done, or the latest question
 * has syntheses, but none with all of its answers.
 */
export function isUnfinished({ runModel }: KeyState): boolean {
  const { view, answers } = runModel;
  // A conclusion is the result that a protocol's code wrote in place of a synthesis. Ignore it: it is not made
  // from the answers of seats, so further answers are no reason to make another one.
  const heard = runModel
    .synthesesOf(runModel.question)
    .map(({ done }) => (done?.conclusion ? -1 : (done?.included.length ?? -1)));
  const most = Math.max(-1, ...heard);
  return view.id !== '' && (view.status !== 'done' || (most >= 0 && answers > most));
}

/**
 * Returns whether the shown synthesis can be ablated (written again without each of its seats): it is
 * made from several answers and is no ablation itself.
 */
export function canAblate({ synthesis }: Reading): boolean {
  return synthesis?.ablates === undefined && (synthesis?.done?.included.length ?? 0) > 1;
}

/** Returns the shown question in one line; empty if nothing has been asked. */
export function questionOf({ runModel, reading }: KeyState): string {
  return joinLines(runModel.asked(reading.question));
}

/**
 * Returns whether the key for the zoom has an effect in the tab Columns: a text can fill the whole
 * screen, or does so now.
 */
export function canZoomColumns({ reading, focused, panes }: KeyState): boolean {
  return reading.zoomed || focused?.kind === 'synthesis' || (panes.length > 1 && !reading.alone);
}

/** Returns whether there is text that can be copied. */
export function hasText({ page, focused }: KeyState): boolean {
  return page === undefined
    ? (focused?.stream.text.text ?? '') !== ''
    : page.copyable !== undefined;
}

/** Returns whether texts of the run can cite attachments or name records. */
export function hasSources({ runModel, view }: KeyState): boolean {
  return runModel.attachments.length > 0 || view.records !== undefined;
}

/**
 * Returns whether the shown text names records. Not computed while the run is live, because its texts change
 * with every frame.
 */
export function namesRecords({ runModel, view, page, focused }: KeyState): boolean {
  if (view.records === undefined || runModel.isLive) return false;
  const text = page === undefined ? focused?.stream.text.text : page.copyable?.()?.markdown;
  return view.records.namedIn(text ?? '', runModel).length > 0;
}

/**
 * Returns the title and number of the tab that has the output of all seats, such as `Tree (2)`. Only
 * protocols in which seats can lose their columns have such a tab. Returns undefined without such a
 * tab, or if fewer than two seats were called.
 */
export function findTabWithOutput({ runModel, view, tabs }: KeyState): string | undefined {
  const said = tabs.find(({ id }) => id === view.saidIn);
  const callers = new Set(Object.values(runModel.view.calls).map(({ seat }) => seat));
  return said === undefined || callers.size < 2 ? undefined : `${said.title} (${said.number})`;
}

/** Derives the conditions of keys from the run and from what the person is looking at. */

import { questionTitle } from '../../text/answers/first-sentence.ts';
import { joinLines, line } from '../../text/line.ts';
import type { KeyConditions } from '../keys/conditions.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Playback } from '../replay/playback.ts';
import type { ProtocolView } from './protocol-view.ts';
import type { Reading } from './reading.ts';
import type { NumberedTab, Page } from './tabs/page.ts';

interface Viewport {
  readonly view: ProtocolView;
  readonly acting: boolean;
  /** The playback of a recorded run. */
  readonly playback: Playback | undefined;
  /** Whether the run was opened from another screen. */
  readonly returns: boolean;
  readonly tab: string;
  readonly tabs: readonly NumberedTab[];
  readonly page: Page | undefined;
  readonly waits: boolean;
}

/** Collects the facts about a run and its screen that decide which keys do something. */
export function keyConditionsOf(
  runModel: LiveRun,
  reading: Reading,
  viewport: Viewport,
): KeyConditions {
  const { view, acting, playback, returns, tab, tabs, page, waits } = viewport;
  const { focused, panes, search } = reading;
  const syntheses = runModel.synthesesOf(runModel.question);
  // Code writes a conclusion without reading the answers, so a conclusion counts as a synthesis of
  // no answers.
  const heard = Math.max(
    -1,
    ...syntheses.map(({ done }) => (done?.conclusion ? -1 : (done?.included.length ?? -1))),
  );
  const { synthesis, atNewest } = reading;
  const said = tabs.find(({ id }) => id === view.saidIn);
  const zoomsColumns =
    reading.zoomed || focused?.kind === 'synthesis' || (panes.length > 1 && !reading.alone);
  const callers = new Set(Object.values(runModel.view.calls).map(({ seat }) => seat));
  const question = runModel.asked(reading.question);
  const asked = joinLines(question);
  return {
    tab,
    acting,
    replaying: playback !== undefined,
    ended: playback?.ended ?? false,
    returns,
    paused: playback?.paused ?? runModel.paused,
    zoomed: page === undefined ? reading.zoomed : page.zoomed === true,
    synced: reading.synced,
    live: runModel.isLive,
    stopping: runModel.stopping,
    waits,
    // While the page of another tab covers the columns, no seat has the focus.
    focus: page === undefined && !reading.alone ? (focused?.kind ?? 'seat') : 'synthesis',
    focusSpeaks: focused?.stream.running ?? false,
    focusAnswered: focused?.stream.phase.kind === 'done',
    focusCanRetry: atNewest && (focused?.stream.canRetry ?? false),
    atNewest,
    atFirst: reading.question === 1,
    asking: runModel.asking,
    answers: runModel.answers,
    unfinished:
      runModel.view.id !== '' &&
      (runModel.view.status !== 'done' || (heard >= 0 && runModel.answers > heard)),
    panes: panes.length,
    columns: page === undefined ? runModel.columns.length : 0,
    versions: runModel.synthesesOf(reading.question).length,
    questions: runModel.questions.length,
    canAblate: synthesis?.ablates === undefined && (synthesis?.done?.included.length ?? 0) > 1,
    votes: view.holds.votes?.(runModel) ?? tabs.some(({ id }) => id === view.votesIn),
    votesBeside: view.votesIn !== 'vote',
    tabs: tabs.length,
    matches: page === undefined ? (search?.count ?? 0) : page.match === undefined ? 0 : 1,
    lacks: view.lacks,
    suspected: view.holds.suspected?.(runModel) ?? false,
    folds: page?.fold !== undefined,
    raws: page?.raw !== undefined,
    isRaw: page?.isRaw === true,
    asked: asked !== '',
    questionCut: line(questionTitle(question)) !== asked,
    opens: page?.open !== undefined,
    retraces: page?.retrace !== undefined,
    filters: page?.filter !== undefined,
    finds: page === undefined || page.find !== undefined,
    zooms: page === undefined ? zoomsColumns : page.zoom !== undefined,
    attached: runModel.attachments.length > 0,
    names: view.records !== undefined,
    namesHere: namesRecords(runModel, reading, viewport),
    thought: (focused?.stream.thinking.words ?? 0) > 0,
    hasText:
      page === undefined ? (focused?.stream.text.text ?? '') !== '' : page.copyable !== undefined,
    ...(said === undefined || callers.size < 2 ? {} : { saidIn: `${said.title} (${said.number})` }),
    steps: page === undefined ? panes.length > 1 : page.step !== undefined,
  };
}

/**
 * Returns whether the text names records. Not computed while the run is live, because its texts change with
 * every frame.
 */
function namesRecords(runModel: LiveRun, reading: Reading, { view, page }: Viewport): boolean {
  if (view.records === undefined || runModel.isLive) return false;
  const { focused } = reading;
  const text = page === undefined ? focused?.stream.text.text : page.copyable?.()?.markdown;
  return view.records.namedIn(text ?? '', runModel).length > 0;
}

/** Draws the first row: protocol, question, state and figures. */
import { isExample } from '../../../kernel/example.ts';
import { isAllOnPlan, ON_PLAN } from '../../../kernel/providers/spec.ts';
import { questionTitle } from '../../../text/answers/first-sentence.ts';
import { toLine } from '../../../text/line.ts';
import { formatClock, formatTokens, formatUsd } from '../../../text/numbers.ts';
import { padEnd, textWidth, truncateLine } from '../../../text/width.ts';
import type { LiveRun } from '../../model/live-run.ts';
import type { Playback } from '../../replay/playback.ts';
import type { Theme, Tone } from '../../terminal/theme.ts';
import type { Scene } from '../scene.ts';

/** On narrower screens the question gets the room of the program's name. */
const BRANDED = 100;
/** Cells that figures leave to protocol and question. */
const LEAST_ABOUT = 14;

/** Draws the first row of a run's screen. */
export function titleRow({ runModel, viewer, theme, columns, now }: Scene): string {
  const { view } = runModel;
  const { playback, actions, elsewhere = false } = viewer.around;
  const state = playback
    ? replayWords(playback)
    : stateWords(runModel, actions !== undefined, elsewhere);
  const figures =
    view.id === '' ? [] : [clockOf(runModel, now), costOf(runModel), tokensOf(runModel)];
  const { question } = viewer.reading;
  const asked = toLine(questionTitle(runModel.asked(question)));
  const about = [view.protocol, whichOf(runModel, question), asked];
  return titleLine({ about, badge: badgeOf(runModel), state, figures }, theme, columns);
}

interface Title {
  /** Protocol and question, cleaned. */
  readonly about: readonly string[];
  /** A mark that no model answers; empty if one does. */
  readonly badge: 'REHEARSAL' | 'EXAMPLE' | '';
  readonly state: State;
  readonly figures: readonly string[];
}

/**
 * Draws the first row of a screen: the program's name, what the run is about, a badge, the run's state, and
 * figures such as its cost at the end, as far as there is room.
 *
 * @param columns the width of the screen in cells
 */
export function titleLine(
  { about, badge, state, figures }: Title,
  theme: Theme,
  columns: number,
): string {
  const loud = badge === '' ? '' : ` ${badge} `;
  const name = columns < BRANDED ? ' ' : ' deliberate  ';
  const free = columns - name.length - textWidth(loud) - 3;
  // If there is too little room, leave out figures from the end of the list.
  const shown = figures.filter(
    (_, index) =>
      free - textWidth([state.text, ...figures.slice(0, index + 1)].join('  ')) >= LEAST_ABOUT,
  );
  const right = truncateLine([state.text, ...shown].join('  '), free);
  const room = free - textWidth(right);
  return [
    theme.bold(name),
    padEnd(truncateLine(about.filter((part) => part !== '').join(' · '), room), room),
    theme.inverse(theme.bold(loud)),
    '  ',
    theme.tone(state.tone, theme.bold(right.slice(0, state.text.length))),
    right.slice(state.text.length),
  ].join('');
}

/** Formats which question is shown: `question 2 of 3`. Empty if there is only one. */
function whichOf({ questions }: LiveRun, number: number): string {
  return questions.length > 1 ? `question ${number} of ${questions.length}` : '';
}

/** A word about the state of a run, with its color. */
export interface State {
  readonly text: string;
  readonly tone: Tone;
}

function stateWords(runModel: LiveRun, acting: boolean, elsewhere: boolean): State {
  const state = statusWords(runModel, acting || elsewhere);
  return elsewhere ? { ...state, text: `${state.text}, open elsewhere` } : state;
}

function statusWords(runModel: LiveRun, acting: boolean): State {
  const { id, status } = runModel.view;
  if (id === '') return { text: '', tone: 'green' };
  if (runModel.stopping) return { text: '■ stopping', tone: 'yellow' };
  if (status === 'running' && runModel.paused) return { text: '‖ paused', tone: 'yellow' };
  if (status === 'running') return { text: acting ? '● live' : '● live, watching', tone: 'green' };
  if (status === 'stopped') return { text: '■ stopped', tone: 'yellow' };
  if (status === 'failed') return { text: '✗ failed', tone: 'red' };
  const { answered, of } = runModel.turnout;
  return answered < of
    ? { text: `◐ done, ${answered} of ${of} seats`, tone: 'yellow' }
    : { text: '✓ done', tone: 'green' };
}

function replayWords({ speed, paused, ended }: Playback): State {
  const text = `replay ${speed}×`;
  if (ended) return { text: `■ ${text}, end`, tone: 'yellow' };
  return paused ? { text: `‖ ${text}`, tone: 'yellow' } : { text: `▶ ${text}`, tone: 'green' };
}

/** Returns the badge. It is shown as soon as the stand-in has a seat, before it has answered. */
function badgeOf({ view }: LiveRun): Title['badge'] {
  if (isExample(view)) return 'EXAMPLE';
  const rehearses =
    view.rehearsal || view.seats.some(({ model }) => model.startsWith('rehearsal/'));
  return rehearses ? 'REHEARSAL' : '';
}

/** Returns the duration of the present attempt, or of the last one. */
function clockOf({ view, isLive }: LiveRun, now: number): string {
  const to = isLive || view.endedAt === undefined ? now : Date.parse(view.endedAt);
  return formatClock(Math.max(0, to - Date.parse(view.attemptAt)));
}

function costOf({ view }: LiveRun): string {
  const { costUsd, unpriced, usage } = view;
  if (isAllOnPlan(view)) return ON_PLAN;
  const cost = formatUsd(costUsd, usage.estimated);
  if (unpriced === 0) return cost;
  return costUsd > 0 ? `≥ ${cost}` : 'cost unknown';
}

function tokensOf(runModel: LiveRun): string {
  const { count, estimated } = runModel.tokens();
  return `${formatTokens(count, estimated)} tok`;
}

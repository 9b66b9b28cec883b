/**
 * The state on which the meaning of keys depends, made from a few facts about a run of three seats and about
 * the screen.
 */
import type { KeyState } from '../../src/console/keys/key-state.ts';
import type { ProtocolView } from '../../src/console/run/protocol-view.ts';
import { board } from './views.ts';

/** A run and its screen, as far as the meaning of keys depends on them. */
export interface KeySituation {
  /** How the console shows the run's protocol, and which actions the protocol lacks. */
  readonly view: ProtocolView;
  /** Whether the person at this console may act on the run. */
  readonly acting: boolean;
  /** Whether the run is going on. */
  readonly live: boolean;
  /** Whether the run has been asked to stop; false if absent. */
  readonly stopping?: boolean;
  /** Whether the run's seats are being asked, and not the synthesizer. */
  readonly asking: boolean;
  /** How many of the three seats have answered. */
  readonly answers: number;
  /** What the focus is on; a seat if absent. */
  readonly focus?: 'seat' | 'synthesis';
  /** Whether the seat or synthesis in focus has a running call. */
  readonly focusSpeaks: boolean;
  /** Whether the call in focus can be retried; false if absent. */
  readonly focusCanRetry?: boolean;
  /** How many questions the run has been asked; 1 if absent. */
  readonly questions?: number;
  /** Whether the screen shows the first question; true if absent. */
  readonly atFirst?: boolean;
  /** Whether the screen shows the newest question; true if absent. */
  readonly atNewest?: boolean;
  /** How many syntheses the run has. */
  readonly versions: number;
  /** Whether the shown synthesis was made from the answers of several seats; false if absent. */
  readonly canAblate?: boolean;
  /** How many tabs the run has; 1 if absent. */
  readonly tabs?: number;
}

/** A board's run while its three seats answer. */
export const LIVE: KeySituation = {
  view: board,
  acting: true,
  live: true,
  asking: true,
  answers: 0,
  focusSpeaks: true,
  versions: 0,
};
/** A board's run that has ended with three answers and one synthesis, with the focus on a seat. */
export const DONE: KeySituation = {
  ...LIVE,
  live: false,
  focusSpeaks: false,
  asking: false,
  answers: 3,
  versions: 1,
};

/** Returns the state that the console consults when a key is pressed. */
export function makeKeyState(looking: KeySituation): KeyState {
  const { view, acting, live, stopping = false, asking, answers, versions } = looking;
  const { focus = 'seat', focusSpeaks, focusCanRetry = false, canAblate = false } = looking;
  const { questions = 1, atFirst = true, atNewest = true, tabs = 1 } = looking;
  const question = atFirst ? 1 : 2;
  const syntheses = Array.from({ length: versions }, (_, index) => ({
    version: index + 1,
    done: { included: canAblate ? ['advocate', 'critic'] : ['advocate'], conclusion: false },
  }));
  const focused = {
    kind: focus,
    stream: {
      running: focusSpeaks,
      canRetry: focusCanRetry,
      phase: { kind: 'idle' },
      thinking: { words: 0 },
      text: { text: 'An answer.' },
    },
  };
  const runModel = {
    ...{ isLive: live, stopping, asking, answers, paused: false, attachments: [] },
    ...{ columns: ['advocate', 'critic', 'analyst'], question: questions },
    questions: Array.from({ length: questions }, (_, index) => ({ number: index + 1, text: '' })),
    asked: () => 'Should we split the monolith?',
    synthesesOf: () => syntheses,
    view: { id: 'run', status: live ? 'running' : 'done', calls: {} },
  };
  const reading = {
    ...{ alone: false, zoomed: false, synced: false, search: undefined },
    ...{ question, atNewest, synthesis: syntheses.at(-1) },
  };
  const state = {
    ...{ runModel, view, reading, focused, acting, playback: undefined, returns: false },
    panes: [focused, focused, focused],
    tabs: Array.from({ length: tabs }, () => ({ id: 'columns' })),
    ...{ tab: 'columns', page: undefined, waits: false },
  };
  return state as unknown as KeyState;
}

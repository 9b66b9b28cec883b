/** The state that keys depend on, told by hand: a run of three seats, and what the person looks at. */
import type { KeyState } from '../../src/console/keys/key-state.ts';
import type { ProtocolView } from '../../src/console/run/protocol-view.ts';
import { board } from './views.ts';

/** What a test says of a run and of the person's screen. */
export interface KeySituation {
  readonly view: ProtocolView;
  readonly acting: boolean;
  readonly live: boolean;
  readonly stopping?: boolean;
  /** Whether the run's seats are being asked, and not the synthesizer. */
  readonly asking: boolean;
  /** Of three seats. */
  readonly answers: number;
  readonly focus?: 'seat' | 'synthesis';
  readonly focusSpeaks: boolean;
  readonly focusCanRetry?: boolean;
  readonly questions?: number;
  readonly atFirst?: boolean;
  readonly atNewest?: boolean;
  readonly versions: number;
  /** Whether the shown synthesis was made of several seats. */
  readonly canAblate?: boolean;
  readonly tabs?: number;
}

/** While three seats answer. */
export const LIVE: KeySituation = {
  view: board,
  acting: true,
  live: true,
  asking: true,
  answers: 0,
  focusSpeaks: true,
  versions: 0,
};
/** After a run with one synthesis, with the focus on a seat. */
export const DONE: KeySituation = {
  ...LIVE,
  live: false,
  focusSpeaks: false,
  asking: false,
  answers: 3,
  versions: 1,
};

/** Returns the state that keys are looked up with. */
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

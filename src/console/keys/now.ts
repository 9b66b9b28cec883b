/**
 * Commands whose effect depends on the state: for example, a key that pauses also continues. Gives their
 * present word for the footer and sentence for lists.
 */
import { canActOnLiveRun, type KeyState } from './key-state.ts';
import type { BindingOf, Command } from './keymap.ts';

/** The word and sentence of a command while a state holds; the first matching one is used. */
interface Turn {
  readonly isOn: (state: KeyState) => boolean;
  /** The word in the footer; absent: the usual one. */
  readonly footer?: string;
  readonly description: string;
}

const TURNS: Readonly<Partial<Record<Command, readonly Turn[]>>> = {
  pause: [
    {
      isOn: ({ playback }) => playback?.ended === true,
      footer: 'replay',
      description: 'Play the replay again from the beginning',
    },
    {
      isOn: ({ playback }) => playback?.paused === true,
      footer: 'resume',
      description: 'Resume the replay',
    },
    { isOn: ({ playback }) => playback !== undefined, description: 'Pause the replay' },
    {
      isOn: ({ runModel }) => runModel.paused,
      footer: 'resume',
      description: 'Resume: start the next calls',
    },
  ],
  zoom: [
    {
      isOn: ({ page, reading }) => (page ?? reading).zoomed === true,
      footer: 'unzoom',
      description: 'Leave the whole screen',
    },
  ],
  vote: [
    {
      isOn: ({ tab, page, view }) => tab === view.votesIn && page?.showVote === undefined,
      footer: 'back',
      description: 'Back from the vote',
    },
  ],
  raw: [
    {
      isOn: ({ page }) => page?.isRaw === true,
      footer: 'formatted',
      description: 'Show the formatted text',
    },
  ],
  'sync-scroll': [
    {
      isOn: ({ reading }) => reading.synced,
      footer: 'unsync',
      description: 'Scroll columns separately',
    },
  ],
  bottom: [{ isOn: ({ runModel }) => !runModel.isLive, description: 'To the end' }],
  interrupt: [
    {
      isOn: (state) => canActOnLiveRun(state) && state.runModel.stopping,
      description: 'Quit at once; answers so far are kept',
    },
    { isOn: (state) => !canActOnLiveRun(state), description: 'Quit' },
  ],
  quit: [
    {
      isOn: (state) => state.returns && !canActOnLiveRun(state),
      footer: 'back',
      description: 'Back to the previous screen',
    },
    {
      isOn: ({ acting, runModel, playback }) =>
        !acting && runModel.isLive && playback === undefined,
      description: 'Stop watching; the run continues',
    },
    { isOn: (state) => !canActOnLiveRun(state), description: 'Quit' },
  ],
};

const findTurn = (command: Command, state: KeyState): Turn | undefined =>
  TURNS[command]?.find(({ isOn }) => isOn(state));

/**
 * Returns the word for a command in the last row of the screen, as it applies now: for the command
 * `pause`, the word `pause` or, while the run is paused, `resume`.
 */
export function getFooterWord(
  command: Command,
  { footer = '' }: BindingOf<'run'>,
  state: KeyState,
): string {
  return findTurn(command, state)?.footer ?? footer;
}

/** Returns the sentence about a command in the help, as it applies now. */
export function describeCommand(
  command: Command,
  { description }: BindingOf<'run'>,
  state: KeyState,
): string {
  return findTurn(command, state)?.description ?? description;
}

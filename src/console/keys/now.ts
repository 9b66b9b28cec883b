/**
 * Commands whose effect depends on the state: for example, a key that pauses also continues. Gives their
 * present word for the footer and sentence for lists.
 */
import type { KeyConditions } from './conditions.ts';
import type { BindingOf, Command } from './keymap.ts';

/** The word and sentence of a command while a state holds; the first matching one is used. */
interface Turn {
  readonly isOn: (conditions: KeyConditions) => boolean;
  /** The word in the footer; absent: the usual one. */
  readonly footer?: string;
  readonly description: string;
}

const TURNS: Readonly<Partial<Record<Command, readonly Turn[]>>> = {
  pause: [
    {
      isOn: ({ ended }) => ended,
      footer: 'replay',
      description: 'Play the replay again from the beginning',
    },
    {
      isOn: ({ replaying, paused }) => replaying && paused,
      footer: 'resume',
      description: 'Resume the replay',
    },
    { isOn: ({ replaying }) => replaying, description: 'Pause the replay' },
    {
      isOn: ({ paused }) => paused,
      footer: 'resume',
      description: 'Resume: start the next calls',
    },
  ],
  zoom: [
    {
      isOn: ({ zoomed }) => zoomed,
      footer: 'unzoom',
      description: 'Leave the whole screen',
    },
  ],
  raw: [
    { isOn: ({ isRaw }) => isRaw, footer: 'formatted', description: 'Show the formatted text' },
  ],
  'sync-scroll': [
    {
      isOn: ({ synced }) => synced,
      footer: 'unsync',
      description: 'Scroll columns separately',
    },
  ],
  bottom: [{ isOn: ({ live }) => !live, description: 'To the end' }],
  interrupt: [
    {
      isOn: ({ acting, live, stopping }) => acting && live && stopping,
      description: 'Quit at once; answers so far are kept',
    },
    { isOn: ({ acting, live }) => !acting || !live, description: 'Quit' },
  ],
  quit: [
    {
      isOn: ({ returns = false }) => returns,
      footer: 'back',
      description: 'Back to the previous screen',
    },
    {
      isOn: ({ acting, live, replaying }) => !acting && live && !replaying,
      description: 'Stop watching; the run continues',
    },
    { isOn: ({ acting, live }) => !acting || !live, description: 'Quit' },
  ],
};

const findTurn = (command: Command, conditions: KeyConditions): Turn | undefined =>
  TURNS[command]?.find(({ isOn }) => isOn(conditions));

/** Returns the word for a command in the last row, as it applies now: `pause` or `continue`. */
export function getFooterWord(
  command: Command,
  { footer = '' }: BindingOf<'run'>,
  conditions: KeyConditions,
): string {
  return findTurn(command, conditions)?.footer ?? footer;
}

/** Returns the sentence about a command in the help, as it applies now. */
export function describeCommand(
  command: Command,
  { description }: BindingOf<'run'>,
  conditions: KeyConditions,
): string {
  return findTurn(command, conditions)?.description ?? description;
}

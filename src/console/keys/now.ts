/** What keys do now, where that is not what they do at other times: they take back, or begin again. */
import type { KeyConditions } from './conditions.ts';
import type { BindingOf, Command } from './keymap.ts';

/** A word for the footer and a line for lists, while a state holds; the first one that does counts. */
interface Turn {
  readonly isOn: (conditions: KeyConditions) => boolean;
  /** Absent: the footer's own. */
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

const turnOf = (command: Command, conditions: KeyConditions): Turn | undefined =>
  TURNS[command]?.find(({ isOn }) => isOn(conditions));

/** Its word in the footer. */
export function footerNow(
  command: Command,
  { footer = '' }: BindingOf<'run'>,
  conditions: KeyConditions,
): string {
  return turnOf(command, conditions)?.footer ?? footer;
}

/** Its line in the help and in the list of commands. */
export function describeNow(
  command: Command,
  { description }: BindingOf<'run'>,
  conditions: KeyConditions,
): string {
  return turnOf(command, conditions)?.description ?? description;
}

/** The keys of an evaluation's screen that do something now, for its last row. */
import { commandsIn, keyLabel } from '../keys/key-lookup.ts';
import type { CommandOf, Keymap } from '../keys/keymap.ts';
import type { EvaluationModel } from './model.ts';
import type { EvaluationState } from './state.ts';

type Command = CommandOf<'evaluation'>;

/** Returns the keys that have an effect now, each with its word for the last row of the screen. */
export function keysNow(state: EvaluationState, model: EvaluationModel, keymap: Keymap): string[] {
  return commandsIn(keymap, 'evaluation').flatMap(([command, { keys, footer, where }]) =>
    footer === undefined ||
    !(where === undefined || where.includes(state.place)) ||
    !doesSomething(command, state, model)
      ? []
      : [`${keyLabel(keys[0] ?? '')} ${wordOf(command, footer, state)}`],
  );
}

/** Returns whether a command does something now. The footer shows no others. */
function doesSomething(
  command: Command,
  { reader }: EvaluationState,
  model: EvaluationModel,
): boolean {
  switch (command) {
    case 'stop':
      return model.head.isOwn && model.standing.kind === 'live';
    case 'open':
    case 'failed':
      return model.known > 0;
    case 'report':
    case 'export':
    case 'copy':
      return model.isOver;
    case 'next-match':
      return reader.match !== undefined;
    default:
      return true;
  }
}

function wordOf(command: Command, footer: string, { place, onlyFailed }: EvaluationState): string {
  if (command === 'report' && place === 'report') return 'answers';
  return command === 'failed' && onlyFailed ? 'all' : footer;
}

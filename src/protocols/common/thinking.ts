import type { Seat } from '../../kernel/model.ts';

/**
 * Returns the setting for the thinking effort of a seat outside the panel. The effort is used only
 * if the model supports that level.
 */
export function makeEffortSetting(effort: string | undefined): Pick<Seat, 'effortIfKnown'> {
  return effort === undefined ? {} : { effortIfKnown: effort };
}

import type { Seat } from '../../../kernel/model.ts';

/**
 * Returns the setting for how long a seat outside the panel should think. It is ignored if the
 * model does not support that level.
 */
export function makeEffortSetting(effort: string | undefined): Pick<Seat, 'effortIfKnown'> {
  return effort === undefined ? {} : { effortIfKnown: effort };
}

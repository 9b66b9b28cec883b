import type { Seat } from '../../../kernel/model.ts';

/**
 * Returns the field of a seat that says how long its model should think (its effort); without an effort, the field is
 * left out. The field is meant for seats outside the panel, such as the synthesizer: a model that does not know this
 * level of effort answers as usual.
 */
export function makeEffortSetting(effort: string | undefined): Pick<Seat, 'effortIfKnown'> {
  return effort === undefined ? {} : { effortIfKnown: effort };
}

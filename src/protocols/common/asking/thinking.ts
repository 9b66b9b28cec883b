import type { Seat } from '../../../kernel/model.ts';

/**
 * Returns the field of a seat that says how much effort its model should make. It is meant for seats outside the
 * panel, such as the synthesizer: a model without this level of effort answers as usual.
 */
export function makeEffortSetting(effort: string | undefined): Pick<Seat, 'effortIfKnown'> {
  return effort === undefined ? {} : { effortIfKnown: effort };
}

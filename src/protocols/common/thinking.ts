import type { Seat } from '../../kernel/model.ts';

/** How hard somebody who sits on no panel is to think, where the model knows the level. */
export function thinking(effort: string | undefined): Pick<Seat, 'effortIfKnown'> {
  return effort === undefined ? {} : { effortIfKnown: effort };
}

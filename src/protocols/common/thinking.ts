import type { Seat } from '../../kernel/model.ts';

/** Returns the effort of a seat outside the panel, which applies if its model supports that level. */
export function thinking(effort: string | undefined): Pick<Seat, 'effortIfKnown'> {
  return effort === undefined ? {} : { effortIfKnown: effort };
}

/** What a board's predictions are made from: the synthesis, and what would change which advisor's mind. */
import { changeOfMind } from '../../decisions/change-of-mind.ts';
import type { PredictionInputs } from '../../decisions/predict.ts';
import type { Seat } from '../../kernel/model.ts';
import type { BoardConfig } from './config.ts';
import type { Asked } from './questions.ts';
import { firstRecommended } from './recommended.ts';
import { type Panel, synthesizer } from './synthesize.ts';

interface Written {
  readonly version: number;
  readonly text: string;
  readonly model: string;
}

/** `seats`: of the run, in their order. Those that were heard give probabilities. */
export function predictionInputs(
  { predict = 0, seed, effort }: BoardConfig,
  asked: Asked,
  panel: Panel,
  seats: readonly Seat[],
  { version, text, model }: Written,
): PredictionInputs {
  const heard = new Map(panel.order.map(({ seat }) => [seat.id, seat]));
  return {
    count: predict,
    question: asked.text,
    questionNumber: asked.number,
    version,
    synthesis: text,
    recommendation: firstRecommended(text) ?? '',
    pieces: panel.told.heard.flatMap(({ name, text: answer }) => {
      const change = changeOfMind(answer);
      return change === '' ? [] : [{ from: `what would change the mind of ${name}`, text: change }];
    }),
    drafter: synthesizer({ model, effort }),
    seats: seats.flatMap(({ id }) => heard.get(id) ?? []),
    seed,
  };
}

/**
 * Drafts predictions for a board, from the synthesis and from what each advisor says would change its mind.
 */
import { changeOfMind } from '../../decisions/change-of-mind.ts';
import { predict } from '../../decisions/predict.ts';
import type { Run } from '../../kernel/handle.ts';
import type { Seat } from '../../kernel/model.ts';
import type { BoardConfig } from './config.ts';
import type { QuestionContext } from './questions.ts';
import { getFirstRecommendation } from './recommended.ts';
import { makeSynthesizerSeat, type Panel } from './synthesize.ts';

interface Written {
  readonly version: number;
  readonly text: string;
  readonly model: string;
}

interface Synthesized {
  readonly asked: QuestionContext;
  readonly panel: Panel;
  /** The run's seats, in order. Only seats that are also in `panel` give probabilities. */
  readonly seats: readonly Seat[];
  readonly written: Written;
}

/**
 * Drafts predictions from a synthesis, then asks each seat in the synthesis for the probability of each prediction.
 */
export async function predictFromBoard(
  run: Run,
  { predict: count = 0, seed, effort }: BoardConfig,
  { asked, panel, seats, written: { version, text, model } }: Synthesized,
): Promise<void> {
  const heard = new Map(panel.order.map(({ seat }) => [seat.id, seat]));
  await predict(run, {
    count,
    question: asked.text,
    questionNumber: asked.number,
    version,
    synthesis: text,
    recommendation: getFirstRecommendation(text) ?? '',
    pieces: (edition) =>
      panel.told.heard.flatMap(({ name, text: answer }) => {
        const change = changeOfMind(answer, edition);
        return change === ''
          ? []
          : [{ from: `what would change the mind of ${name}`, text: change }];
      }),
    drafter: makeSynthesizerSeat({ model, effort }),
    seats: seats.flatMap(({ id }) => heard.get(id) ?? []),
    seed,
  });
}

/** Lets a board be an arm of an evaluation: `board`, or `board:PRESET`. */
import type { ArmMaker } from '../../../app/evaluation/arm-maker.ts';
import { DEFAULT_BOARD, seatsFor } from '../../../app/settings/panel.ts';
import { BOARD_KIND, ROLE_KIND } from '../../../io/preset-kinds.ts';
import { loadPreset } from '../../../io/presets.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { viewOf } from '../../../kernel/view.ts';
import type { BoardConfig } from '../config.ts';
import { planBoard } from '../estimate.ts';
import { getAnswerStep } from '../fold.ts';

/**
 * The functions by which an evaluation lets a board answer, as one of the ways to answer (arms) that it
 * compares. This arm is called `board`, or `board:NAME` for the preset board NAME.
 */
export const arm: ArmMaker = {
  seat({ call, detail, model, player, looks }) {
    const places = loadPreset(BOARD_KIND, detail || DEFAULT_BOARD, call).seats;
    const roles = new Map(
      places.map(({ role }) => [role, loadPreset(ROLE_KIND, role, call)] as const),
    );
    const seats = seatsFor(
      places.map((place, index) => ({ ...place, model: player(index) })),
      roles,
      [],
    );
    // Set no ballots: answers in an evaluation end with the evaluation's own answer line.
    const config: Omit<BoardConfig, 'seed'> = {
      synthesizer: model,
      open: false,
      attachments: [],
    };
    return {
      protocol: 'board',
      seats,
      config,
      plan: (question) =>
        planBoard({ question, seats, synthesizer: model, attachments: [], looks }),
    };
  },
  finalText(facts) {
    const last = viewOf(facts).syntheses.at(-1);
    return last && { text: last.text, model: last.model };
  },
  firstAnswers(facts) {
    const { seats, calls } = viewOf(facts);
    return seats.map(({ id }) => {
      const call = entryOf(calls, getAnswerStep(id));
      return { seat: id, text: call?.state === 'done' ? call.text : '' };
    });
  },
};

/** Lets a board be an arm of an evaluation: `board`, or `board:PRESET`. */
import type { ArmMaker } from '../../../app/evaluation/arm-maker.ts';
import { DEFAULT_BOARD, seatsFor } from '../../../app/settings/panel.ts';
import { BOARD_KIND, ROLE_KIND } from '../../../io/preset-kinds.ts';
import { loadPreset } from '../../../io/presets.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { viewOf } from '../../../kernel/view.ts';
import type { BoardConfig } from '../config.ts';
import { planBoard } from '../estimate.ts';
import { answerStep } from '../fold.ts';

/**
 * Lets an evaluation compare boards with other ways to answer. An arm's name such as `board:NAME`
 * gives a preset after the colon.
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
    // Ballots are left out, because an answer must end with the evaluation's answer line instead.
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
      const call = entryOf(calls, answerStep(id));
      return { seat: id, text: call?.state === 'done' ? call.text : '' };
    });
  },
};

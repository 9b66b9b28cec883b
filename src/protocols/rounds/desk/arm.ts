/** Rounds as an arm of an evaluation: `rounds`, `rounds:brief`, `rounds:5`. */
import type { ArmMaker } from '../../../app/evaluation/arm-maker.ts';
import { CAST_KIND } from '../../../io/preset-kinds.ts';
import { loadPreset } from '../../../io/presets.ts';
import { viewOf } from '../../../kernel/view.ts';
import { makeRoundsSeats } from '../cast.ts';
import { LATEST, type RoundsConfig } from '../config.ts';
import { planRounds } from '../estimate.ts';
import { NEUTRAL } from '../fitting-cast.ts';
import { getDefaultDriftInterval, getDefaultStress } from '../schedule.ts';
import { parseRounds } from './convene.ts';

/**
 * The functions by which an evaluation lets a deliberation in rounds answer, as one of the ways to answer
 * (arms) that it compares. In the name of this arm, such as `rounds:3`, the number is that of rounds.
 */
export const arm: ArmMaker = {
  seat({ call, detail, model, player, looks }) {
    const rounds = parseRounds({ rounds: detail || 'brief' });
    const { cast } = loadPreset(CAST_KIND, NEUTRAL, call);
    const seats = makeRoundsSeats(cast, {
      action: player(0),
      guardian: player(1),
      observer: player(2),
      critic: player(3),
    });
    const stress = { ...getDefaultStress(rounds) };
    const config: Omit<RoundsConfig, 'seed'> = {
      verifier: model,
      rounds,
      stress: Object.fromEntries(Object.entries(stress)),
      driftEvery: getDefaultDriftInterval(rounds),
      // End the run by itself at four satisfied signals: in an evaluation, no person can be asked
      // whether to stop.
      stopAt: 4,
      respond: 'report',
      ...LATEST,
      attachments: [],
    };
    return {
      protocol: 'rounds',
      isRigid: true,
      seats,
      config,
      plan: (question) =>
        planRounds({
          question,
          seats,
          verifier: model,
          rounds,
          stress,
          mayEndEarly: true,
          attachments: [],
          looks,
        }),
    };
  },
  finalText(facts) {
    const last = viewOf(facts).syntheses.at(-1);
    return last && { text: last.text, model: last.model };
  },
  // Before the seats of a deliberation in rounds see each other's words, they only vote on the question. A vote is
  // not a first answer, so none are returned.
  firstAnswers: () => [],
};

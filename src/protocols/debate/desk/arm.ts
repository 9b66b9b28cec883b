/** Lets a method of debate be an arm of an evaluation: `debate:standard`. */

import * as z from 'zod';
import type { ArmMaker } from '../../../app/evaluation/arm-maker.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { viewOf } from '../../../kernel/view.ts';
import { readSettings, seatsOf, toSeatDefinition } from '../../../sdk/config.ts';
import { parseJson } from '../../../text/json.ts';
import { loadAllMethods } from '../catalog.ts';
import type { DebateConfig } from '../config.ts';
import { estimateMethod } from '../estimate.ts';

/** A blind answer of a poll, as its call returned it. */
const answerSchema = z.object({ answer: z.string() });
/** The role of the seat outside the panel, which reads what the other seats said. */
const JUDGE = 'judge';
const BLIND = /^answer\/([^/]+)$/;

/**
 * Loads what an evaluation needs to run a debate as one of its arms (ways to answer). The name of an arm, such
 * as `debate:standard`, says by which method it debates. All methods are loaded, because the names of the arms
 * become known only later.
 */
export async function loadArm(): Promise<ArmMaker> {
  const methods = await loadAllMethods();
  return {
    seat({ detail, model, player, looks }) {
      const definition = methods.get(detail || 'standard');
      if (definition === undefined)
        throw new UsageError(
          `there is no method "${detail}"`,
          `The methods are ${[...methods.keys()].join(', ')}.`,
        );
      const roles = Object.entries(definition.seats).flatMap(([role, seat]) =>
        Array.from({ length: toSeatDefinition(seat).many?.usual ?? 1 }, () => role),
      );
      let place = 0;
      const places = roles.map((role) => ({
        role,
        model: role === JUDGE ? model : player(place++),
      }));
      const seats = seatsOf(definition, places);
      const settings = readSettings(definition, []);
      const config: Omit<DebateConfig, 'seed'> = {
        method: definition.name,
        settings,
        ...(looks ? { looks } : {}),
      };
      return {
        protocol: 'debate',
        isRigid: true,
        seats,
        config,
        plan: (question) => estimateMethod(definition, settings, seats, question, looks),
      };
    },
    finalText(facts) {
      const { syntheses, seats } = viewOf(facts);
      const last = syntheses.at(-1);
      // If the evaluation cannot find the chosen answer in the debate's conclusion, it asks a model to find the
      // answer there: the judge's model, or the first seat's if the debate has no judge.
      const reader = seats.find(({ role }) => role === JUDGE) ?? seats[0];
      return last && reader && { text: last.text, model: reader.model };
    },
    firstAnswers: (facts) =>
      Object.values(viewOf(facts).calls).flatMap(({ step, state, text }) => {
        const [, seat] = BLIND.exec(step) ?? [];
        const said =
          state === 'done' && seat !== undefined
            ? answerSchema.safeParse(parseJson(text))
            : undefined;
        return seat !== undefined && said?.success === true
          ? [{ seat, text: said.data.answer }]
          : [];
      }),
  };
}

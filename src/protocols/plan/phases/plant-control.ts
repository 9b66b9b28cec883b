/**
 * Has the control of an examination written: by another model than the one that is to find it, where there is
 * any. What is unfit is asked for once more; after that code turns a statement itself.
 */
import { CHAIR, editionOf } from '../config.ts';
import type { PlanRun } from '../plan-run.ts';
import { controlMessages, controlSchema } from '../prompts/control.ts';
import { type Plant, plant } from '../rules/control.ts';
import { live, type Statement } from '../rules/statements.ts';
import { commission, toPlant, whyUnfit } from '../rules/written-control.ts';

const TRIES = 2;

/** A control, and the model that wrote it; undefined: code did. */
export interface Planted {
  readonly control: Plant;
  readonly by?: string;
}

/**
 * @param examiner the model that is to find it
 * @param avoided ids of statements in a conflict
 */
export async function plantControl(
  plan: PlanRun,
  key: string,
  statements: readonly Statement[],
  examiner: string,
  avoided: ReadonlySet<string>,
): Promise<Planted | undefined> {
  const { config, topic } = plan;
  const asked = commission(statements, config.seed, key, avoided);
  const by = writerBeside(plan, key, examiner);
  let earlier: { text: string; why: string } | undefined;
  for (let attempt = 1; asked !== undefined && attempt <= TRIES; attempt += 1) {
    const given = await plan.ask(`${key}/control-${attempt}`, {
      task: 'plan/control',
      seat: CHAIR,
      model: by,
      about: {
        items: asked.candidates.map(({ id }) => id),
        heard: asked.candidates.map(({ id, text }) => ({ from: id, text })),
      },
      messages: controlMessages(topic, asked, live(statements), earlier, config.seed),
      schema: controlSchema(asked.candidates.map(({ id }) => id)),
    });
    if ('why' in given) break;
    const why = whyUnfit(given.value, asked, statements);
    if (why === undefined) return { control: toPlant(given.value, asked, statements), by };
    earlier = { text: given.value.text, why };
  }
  const turned = plant(statements, config.seed, key, avoided, editionOf(config));
  return turned === undefined ? undefined : { control: turned };
}

/** A model of the plan that is not the examiner, the chair's first. */
function writerBeside(plan: PlanRun, key: string, examiner: string): string {
  const models = [plan.seat(CHAIR, key).model, ...plan.roles.map(({ model }) => model)];
  return models.find((model) => model !== examiner) ?? examiner;
}

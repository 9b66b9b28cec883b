/**
 * Has the control of an examination written: by another model than the one that is to find it, where there is
 * any. What is unfit is asked for once more; after that code turns a statement itself.
 */
import { CHAIR, editionOf } from '../config.ts';
import type { PlanRun } from '../plan-run.ts';
import {
  controlMessages,
  controlSchema,
  controlsMessages,
  controlsSchema,
  type RefusedControl,
} from '../prompts/control.ts';
import { contextPart, NO_CONTEXT } from '../prompts/opening.ts';
import { closestTo, whyConspicuous } from '../rules/conspicuous.ts';
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
  const { config } = plan;
  const planning = { plan, key, statements, examiner, avoided };
  const written = editionOf(config) < 5 ? await writeOne(planning) : await writeSeveral(planning);
  if (written !== undefined) return written;
  const turned = plant(statements, config.seed, key, avoided, editionOf(config));
  return turned === undefined ? undefined : { control: turned };
}

interface Planning {
  readonly plan: PlanRun;
  readonly key: string;
  readonly statements: readonly Statement[];
  readonly examiner: string;
  readonly avoided: ReadonlySet<string>;
}

/** Has one control written at a time, as plans of the third and fourth edition do. */
async function writeOne({
  plan,
  key,
  statements,
  examiner,
  avoided,
}: Planning): Promise<Planted | undefined> {
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
    if ('why' in given) return undefined;
    const why = whyUnfit(given.value, asked, statements);
    if (why === undefined) return { control: toPlant(given.value, asked, statements), by };
    earlier = { text: given.value.text, why };
  }
  return undefined;
}

/**
 * Has several controls written by a model that may know the documents of their seat: the seat's own, or the
 * chair's. Plants the fit one that is closest to the statement that it is to look like.
 */
async function writeSeveral({
  plan,
  key,
  statements,
  examiner,
  avoided,
}: Planning): Promise<Planted | undefined> {
  const { config, topic } = plan;
  const modelOf = (role: string): string | undefined =>
    plan.roles.find(({ id }) => id === role)?.model;
  const asked = commission(statements, config.seed, key, avoided, {
    // The person has no documents and no manner: nothing is put into their mouth.
    isAllowed: (role) => modelOf(role) !== undefined,
    isPreferred: (role) => modelOf(role) !== examiner,
  });
  if (asked?.like === undefined) return undefined;
  const { like } = asked;
  const own = modelOf(asked.role) ?? examiner;
  const by = own === examiner ? plan.seat(CHAIR, key).model : own;
  const context = plan.view.gated.find(({ seat }) => seat === asked.role) ?? NO_CONTEXT;
  const domain = [topic, ...context.shown.map(({ text }) => text)];
  let refused: RefusedControl[] = [];
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const given = await plan.ask(`${key}/control-${attempt}`, {
      task: 'plan/control',
      seat: CHAIR,
      model: by,
      about: {
        items: asked.candidates.map(({ id }) => id),
        heard: asked.candidates.map(({ id, text }) => ({ from: id, text })),
      },
      messages: controlsMessages(
        topic,
        asked,
        live(statements),
        contextPart(context, config.seed, editionOf(config)),
        refused,
        config.seed,
      ),
      schema: controlsSchema(asked.candidates.map(({ id }) => id)),
    });
    if ('why' in given) return undefined;
    const judged = given.value.controls.map((control) => ({
      control,
      why: whyUnfit(control, asked, statements) ?? whyConspicuous(control, asked, domain),
    }));
    const fit = closestTo(
      like,
      judged.flatMap(({ control, why }) => (why === undefined ? [control] : [])),
    );
    if (fit !== undefined) return { control: toPlant(fit, asked, statements), by };
    refused = judged.flatMap(({ control: { text }, why }) =>
      why === undefined ? [] : [{ text, why }],
    );
  }
  return undefined;
}

/** A model of the plan that is not the examiner, the chair's first. */
function writerBeside(plan: PlanRun, key: string, examiner: string): string {
  const models = [plan.seat(CHAIR, key).model, ...plan.roles.map(({ model }) => model)];
  return models.find((model) => model !== examiner) ?? examiner;
}

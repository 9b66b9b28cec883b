/**
 * Has a control written: a statement that contradicts another, to test whether a reader of all statements
 * finds it. Another model than the reader's writes it if there is one. An unfit control is asked for once
 * more; after that, code negates a statement itself.
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
import { type ControlStatement, makePlant } from '../rules/control.ts';
import {
  describeGiveaway,
  listBorrowedWords,
  sortByNearness,
  whyGarbled,
} from '../rules/inconspicuous.ts';
import { findLiveStatements, type Statement } from '../rules/statements.ts';
import {
  chooseCommission,
  toPlant,
  type WrittenControl,
  whyUnfit,
} from '../rules/written-control.ts';

const TRIES = 2;

/** A statement that is planted among the others to test whether a model finds the contradiction. */
export interface PlantedStatement {
  readonly control: ControlStatement;
  /** The model that wrote the statement. Absent if code made it. */
  readonly by?: string;
}

/**
 * Makes a statement that contradicts another, to test whether the model that looks for conflicts
 * finds it. A model writes it, or else code makes it. Undefined if code finds no statement to
 * contradict.
 * @param key the prefix of the recorded steps
 * @param examiner the model to be tested
 * @param avoided ids of statements that are in a conflict already
 */
export async function plantControl(
  plan: PlanRun,
  key: string,
  statements: readonly Statement[],
  examiner: string,
  avoided: ReadonlySet<string>,
): Promise<PlantedStatement | undefined> {
  const { config } = plan;
  const planning = { plan, key, statements, examiner, avoided };
  const written = editionOf(config) < 5 ? await writeOne(planning) : await writeSeveral(planning);
  if (written !== undefined) return written;
  const turned = makePlant(statements, config.seed, key, avoided, editionOf(config));
  return turned === undefined ? undefined : { control: turned };
}

interface Planning {
  readonly plan: PlanRun;
  readonly key: string;
  readonly statements: readonly Statement[];
  readonly examiner: string;
  readonly avoided: ReadonlySet<string>;
}

/** Has one control written at a time, as plans of editions 3 and 4 do. */
async function writeOne({
  plan,
  key,
  statements,
  examiner,
  avoided,
}: Planning): Promise<PlantedStatement | undefined> {
  const { config, topic } = plan;
  const asked = chooseCommission(statements, config.seed, key, avoided);
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
      messages: controlMessages(topic, asked, findLiveStatements(statements), earlier, config.seed),
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
 * Has several controls written by a model that may see the documents of their seat: the seat's own, or the
 * chair's. Returns the fit one that is most like the statement it should resemble.
 */
async function writeSeveral({
  plan,
  key,
  statements,
  examiner,
  avoided,
}: Planning): Promise<PlantedStatement | undefined> {
  const { config, topic } = plan;
  const modelOf = (role: string): string | undefined =>
    plan.roles.find(({ id }) => id === role)?.model;
  const edition = editionOf(config);
  const contextOf = (role: string) =>
    plan.view.gated.find(({ seat }) => seat === role) ?? NO_CONTEXT;
  const domainOf = (role: string): string[] => [
    topic,
    ...contextOf(role).shown.map(({ text }) => text),
  ];
  const standing = findLiveStatements(statements);
  const asked = chooseCommission(statements, config.seed, key, avoided, {
    // Attribute no planted statement to the person, who has no documents and no style to imitate.
    isAllowed: (role) => modelOf(role) !== undefined,
    isPreferred: (role) => modelOf(role) !== examiner,
    ...(edition < 7
      ? {}
      : {
          order: (others, role) =>
            sortByNearness(
              others,
              standing.filter((statement) => statement.role === role),
              domainOf(role),
            ),
        }),
  });
  if (asked?.like === undefined) return undefined;
  const { like } = asked;
  const own = modelOf(asked.role) ?? examiner;
  const by = own === examiner ? plan.seat(CHAIR, key).model : own;
  const context = contextOf(asked.role);
  const domain = domainOf(asked.role);
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
        standing,
        contextPart(context, config.seed, edition),
        refused,
        config.seed,
        edition,
      ),
      schema: controlsSchema(asked.candidates.map(({ id }) => id)),
    });
    if ('why' in given) return undefined;
    const judged = given.value.controls.map((control) => ({
      control,
      why:
        whyUnfit(control, asked, statements) ??
        whyConspicuous(control, asked, domain, edition) ??
        (edition < 7 ? undefined : describeGiveaway(control, asked, domain, standing)) ??
        (edition < 8 ? undefined : whyGarbled(control, asked, domain, standing)),
    }));
    const countBorrowed = (control: WrittenControl): number =>
      edition < 7 ? 0 : listBorrowedWords(control, asked, domain).length;
    const fit = closestTo(
      like,
      findFewest(
        judged.flatMap(({ control, why }) => (why === undefined ? [control] : [])),
        countBorrowed,
      ),
    );
    if (fit !== undefined) return { control: toPlant(fit, asked, statements), by };
    refused = judged.flatMap(({ control: { text }, why }) =>
      why === undefined ? [] : [{ text, why }],
    );
  }
  return undefined;
}

/** Returns the items of which the least is counted. */
function findFewest<T>(items: readonly T[], count: (item: T) => number): T[] {
  const least = Math.min(...items.map(count));
  return items.filter((item) => count(item) === least);
}

/**
 * Returns a model of the plan that is not the examiner, preferably the chair's; the examiner itself if
 * there is no other.
 */
function writerBeside(plan: PlanRun, key: string, examiner: string): string {
  const models = [plan.seat(CHAIR, key).model, ...plan.roles.map(({ model }) => model)];
  return models.find((model) => model !== examiner) ?? examiner;
}

/** Seats the arms of an evaluation: which model plays which part, with the models' current editions. */
import { type Arms, HIGH, SINGLE } from '../../evaluation/arms.ts';
import { computeDigest } from '../../kernel/digest.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import { toLine } from '../../text/line.ts';
import type { Invocation } from '../invocation.ts';
import { giveEffort } from '../settings/panel.ts';
import type { RunTools } from '../settings/run-tools.ts';
import { readVersion } from '../version.ts';
import type { ArmMaker } from './arm-maker.ts';
import type { SeatedMaker } from './cells.ts';

/** The next higher level of effort. Levels that are not listed become `high`. */
const HIGHER: ReadonlyMap<string, string> = new Map([
  ['low', 'medium'],
  ['medium', 'high'],
  ['high', 'xhigh'],
  ['xhigh', 'max'],
]);
const HIGHEST = 'max';

/** All compared ways to answer (arms) of an evaluation, with their seats and models. */
export interface SeatedArms {
  /**
   * The arms by name. The arm that asks one model alone is always among them. The arm `high`, which
   * asks the same model with more thinking effort, is among them only if it is compared.
   */
  readonly asked: ReadonlyMap<string, SeatedMaker>;
  /** The arm that asks one model alone. Its answers are also the samples of votes. */
  readonly alone: SeatedMaker;
  /** The name of each model, with the exact version if the server tells one. */
  readonly editions: ReadonlyMap<ModelSpec, string>;
}

/**
 * Chooses the seats and models of all arms of an evaluation.
 *
 * @throws UsageError if an arm does not exist, or the arm `high` is compared although no effort is higher
 */
export async function seatArms(
  call: Invocation,
  gateway: ModelGateway,
  arms: Arms,
  {
    model,
    panel,
    effort,
    tools,
  }: {
    readonly model: ModelSpec;
    readonly panel: readonly ModelSpec[];
    readonly effort: string | undefined;
    /** The tools that seats may use, the same in every arm. */
    readonly tools: Pick<RunTools, 'looks' | 'settings' | 'tools'>;
  },
): Promise<SeatedArms> {
  if (arms.high && effort === HIGHEST)
    throw new UsageError(
      `--arms high: there is no effort above ${HIGHEST}`,
      'Set a lower --effort, or leave out high.',
    );
  const program = readVersion();
  const editions = new Map<ModelSpec, string>();
  const seatMaker = async (
    maker: ArmMaker,
    detail: string,
    level: string | undefined,
  ): Promise<SeatedMaker> => {
    const getPlayer = (place: number): ModelSpec => panel[place % panel.length] ?? model;
    const made = maker.seat({
      call,
      detail,
      model,
      player: getPlayer,
      looks: tools.looks,
      offered: tools.tools?.offered ?? [],
    });
    const seated = {
      ...made,
      seats: giveEffort(made.seats, level),
      config: { ...made.config, ...tools.settings },
    };
    // Find out the edition of every model that may be called: the models of the seats, and `model`, which the arm
    // with a single model asks.
    const asked = [...new Set([...seated.seats.map((seat) => seat.model), model])];
    for (const spec of asked)
      if (!editions.has(spec)) editions.set(spec, await nameModel(gateway, spec));
    const { protocol, seats, config } = seated;
    const sitting = seats.map((seat) => seat.model);
    const others = asked.filter((spec) => !sitting.includes(spec));
    const models = [...sitting, ...others].map((spec) => editions.get(spec));
    const hash = computeDigest({ program, protocol, seats, config, models });
    return { maker, seated, hash, models: asked };
  };
  const single = await call.protocols.loadSingleModelArm();
  const alone = await seatMaker(single, '', effort);
  const asked = new Map([[SINGLE, alone]]);
  if (arms.high)
    asked.set(HIGH, await seatMaker(single, HIGHER.get(effort ?? '') ?? 'high', undefined));
  for (const { name, kind, detail } of arms.panels)
    asked.set(name, await seatMaker(await call.protocols.loadArm(kind), detail, effort));
  return { asked, alone, editions };
}

/** Returns a model's name, with the exact version if its server tells one. */
export async function nameModel(gateway: ModelGateway, model: ModelSpec): Promise<string> {
  const edition = await gateway.edition(model);
  return edition === undefined ? model : toLine(`${model} ${edition}`);
}

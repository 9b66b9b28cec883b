/** Forks a run of a person's own protocol: another model for a seat from a step on, or other settings. */
import { UsageError } from '../../kernel/errors.ts';
import type { Seat } from '../../kernel/model.ts';
import { checkSpec } from '../../kernel/providers/spec.ts';
import type { RunView } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { configSchema, makeForkModels, readSettings } from '../config.ts';
import type { AnyDefinition } from '../define.ts';

/** Matches `seat.ROLE.model=PROVIDER/MODEL`; any other text changes a setting of the protocol. */
const SEAT = /^seat\.(.+)\.model\s*=(.*)$/;

/**
 * Computes the seats and settings for a fork of a run of a person's own protocol. A seat's new
 * model is used from the step `at` on; a changed setting applies from the start.
 *
 * @param set the changes as typed: `seat.critic.model=…`
 * @throws UsageError if `set` is empty, if a seat, setting or step does not exist, or if a seat's model is to
 *   change and `at` is missing
 */
export function planOwnFork(
  view: RunView,
  facts: readonly AnyFact[],
  definition: AnyDefinition,
  at: string | undefined,
  set: readonly string[],
): { seats: readonly Seat[]; config: Record<string, unknown> } {
  if (set.length === 0)
    throw new UsageError(
      'nothing to change: a fork needs at least one --set',
      'Name a change: --set seat.ROLE.model=PROVIDER/MODEL, or a setting: --set NAME=VALUE',
    );
  const steps = [...new Set(facts.flatMap((fact) => (isStep(fact) ? [fact.step] : [])))];
  const from = steps.findIndex((step) => step === at || step.startsWith(`${at}/`));
  const list = steps.map((step) => step.split('/')[0]);
  if (at !== undefined && from < 0)
    throw new UsageError(
      `--at ${at}: this run has no such step`,
      `Its first steps: ${[...new Set(list)].join(', ')}. See all with: deliberate show RUN --json`,
    );
  const models = new Map(set.flatMap((text) => modelIn(text, view)));
  if (models.size > 0 && at === undefined)
    throw new UsageError('--at is required', `The first step is ${steps[0]}.`);
  const config = configSchema.parse(view.config);
  const seats = view.seats.map((seat) => ({ ...seat, model: models.get(seat.id) ?? seat.model }));
  const again = new Set(steps.slice(Math.max(0, from)));
  const written = set.filter((text) => !SEAT.test(text));
  return {
    seats,
    config: {
      ...view.config,
      settings: readSettings(definition, written, config.settings),
      models: makeForkModels(again, view, seats, config.models),
    },
  };
}

function isStep(fact: AnyFact): fact is AnyFact & { step: string } {
  return (
    (fact.type === 'step.started' || fact.type === 'step.completed') &&
    fact.step !== undefined &&
    !fact.step.startsWith('budget/')
  );
}

function modelIn(text: string, { seats }: RunView): [string, string][] {
  const [, id = '', spec = ''] = SEAT.exec(text) ?? [];
  if (id === '') return [];
  if (!seats.some((seat) => seat.id === id))
    throw new UsageError(
      `--set ${text}: no such seat`,
      `The seats are ${seats.map((seat) => seat.id).join(', ')}.`,
    );
  return [[id, checkSpec(spec.trim())]];
}

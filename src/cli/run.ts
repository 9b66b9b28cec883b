/** `deliberate run`: holds a protocol of the person's own, from the file they name. */
import { randomInt } from 'node:crypto';
import type { Invocation } from '../app/invocation.ts';
import { openProtocol } from '../app/own/open.ts';
import { runInTerminal } from '../app/run/run-in-terminal.ts';
import { readConfig } from '../app/settings/config.ts';
import { modelsFor, REHEARSAL_MODEL } from '../app/settings/discovery.ts';
import { nameLook, openLook } from '../app/settings/look-folders.ts';
import { giveEffort, parseSeatRequest, type SeatRequest } from '../app/settings/panel.ts';
import { openModels } from '../app/settings/providers.ts';
import { readQuestion } from '../app/settings/question.ts';
import { openStore } from '../app/store.ts';
import { UsageError } from '../kernel/errors.ts';
import type { ModelSpec } from '../kernel/model.ts';
import { checkSpec } from '../kernel/spec.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { type OwnConfig, readSettings, seatsOf } from '../sdk/config.ts';
import type { AnyDefinition } from '../sdk/define.ts';

export async function run(call: Invocation): Promise<number> {
  const [file, ...words] = call.words;
  if (file === undefined)
    throw new UsageError(
      'no protocol file given',
      'Example: deliberate run ./red-team.ts "Should we split the monolith?"',
    );
  const config = readConfig(call);
  const { protocol, definition, source } = await openProtocol(file);
  const settings = readSettings(definition, call.flags.set);
  const places = placesOf(call, definition, config.model);
  if (call.flags.estimate) return estimate(call, definition, settings);
  const question = await readQuestion({ ...call, words });
  const models = openModels(call, config);
  const found = await modelsFor(call, places, models);
  const { look, tools } = openLook(call, models);
  const ownConfig: OwnConfig = {
    settings,
    seed: call.flags.seed ?? randomInt(2 ** 31),
    ...(look.length === 0 ? {} : { look }),
  };
  const seats = giveEffort(seatsOf(definition, modelsIn(places, found)), config.effort);
  const store = openStore(call);
  const journal = store.create(protocol.name);
  store.nameProtocol(journal.run, source.file);
  nameLook(store, journal.run, look);
  return runInTerminal({
    call,
    config,
    store,
    models,
    journal,
    protocol,
    source,
    tools,
    start: (session) => session.begin({ question, seats, config: ownConfig }),
  });
}

/** A place for every role of the file, as far as the person gave it a model. */
function placesOf(
  { flags }: Invocation,
  { name, seats }: AnyDefinition,
  configured: string | undefined,
): SeatRequest[] {
  const roles = Object.keys(seats);
  const named = new Map<string, ModelSpec | undefined>();
  for (const { role, model } of flags.seat.map(parseSeatRequest)) {
    if (!roles.includes(role))
      throw new UsageError(
        `--seat ${role}: ${name} no such seat`,
        `Its seats are ${roles.join(', ')}.`,
      );
    if (named.has(role)) throw new UsageError(`--seat ${role} is given twice`, 'Keep one of them.');
    named.set(role, model);
  }
  const general = flags.model ?? (flags.rehearse ? REHEARSAL_MODEL : configured);
  const forAll = general === undefined ? undefined : checkSpec(general);
  return roles.map((role) => ({ role, model: named.get(role) ?? forAll }));
}

/** Who has no model gets the next of those that were found. */
function modelsIn(
  places: readonly SeatRequest[],
  found: readonly ModelSpec[],
): (role: string) => ModelSpec {
  const open = places.filter(({ model }) => model === undefined).map(({ role }) => role);
  return (role) => {
    const model =
      places.find((one) => one.role === role)?.model ?? found[open.indexOf(role) % found.length];
    if (model === undefined) throw new Error(`no model for ${role}`);
    return model;
  };
}

/** What the file says of its calls. Prompts are made while it runs: tokens and dollars nobody knows before. */
function estimate(
  { flags, out }: Invocation,
  { name, seats, calls }: AnyDefinition,
  settings: Record<string, unknown>,
): number {
  const said = calls?.(settings, Object.keys(seats));
  if (flags.json) {
    const span = said === undefined ? null : { low: said[0], high: said[1] };
    out.write(jsonLine({ protocol: name, calls: span, input: null, output: null, usd: null }));
    return 0;
  }
  out.write(
    said === undefined
      ? `${name} does not say how many calls it makes: its file has no "calls".\n`
      : `${name} makes ${said[0] === said[1] ? said[0] : `${said[0]} to ${said[1]}`} calls, as its file says.\n`,
  );
  out.write('Tokens and price are not known beforehand; --budget-usd sets a limit.\n');
  return 0;
}

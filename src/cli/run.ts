/** `deliberate run`: runs a protocol of the person's own from the file they name. */
import { randomInt } from 'node:crypto';
import type { Invocation } from '../app/invocation.ts';
import { refuseMissingKeys } from '../app/run/keys.ts';
import { runInTerminal } from '../app/run/run-in-terminal.ts';
import { attachedLines, readAttachments } from '../app/settings/attachments.ts';
import { readConfig } from '../app/settings/config.ts';
import { modelsFor } from '../app/settings/discovery.ts';
import { giveEffort } from '../app/settings/panel.ts';
import { openModels } from '../app/settings/providers.ts';
import { readQuestion } from '../app/settings/question.ts';
import { openRunTools } from '../app/settings/run-tools.ts';
import { openStore } from '../app/store.ts';
import { UsageError } from '../kernel/errors.ts';
import { refuseSeats } from '../kernel/names.ts';
import { estimateTokens } from '../kernel/tokens.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { makeAttachedSetting } from '../protocols/common/prompts/attached.ts';
import { idsOf, type OwnConfig, readSettings, seatsOf } from '../sdk/config.ts';
import type { AnyDefinition } from '../sdk/define.ts';
import { openProtocol } from '../sdk/desk/open.ts';
import { type OpenPlace, placesOf, seatModels } from '../sdk/desk/places.ts';

/**
 * Runs `deliberate run FILE`: starts a run of a person's own protocol. Resolves to the exit code.
 */
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
  if (call.flags.estimate) return printEstimate(call, definition, settings, places);
  const worded = { ...call, words };
  const attachments = await readAttachments(worded);
  const question = await readQuestion(worded);
  if (!call.flags.quiet) call.err.write(attachedLines(attachments, estimateTokens(question)));
  const models = openModels(call, config);
  const found = await modelsFor(call, places, models);
  const toolsOfRun = await openRunTools(call, models);
  const ownConfig: OwnConfig = {
    settings,
    seed: call.flags.seed ?? randomInt(2 ** 31),
    ...toolsOfRun.settings,
    ...makeAttachedSetting(attachments),
  };
  const seats = giveEffort(seatsOf(definition, seatModels(places, found)), config.effort);
  refuseSeats(seats);
  refuseMissingKeys(call, seats, models);
  const store = openStore(call);
  const journal = store.create(protocol.name);
  store.setProtocolFile(journal.run, source.file);
  toolsOfRun.keep(store, journal.run);
  return runInTerminal({
    call,
    config,
    store,
    models,
    journal,
    protocol,
    source,
    tools: toolsOfRun.tools,
    start: (session) => session.begin({ question, seats, config: ownConfig }),
  });
}

/**
 * Prints the number of calls that the file declares. Tokens and cost are unknown, because prompts are made
 * during the run.
 */
function printEstimate(
  { flags, out }: Invocation,
  definition: AnyDefinition,
  settings: Record<string, unknown>,
  places: readonly OpenPlace[],
): number {
  const { name, calls } = definition;
  const said = calls?.(settings, idsOf(definition, places));
  if (flags.json) {
    const span = said === undefined ? null : { low: said[0], high: said[1] };
    out.write(jsonLine({ protocol: name, calls: span, input: null, output: null, usd: null }));
    return 0;
  }
  out.write(
    said === undefined
      ? `${name} does not declare its number of calls: its file has no "calls".\n`
      : `${name} makes ${said[0] === said[1] ? said[0] : `${said[0]} to ${said[1]}`} calls, according to its file.\n`,
  );
  out.write('Tokens and price are not known in advance; --budget-usd sets a limit.\n');
  return 0;
}

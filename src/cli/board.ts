/** `deliberate board`: seats the panel and convenes it. */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { text as readAll } from 'node:stream/consumers';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import type { ModelSpec } from '../kernel/model.ts';
import type { ModelGateway, ProviderListing } from '../models/gateway.ts';
import { type BoardConfig, board as boardProtocol } from '../protocols/boardroom/board.ts';
import { Store } from '../store/store.ts';
import { displayOf } from './display.ts';
import { type Config, databaseFile, readConfig, readText } from './files.ts';
import type { Invocation } from './invocation.ts';
import { checkSpec, type Place, parsePlace, seatsFor } from './panel.ts';
import { readBoard, readRole } from './presets.ts';
import { preside, protocolNamed } from './preside.ts';
import { openModels } from './providers.ts';

/** The board that sits when nothing is said: an advocate, a critic and an analyst. */
const DEFAULT_BOARD = 'classic-triad';

const REHEARSAL_MODEL = 'rehearsal/panel';

export async function board(call: Invocation): Promise<number> {
  const { flags } = call;
  const config = readConfig(call);
  const places = placesOf(call, config);
  const roles = new Map(places.map(({ role }) => [role, readRole(role)]));
  const attachments = flags.attach.map((file) => ({
    name: basename(file),
    text: readAttachment(file),
  }));
  const question = await readQuestion(call);
  const models = openModels(call, config);
  const known = await modelsFor(call, places, models);
  const seats = seatsFor(places, roles, known);
  const first = seats[0];
  if (first === undefined) throw new UsageError('a board needs at least one seat');
  // The fourth model found, as the first three sit on the panel; else the panel's own first.
  const synthesizer = flags.synthesizer ?? config.synthesizer ?? known[3] ?? first.model;
  const boardConfig: BoardConfig = {
    synthesizer: flags.rehearse ? REHEARSAL_MODEL : checkSpec(synthesizer),
    open: flags.open,
    seed: flags.seed ?? randomInt(2 ** 31),
    attachments,
  };
  const store = Store.open(databaseFile(call));
  return preside({
    call,
    config,
    store,
    models,
    journal: store.create(boardProtocol.name),
    protocol: protocolNamed(boardProtocol.name),
    start: (session) => session.begin({ question, seats, config: boardConfig }),
  });
}

/** Where seats stand, from one source only. */
function placesOf({ flags }: Invocation, config: Config): Place[] {
  if (flags.seat.length > 0 && flags.preset !== undefined)
    throw new UsageError('--seat and --preset both name a panel', 'Use one of them.');
  const model = flags.model ?? config.model;
  const places: readonly Place[] =
    flags.seat.length > 0
      ? flags.seat.map((text) =>
          flags.rehearse && !text.includes('=') ? { role: text } : parsePlace(text),
        )
      : readBoard(flags.preset ?? config.preset ?? DEFAULT_BOARD).seats;
  if (flags.rehearse) return places.map(({ role }) => ({ role, model: REHEARSAL_MODEL }));
  return places.map((place) => ({
    role: place.role,
    model: place.model ?? (model === undefined ? undefined : checkSpec(model)),
  }));
}

/** Models for the places that have none, in the order in which the providers list them. */
async function modelsFor(
  call: Invocation,
  places: readonly Place[],
  gateway: ModelGateway,
): Promise<ModelSpec[]> {
  if (places.every(({ model }) => model !== undefined)) return [];
  const listings = await gateway.list();
  const found = listings.flatMap(({ name, models }) =>
    name === 'rehearsal' ? [] : models.map(({ spec }) => spec),
  );
  if (found.length > 0) return found.slice(0, 4);
  const looked = listings.filter(({ name }) => name !== 'rehearsal').map(lookedAt);
  if (displayOf(call) === 'console' && (await offerRehearsal(call, looked)))
    return [REHEARSAL_MODEL];
  throw new DeliberateError(
    'no-models',
    ['no model was found. Looked for:', ...looked].join('\n  '),
    'A first look without any model: add --rehearse.',
  );
}

function lookedAt({ name, endpoint, error }: ProviderListing): string {
  return `${name} at ${endpoint}: ${error?.replace(`${name}: `, '') ?? 'it has no models'}`;
}

async function offerRehearsal(
  { err, stdin }: Invocation,
  looked: readonly string[],
): Promise<boolean> {
  err.write(`No model was found. Looked for:\n  ${looked.join('\n  ')}\n`);
  const terminal = createInterface({ input: stdin, output: err });
  const answer = await terminal.question(
    'Rehearse with the built-in stand-in? It shows the console; what it says is no opinion. [y/N] ',
  );
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** From the argument, `--file`, or standard input; exactly one of them. */
async function readQuestion({ words, flags, stdin }: Invocation): Promise<string> {
  const argument = words.filter((word) => word !== '-').join(' ');
  const piped = words.includes('-');
  const sources = [argument !== '', flags.file !== undefined, piped].filter(Boolean).length;
  if (sources > 1)
    throw new UsageError(
      'the question comes from several places',
      'Give it as an argument, with --file, or as - for standard input.',
    );
  const question =
    flags.file !== undefined
      ? (readText(flags.file) ?? '')
      : argument !== ''
        ? argument
        : piped || !stdin.isTTY
          ? await readAll(stdin)
          : '';
  if (question.trim() === '')
    throw new UsageError(
      'there is no question',
      'Example: deliberate board "Should we split the monolith?"',
    );
  return question.trim();
}

/** @throws UsageError where it is not UTF-8 text. */
function readAttachment(file: string): string {
  readText(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch {
    throw new UsageError(`${file} is not text in UTF-8`);
  }
}

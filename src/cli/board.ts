/** `deliberate board`: seats the panel and convenes it. */
import { randomInt } from 'node:crypto';
import { UsageError } from '../kernel/errors.ts';
import type { ModelSpec } from '../kernel/model.ts';
import type { BoardConfig } from '../protocols/boardroom/board.ts';
import type { Attachment } from '../protocols/boardroom/prompts.ts';
import { Store } from '../store/store.ts';
import { modelsFor, REHEARSAL_MODEL } from './discovery.ts';
import { type Config, databaseFile, readConfig } from './files.ts';
import type { Invocation } from './invocation.ts';
import { checkSpec, DEFAULT_BOARD, type Place, parsePlace, seatsFor } from './panel.ts';
import { readBoard, readRole } from './presets.ts';
import { preside } from './preside.ts';
import { protocolNamed } from './protocols.ts';
import { openModels } from './providers.ts';
import { readAttachments, readQuestion } from './question.ts';

/** What a board is about and who sits on it, wherever that was said: by flags or on the home screen. */
export interface BoardPlan {
  readonly question: string;
  readonly places: readonly Place[];
  /** The fourth model found, or the panel's own first, where nobody is named. */
  readonly synthesizer?: ModelSpec | undefined;
  readonly attachments: readonly Attachment[];
}

export async function board(call: Invocation): Promise<number> {
  const { flags } = call;
  const config = readConfig(call);
  const places = placesOf(call, config);
  for (const { role } of places) readRole(role);
  const attachments = readAttachments(flags.attach);
  const question = await readQuestion(call);
  const synthesizer = flags.synthesizer ?? config.synthesizer;
  return convene(call, config, { question, places, synthesizer, attachments });
}

/** Gives every place a model, opens a run and presides over it. Resolves to the exit code. */
export async function convene(
  call: Invocation,
  config: Config,
  { question, places, synthesizer, attachments }: BoardPlan,
): Promise<number> {
  const { flags } = call;
  const roles = new Map(places.map(({ role }) => [role, readRole(role)]));
  const models = openModels(call, config);
  const known = await modelsFor(call, places, models);
  const seats = seatsFor(places, roles, known);
  const first = seats[0];
  if (first === undefined) throw new UsageError('a board needs at least one seat');
  // The fourth model found, as the first three sit on the panel; else the panel's own first.
  const chair = synthesizer ?? known[3] ?? first.model;
  const boardConfig: BoardConfig = {
    synthesizer: flags.rehearse ? REHEARSAL_MODEL : checkSpec(chair),
    open: flags.open,
    seed: flags.seed ?? randomInt(2 ** 31),
    attachments: [...attachments],
  };
  const store = Store.open(databaseFile(call));
  return preside({
    call,
    config,
    store,
    models,
    journal: store.create('board'),
    protocol: await protocolNamed('board'),
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

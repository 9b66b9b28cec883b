/** `deliberate board`: seats the panel and starts the run. */
import { randomInt } from 'node:crypto';
import type { Invocation } from '../../../app/invocation.ts';
import { beginInTerminal } from '../../../app/run/run-in-terminal.ts';
import { attachedLines, readAttachments } from '../../../app/settings/attachments.ts';
import { type Config, readConfig } from '../../../app/settings/config.ts';
import { modelsFor, REHEARSAL_MODEL } from '../../../app/settings/discovery.ts';
import { printRunEstimate } from '../../../app/settings/estimate.ts';
import { completePlaces } from '../../../app/settings/model-names.ts';
import {
  DEFAULT_BOARD,
  parseSeatRequest,
  type SeatRequest,
  seatsFor,
} from '../../../app/settings/panel.ts';
import { openModels } from '../../../app/settings/providers.ts';
import { readQuestion } from '../../../app/settings/question.ts';
import { openRunTools } from '../../../app/settings/run-tools.ts';
import { expandHome } from '../../../io/complete-path.ts';
import { BOARD_KIND, ROLE_KIND } from '../../../io/preset-kinds.ts';
import { loadPreset, readPreset } from '../../../io/presets.ts';
import { UsageError } from '../../../kernel/errors.ts';
import type { ModelSpec } from '../../../kernel/model.ts';
import { checkSpec } from '../../../kernel/providers/spec.ts';
import type { Attachment } from '../../../text/documents/attachment.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import type { BoardConfig, BoardSettings } from '../config.ts';
import { estimateAdvisorPrompt, planBoard } from '../estimate.ts';
import { checkQuorum, countBaselineSamples, readBoardSettings } from './settings.ts';

/** The question and panel of a board, from flags or from the home screen. */
interface BoardPlan {
  readonly question: string;
  readonly places: readonly SeatRequest[];
  /** The synthesizer's model; default: the fourth model found, or else the first seat's. */
  readonly synthesizer?: ModelSpec | undefined;
  readonly attachments: readonly Attachment[];
  /** The settings; without `vote` there is a vote. */
  readonly settings?: BoardSettings | undefined;
}

/** Runs the command `deliberate board`, which puts a question to a panel of seats. Resolves to the exit code. */
export async function board(given: Invocation): Promise<number> {
  const config = readConfig(given);
  const { places, attach, look } = panelOf(given, config);
  const flags = {
    ...given.flags,
    attach: [...attach, ...given.flags.attach],
    look: [...look, ...given.flags.look],
  };
  const call = { ...given, flags };
  for (const role of new Set(places.map(({ role }) => role))) readPreset(ROLE_KIND, role, call.env);
  const settings = readBoardSettings(config, call.flags, places.length);
  const attachments = await readAttachments(call);
  const question = await readQuestion(call);
  const { synthesizer } = config;
  return convene(call, config, { question, places, synthesizer, attachments, settings });
}

/**
 * Gives every seat a model, starts a board and shows it in the terminal; with `--estimate`, only prints the estimate.
 * Resolves to the exit code.
 */
export async function convene(
  call: Invocation,
  config: Config,
  { question, places, synthesizer, attachments, settings = {} }: BoardPlan,
): Promise<number> {
  const { flags } = call;
  if (settings.quorum !== undefined) checkQuorum(settings.quorum, places.length);
  const roles = new Map(
    [...new Set(places.map(({ role }) => role))].map((role) => [
      role,
      loadPreset(ROLE_KIND, role, call),
    ]),
  );
  const models = openModels(call, config);
  const named = await completePlaces(
    call,
    places.map((place) => ({ ...place, model: place.model ?? roles.get(place.role)?.model })),
    models,
  );
  for (const { model } of named) if (model !== undefined) checkSpec(model);
  const known = await modelsFor(call, named, models);
  const seats = seatsFor(named, roles, known);
  const first = seats[0];
  if (first === undefined) throw new UsageError('a board needs at least one seat');
  // A synthesizer without a named model gets the fourth model found, which a panel of three leaves free. If there is
  // no fourth, or no model was looked for because all seats have one, it gets the first seat's model.
  const chair = synthesizer ?? known[3] ?? first.model;
  const toolsOfRun = await openRunTools(call, models);
  const { vote = true } = settings;
  const { predict = 0 } = config;
  const boardConfig: BoardConfig = {
    vote,
    ...settings,
    ...(predict === 0 ? {} : { predict }),
    ...(flags.rehearse ? { baselineModel: REHEARSAL_MODEL } : {}),
    synthesizer: flags.rehearse ? REHEARSAL_MODEL : checkSpec(chair),
    open: config.open ?? false,
    ownVote: true,
    plantedOption: true,
    ...withoutUndefined({ effort: config.effort }),
    seed: flags.seed ?? randomInt(2 ** 31),
    attachments: [...attachments],
    ...toolsOfRun.settings,
  };
  if (!flags.quiet)
    call.err.write(attachedLines(attachments, estimateAdvisorPrompt(question, first.brief)));
  const asked = planBoard({
    question,
    seats,
    synthesizer: boardConfig.synthesizer,
    attachments: attachments.map(({ text }) => text),
    vote: boardConfig.vote,
    predict,
    looks: toolsOfRun.looks,
    baseline: {
      model: boardConfig.baselineModel ?? boardConfig.synthesizer,
      samples: countBaselineSamples(boardConfig.baselines ?? []),
    },
  });
  if (await printRunEstimate(call, asked, models)) return 0;
  return beginInTerminal({ call, config, models, toolsOfRun, planned: asked }, 'board', {
    question,
    seats,
    config: boardConfig,
  });
}

/** The seats, and the files and folders of their preset. */
interface Panel {
  readonly places: readonly SeatRequest[];
  readonly attach: readonly string[];
  readonly look: readonly string[];
}

/** Returns the seats from flags or a preset, never from both. */
function panelOf(call: Invocation, config: Config): Panel {
  const { flags } = call;
  if (flags.seat.length > 0 && flags.preset !== undefined)
    throw new UsageError('--seat and --preset both name a panel', 'Use one of them.');
  const { model } = config;
  const preset =
    flags.seat.length > 0
      ? undefined
      : loadPreset(BOARD_KIND, config.preset ?? DEFAULT_BOARD, call);
  const named: readonly SeatRequest[] =
    preset?.seats ??
    flags.seat.map((text) =>
      flags.rehearse && !text.includes('=') ? { role: text } : parseSeatRequest(text),
    );
  const places = named.map((place) => ({
    ...place,
    model: flags.rehearse
      ? REHEARSAL_MODEL
      : (place.model ?? (model === undefined ? undefined : checkSpec(model))),
  }));
  const expandWish = (wish: string): string =>
    wish.replace(
      /^([\w.-]+=)?(.*)$/s,
      (_all, name = '', path) => name + expandHome(path, call.env),
    );
  return {
    places,
    attach: (preset?.attach ?? []).map(expandWish),
    look: (preset?.look ?? []).map(expandWish),
  };
}

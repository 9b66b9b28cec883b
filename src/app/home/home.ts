/**
 * `deliberate` alone: the home screen, and back to it after every run. Only what the first frame needs
 * is loaded here; providers, protocols and the database come when they are asked for.
 */
import type { Attached, Convening, Found, HomeServices } from '../../console/home/offer.ts';
import { type Chosen, openHome } from '../../console/home/open.tsx';
import type { Beginning } from '../../console/home/state.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { estimateRun, planBoard } from '../../kernel/estimate.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { type PriceList, priceOf } from '../../models/prices.ts';
import { estimateLine } from '../../plain/estimate.ts';
import { formatTokens } from '../../text/figures.ts';
import type { Invocation } from '../invocation.ts';
import { displayOf } from '../run/display.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { readPrices } from '../settings/tables.ts';
import { suggested } from '../suggest.ts';
import { saveChoices } from './choices.ts';
import { homeOffer } from './offer.ts';

/** More than the screen lists: earlier questions are found in them too. */
const RECENT = 100;

export async function home(call: Invocation): Promise<number> {
  if (displayOf(call) !== 'console' || call.words.length > 0)
    throw new UsageError(
      'the home screen needs a terminal and no words',
      `Example without one: ${suggested({ ...call, command: 'board' }, '"Should we split the monolith?"')}`,
    );
  const config = readConfig(call);
  let beginning: Beginning = { rehearse: call.flags.rehearse };
  for (;;) {
    const chosen = await openHome({
      offer: homeOffer(call, config),
      services: servicesOf(call, config),
      beginning,
      screen: call.out,
      stdin: call.stdin,
      env: call.env,
    });
    if (chosen.choice.kind === 'quit') return 0;
    beginning = await gone(call, config, chosen);
  }
}

/** Does what was chosen. Resolves to how the home screen begins afterwards. */
async function gone(call: Invocation, config: Config, chosen: Chosen): Promise<Beginning> {
  const { choice, question, attachments, rehearse, choices } = chosen;
  const kept: Beginning = { question, attachments, rehearse, choices };
  try {
    switch (choice.kind) {
      case 'quit':
        return kept;
      case 'convene': {
        const held = await hold(call, config, choice.what);
        return held ? { rehearse, onRuns: true } : kept;
      }
      case 'open': {
        const { open } = await import('./open.ts');
        await open({ ...call, words: [choice.run] });
        return { ...kept, onRuns: true };
      }
      case 'resume': {
        const { resume } = await import('../run/resume.ts');
        await resume({ ...call, words: [choice.run] });
        return { ...kept, onRuns: true };
      }
      case 'history': {
        const { browse } = await import('./browse.ts');
        await browse(call);
        return kept;
      }
    }
  } catch (error) {
    if (!(error instanceof DeliberateError)) throw error;
    const next = error.next === undefined ? '' : ` ${error.next}`;
    return { ...kept, notice: `${error.message}.${next}` };
  }
}

/** False where the person turned back before there was a run. */
async function hold(call: Invocation, config: Config, what: Convening): Promise<boolean> {
  const { protocol, question, chair, rehearse } = what;
  const attach = what.attachments.map(({ path }) => path);
  const flags = { ...call.flags, rehearse, attach };
  if (protocol === 'rounds') {
    const { rounds } = await import('../../cli/rounds.ts');
    const seat = what.seats.flatMap(({ role, model }) => (model ? [`${role}=${model}`] : []));
    const code = await rounds({
      ...call,
      words: [question],
      flags: { ...flags, seat, ...(chair === undefined ? {} : { verifier: chair }) },
    });
    return code !== 130;
  }
  if (protocol === 'agent') {
    const { agent } = await import('../../cli/agent.ts');
    const name = what.seats[0]?.role ?? '';
    const model = rehearse || chair === undefined ? {} : { model: chair };
    await agent({ ...call, words: [name, question], flags: { ...flags, ...model } });
    return true;
  }
  const { convene } = await import('../../cli/board.ts');
  const { readAttachments } = await import('../settings/attachments.ts');
  const { boardSettings } = await import('../../protocols/board/settings.ts');
  const { REHEARSAL_MODEL } = await import('../settings/discovery.ts');
  const { baselineModel } = flags;
  await convene({ ...call, flags }, config, {
    question,
    places: rehearse ? what.seats.map((one) => ({ ...one, model: REHEARSAL_MODEL })) : what.seats,
    synthesizer: rehearse ? REHEARSAL_MODEL : chair,
    attachments: await readAttachments({ ...call, flags }),
    settings: boardSettings(config, baselineModel, what.seats.length),
  });
  return true;
}

function servicesOf(call: Invocation, config: Config): HomeServices {
  const { env } = call;
  let known: PriceList | undefined;
  const prices = (): PriceList => (known ??= readPrices(env));
  return {
    models: () => findModels(call, config),
    recent: async () => {
      const { listRuns } = await import('./browse.ts');
      return listRuns(call, undefined, RECENT);
    },
    attach: async (path) => {
      const { readAttachments } = await import('../settings/attachments.ts');
      const files = await readAttachments({ ...call, flags: { ...call.flags, attach: [path] } });
      const text = files.map((file) => file.text).join('\n');
      return { path, text, note: `about ${formatTokens(estimateTokens(text))} tok` };
    },
    edit: async (text) => {
      const { editText } = await import('../../io/editor.ts');
      return editText(text, env);
    },
    estimate: (what) => estimateOf(what, prices, config.vote),
    save: (choices) => saveChoices(env, choices),
  };
}

async function findModels(call: Invocation, config: Config): Promise<Found> {
  const [{ openModels }, { lookedAt }] = await Promise.all([
    import('../settings/providers.ts'),
    import('../settings/discovery.ts'),
  ]);
  const listings = (await openModels(call, config).list()).filter(
    ({ name }) => name !== 'rehearsal',
  );
  return {
    models: listings.flatMap(({ models }) =>
      models.map(({ spec, contextWindow, sizeBytes, note }) => ({
        spec,
        note: [
          sizeBytes === undefined ? '' : `${(sizeBytes / 1e9).toFixed(1)} GB`,
          contextWindow === undefined ? '' : `${formatTokens(contextWindow)} context`,
          note ?? '',
        ]
          .filter((one) => one !== '')
          .join(' · '),
      })),
    ),
    looked: listings.map((one) =>
      one.models.length === 0
        ? lookedAt(one)
        : `${one.name} at ${one.endpoint}: ${one.models.length} found`,
    ),
  };
}

/** `4 calls, 2.1k–5.2k tokens in, 1.0k–4.8k out, $0.012–$0.048`; undefined while there is no question. */
function estimateOf(
  { protocol, question, seats, chair, attachments, rehearse }: Convening,
  prices: () => PriceList | undefined,
  vote = true,
): string | undefined {
  if (question === '') return undefined;
  if (protocol === 'agent') return 'how many are asked follows from what they say';
  const texts = attachments.map(({ text }: Attached) => text);
  if (protocol === 'rounds')
    return `four roles; every round reads about ${formatTokens(seats.length * estimateTokens([question, ...texts].join('\n')))} tok and what was said before; how many is asked next`;
  const unknown = rehearse ? 'rehearsal/panel' : 'a model that is found';
  const modelOf = (model: string | undefined): string => (rehearse ? unknown : (model ?? unknown));
  const planned = planBoard({
    question,
    seats: seats.map(({ role, model, brief = '' }) => ({
      id: role,
      role,
      title: role,
      model: modelOf(model),
      brief,
    })),
    synthesizer: modelOf(chair),
    attachments: texts,
    vote,
  });
  return estimateLine(
    estimateRun(planned, {
      price: (model, usage) => priceOf(prices(), model, usage),
      window: () => undefined,
    }),
  );
}

/**
 * `deliberate` without a command: shows the home screen, and returns to it after every run. Loads only what the
 * first frame needs; providers, protocols and the database are loaded when they are used.
 */
import type { AttachedFile, FoundModels, HomeServices } from '../../console/home/offer.ts';
import { type HomeSelection, openHome } from '../../console/home/open.ts';
import type { InitialState } from '../../console/home/state.ts';
import { completePath, expandHome } from '../../io/complete-path.ts';
import { Drafts } from '../../io/drafts.ts';
import { findStatus } from '../../io/text-file.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import type { Rates } from '../../kernel/estimate.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import { type PriceList, priceOf } from '../../models/prices.ts';
import { formatAttachmentSize, isAddress } from '../../text/documents/attachment.ts';
import { formatCount, formatTokens } from '../../text/numbers.ts';
import type { HomeParts, Invocation } from '../invocation.ts';
import { hasConsole } from '../run/display.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { readPrices } from '../settings/tables.ts';
import { formatCommand } from '../suggest.ts';
import { saveChoices } from './choices.ts';
import { homeOffer } from './offer.ts';
import { writeRole } from './own-role.ts';

/** The name of the draft that holds the unsent question. */
const DRAFT = 'home';
/**
 * How many earlier runs are read: more than the screen lists, because earlier questions are searched in them
 * too.
 */
const RECENT = 100;

/** Opens the home screen, and starts what the person chooses there. Resolves to the exit code. */
export async function home(call: Invocation): Promise<number> {
  if (!hasConsole(call) || call.words.length > 0)
    throw new UsageError(
      'the home screen needs a terminal and takes no arguments',
      `Example without one: ${formatCommand({ ...call, command: 'board' }, '"Should we split the monolith?"')}`,
    );
  const config = readConfig(call);
  const parts = await call.protocols.loadHomeParts();
  const drafts = new Drafts(call.env);
  let beginning: InitialState = { rehearse: call.flags.rehearse };
  for (;;) {
    const chosen = await openHome({
      offer: homeOffer(call, config, parts),
      services: servicesOf(call, config, parts, drafts),
      beginning,
      keys: config.keys,
      screen: call.out,
      stdin: call.stdin,
      env: call.env,
    });
    if (chosen.choice.kind === 'quit') return 0;
    // Once a run has begun with the question, the question is no longer a draft.
    const clearDraft = (): void => drafts.keep(DRAFT, '');
    beginning = await startChosen(call, config, parts, chosen, clearDraft);
  }
}

/** Starts what the person chose. Resolves to the home screen's next initial state. */
async function startChosen(
  call: Invocation,
  config: Config,
  parts: HomeParts,
  chosen: HomeSelection,
  begun: () => void,
): Promise<InitialState> {
  const { choice, question, attachments, look, rehearse, choices } = chosen;
  const kept: InitialState = { question, attachments, look, rehearse, choices };
  try {
    switch (choice.kind) {
      case 'quit':
        return kept;
      case 'convene': {
        const flags = { ...call.flags, tools: [...choice.what.tools] };
        const held = await parts
          .get(choice.what.protocol)
          ?.convene({ ...call, begun, flags }, config, choice.what);
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
      case 'example': {
        const { demo } = await import('../demo/demo.ts');
        await demo({ ...call, words: [choice.id], flags: { ...call.flags, quiet: true } });
        return kept;
      }
      case 'history': {
        const { browseHistory } = await import('./history.ts');
        await browseHistory(call);
        return kept;
      }
    }
  } catch (error) {
    if (!(error instanceof DeliberateError)) throw error;
    const next = error.next === undefined ? '' : ` ${error.next}`;
    return { ...kept, notice: `${error.message}.${next}` };
  }
}

/**
 * Creates the services that the home screen calls, such as listing models.
 *
 * @param parts what each protocol offers on the home screen
 */
export function servicesOf(
  call: Invocation,
  config: Config,
  parts: HomeParts,
  drafts: Drafts,
): HomeServices {
  const { env } = call;
  let known: PriceList | undefined;
  const getPrices = (): PriceList => (known ??= readPrices(env));
  /** The gateway that listed the models and knows which of them cost money; undefined before the first listing. */
  let asked: ModelGateway | undefined;
  const price: Rates['price'] = (model, usage) =>
    asked === undefined ? priceOf(getPrices(), model, usage) : asked.price(model, usage);
  return {
    models: async () => {
      const { openModels } = await import('../settings/providers.ts');
      const { keylessServers } = await import('../settings/servers.ts');
      const gateway = openModels(call, config);
      // If the person asks again for models, look for local servers that are not configured, too.
      const found = await findModels(gateway, asked !== undefined, keylessServers(config, env));
      asked = gateway;
      // When the models have been listed, load the code that a run needs, while the person still writes the question.
      setImmediate(() => void prepareRun(parts));
      return found;
    },
    recent: async () => {
      const { listRuns } = await import('./history.ts');
      return listRuns(call, undefined, RECENT);
    },
    due: async () => {
      const { formatDueToday } = await import('../decisions/due.ts');
      return formatDueToday(call);
    },
    attach: (path) => attachPath(call, expandHome(path, env)),
    lookInto: async (wishes) => {
      const { parseLookFolders } = await import('../settings/look-folders.ts');
      return parseLookFolders(wishes, env).map((root, index) => ({
        ...root,
        wish: wishes[index] ?? '',
      }));
    },
    mentioned: async (path) => {
      const file = expandHome(path, env);
      return findStatus(file)?.isFile() === true
        ? attachPath(call, file).catch(unlessRefused)
        : undefined;
    },
    complete: (path) => completePath(path, env),
    draft: () => drafts.read(DRAFT),
    keepDraft: (question) => drafts.keep(DRAFT, question),
    edit: async (text) => {
      const { editText } = await import('../../io/editor.ts');
      return editText(text, env);
    },
    writeRole: () => writeRole(env, drafts),
    savePanel: async (protocol, panel) => {
      const kept = parts.get(protocol)?.savePanel?.(call, panel);
      if (kept === undefined) throw new UsageError('this protocol has no panels to keep');
      return kept;
    },
    estimate: (what) =>
      what.question === '' ? undefined : parts.get(what.protocol)?.estimate(what, config, price),
    save: (choices) => saveChoices(env, choices),
  };
}

/**
 * Loads in advance the console of a run and what protocols need for a run. Failures are ignored, because the
 * later load that needs the module reports them.
 */
async function prepareRun(parts: HomeParts): Promise<void> {
  const loaded = [
    import('../run/in-console.ts'),
    ...[...parts.values()].map((part) => part.prepare?.()),
  ];
  await Promise.allSettled(loaded);
}

async function attachPath(call: Invocation, path: string): Promise<AttachedFile> {
  const { readAttachments } = await import('../settings/attachments.ts');
  if (isAddress(path)) {
    const { readPage } = await import('../settings/pages.ts');
    // When the person attaches a web page that was read before, fetch the page again to attach its present version.
    await readPage(call, path, true);
  }
  const files = await readAttachments({ ...call, flags: { ...call.flags, attach: [path] } });
  const text = files.map((file) => file.text).join('\n');
  const [first, ...others] = files;
  const size =
    first === undefined || others.length > 0
      ? formatCount(files.length, 'file')
      : formatAttachmentSize(first);
  const lacks = files.flatMap(({ source }) => source?.notes ?? []);
  return {
    path,
    text,
    note: `${size}, about ${formatTokens(estimateTokens(text))} tok`,
    ...(lacks.length === 0 ? {} : { lacks }),
  };
}

/** A file that cannot be attached stays part of the question's text. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof DeliberateError)) throw error;
  return undefined;
}

async function findModels(
  models: ModelGateway,
  everywhere: boolean,
  keyless: FoundModels['keyless'],
): Promise<FoundModels> {
  const { hasValidName, formatListing } = await import('../settings/discovery.ts');
  const listings = (await models.list({ everywhere })).filter(({ name }) => name !== 'rehearsal');
  return {
    keyless,
    models: listings.flatMap(({ models }) =>
      models.filter(hasValidName).map(({ spec, contextWindow, sizeBytes, note }) => ({
        spec,
        note: [
          sizeBytes === undefined ? '' : `${(sizeBytes / 1e9).toFixed(1)} GB`,
          contextWindow === undefined ? '' : `${formatTokens(contextWindow)} context`,
          note ?? '',
        ]
          .filter((part) => part !== '')
          .join(' · '),
      })),
    ),
    looked: listings.map((listing) =>
      listing.models.some(hasValidName)
        ? `${listing.name} at ${listing.endpoint}: ${listing.models.filter(hasValidName).length} found`
        : formatListing(listing),
    ),
  };
}

/**
 * What a run's seats look things up with: folders (`--look`) and the tools of MCP servers (`--tools`). A
 * person names both on the command line and nobody else does. What a server offered when the run began is
 * kept in the run's settings; that it was named on this machine is kept beside the run, as with folders.
 */
import { randomUUID } from 'node:crypto';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import type { Models } from '../../kernel/model.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { Tools } from '../../kernel/tools/tools.ts';
import type { RunView } from '../../kernel/view.ts';
import { formsOfAll, withoutSecrets } from '../../models/secrets.ts';
import {
  type Look,
  type RunToolServers,
  toolServersIn,
} from '../../protocols/common/look-config.ts';
import { endMarked, MARK } from '../../sandbox/family.ts';
import { startWatcher } from '../../sandbox/watcher.ts';
import type { Store } from '../../store/store.ts';
import { line } from '../../text/line.ts';
import { plural } from '../../text/numbers.ts';
import type { Guard } from '../../tools/servers/program.ts';
import type { ToolServers } from '../../tools/servers/servers.ts';
import type { Invocation } from '../invocation.ts';
import { version } from '../version.ts';
import { nameLook, openLook, reopenLook } from './look-folders.ts';
import { fetchThroughProxies } from './tool-fetch.ts';
import { configuredServer, type NamedServer, namedServers } from './tool-server-file.ts';

type Concealing = Pick<Models, 'conceal'>;

/** What a new run's seats look things up with. */
export interface RunTools {
  /** Whether seats may look anything up. */
  readonly looks: boolean;
  /** For the run's settings; empty where nothing was named. */
  readonly settings: { readonly look?: Look; readonly toolServers?: RunToolServers };
  readonly tools: Tools | undefined;
  /** Keeps beside the run that all of it was named here. */
  readonly keep: (store: Store, run: string) => void;
}

/**
 * Opens what the flags name for a new run, and says what seats may use. A server is started here, so that
 * one that does not work is told before anything is paid; not where only an estimate is wanted.
 * @param own the folders, where the command knows them itself
 * @throws UsageError or DeliberateError that names the server
 */
export async function openRunTools(
  call: Invocation,
  models: Concealing,
  own?: { readonly look: Look; readonly tools: Tools | undefined },
): Promise<RunTools> {
  const { flags, err } = call;
  const named = namedServers(call);
  const { look, tools: ownTools } = own ?? openLook(call, models);
  const keep = (store: Store, run: string): void => {
    nameLook(store, run, look);
    for (const { server, file } of named) store.setLookRoot(run, rowOf(server.name), file);
  };
  const settings = look.length === 0 ? {} : { look };
  const looks = look.length + named.length > 0;
  if (named.length === 0 || flags.estimate) return { looks, settings, tools: ownTools, keep };
  const servers = await toolServers(call, named, models);
  const listed = await listServers(servers);
  if (!flags.quiet)
    for (const one of listed) err.write(`${line(`${one.name}: ${offerWords(one)}`)}\n`);
  return {
    ...{ looks, keep },
    settings: { ...settings, toolServers: listed.map(({ others: _others, ...one }) => one) },
    tools: joinTools(ownTools, servers.tools(listed)),
  };
}

/**
 * Opens them again for a run on record. Nothing is started before a seat uses a tool whose result is not on
 * record. `strict`: seats are about to be asked, so each folder and server has to be there.
 * @throws DeliberateError where one is not, or nobody has named it here
 */
export async function reopenRunTools(
  call: Invocation,
  store: Store,
  view: RunView,
  models: Concealing,
  strict: boolean,
): Promise<Tools | undefined> {
  const ownTools = reopenLook(call, store, view, models, strict);
  const wanted = toolServersIn(view.config);
  const given = new Map(namedServers(call).map((one) => [one.server.name, one]));
  const run = shortId(view.id);
  for (const name of given.keys())
    if (!wanted.some((one) => one.name === name))
      throw new UsageError(
        `--tools ${name}: run ${run} uses ${wanted.map((one) => one.name).join(', ') || 'no tool server'}`,
        'Tool servers can only be added when a run starts.',
      );
  if (wanted.length === 0) return ownTools;
  const rows = store.lookRoots(view.id);
  const named = wanted.flatMap(({ name }): NamedServer[] => {
    const file = rows.get(rowOf(name));
    const now = given.get(name);
    if (now !== undefined) {
      store.setLookRoot(view.id, rowOf(name), now.file);
      return [now];
    }
    if (file === undefined) {
      if (!strict) return [];
      throw new DeliberateError(
        'tools-unnamed',
        `run ${run} uses the tool server ${name}, which nobody has named for it on this machine`,
        `Name it, if the run may use it: deliberate resume ${run} --tools ${name}`,
      );
    }
    try {
      return file === '' ? [configuredServer(call, name)] : namedServers(call, [`${file}#${name}`]);
    } catch (error) {
      // Who only looks at a run is not kept from it by a server that is not set up any more.
      if (!strict && error instanceof DeliberateError) return [];
      throw error;
    }
  });
  return joinTools(ownTools, (await toolServers(call, named, models)).tools(wanted));
}

/** The servers, not yet started. */
export async function toolServers(
  { env }: Pick<Invocation, 'env'>,
  named: readonly NamedServer[],
  { conceal = (text) => text }: Concealing,
): Promise<ToolServers> {
  const { ToolServers } = await import('../../tools/servers/servers.ts');
  const forms = formsOfAll(named.flatMap(({ secrets }) => secrets));
  return new ToolServers(
    named.map(({ server }) => server),
    {
      version: version(),
      startGuard,
      fetch: fetchThroughProxies(env),
      conceal: (text) => withoutSecrets(conceal(text), forms),
    },
  );
}

/** What a server offers now, and the names of its other tools. */
type ListedNow = RunToolServers[number] & { readonly others: readonly string[] };

/** @throws DeliberateError in a person's words */
export async function listServers(servers: ToolServers): Promise<ListedNow[]> {
  try {
    const listed = await servers.list(new AbortController().signal);
    return listed.map((one) => ({ ...one, tools: [...one.tools] }));
  } catch (error) {
    await servers.close();
    const words =
      error instanceof Error && 'words' in error && typeof error.words === 'string'
        ? lastLine(error.words)
        : '';
    const sentence = error instanceof Error ? error.message : String(error);
    throw new DeliberateError(
      'tools-unavailable',
      line(`tool server ${sentence}${words === '' ? '' : `. It said: ${words}`}`),
      'See what it offers with: deliberate doctor',
    );
  }
}

/** `seats may use web_search, fetch; 3 others not offered, neither marked read-only nor allowed` */
export function offerWords({ tools, withheld }: RunToolServers[number]): string {
  const offered =
    tools.length === 0
      ? 'no tool is offered'
      : `seats may use ${tools.map(({ tool }) => tool).join(', ')}`;
  const others =
    withheld === 0
      ? ''
      : `; ${plural(withheld, 'other')} not offered, neither marked read-only nor allowed`;
  return `${offered}${others}`;
}

/** Where it is kept that a server was named: no folder can be called so. */
function rowOf(server: string): string {
  return `tools:${server}`;
}

/** Both kinds as one; names of a server's tools have a `__`, which those of the program's own have not. */
function joinTools(own: Tools | undefined, theirs: Tools): Tools {
  const names = new Set(theirs.offered.map(({ name }) => name));
  return {
    offered: [...(own?.offered ?? []), ...theirs.offered],
    use: (call, signal) =>
      names.has(call.name) || own === undefined ? theirs.use(call, signal) : own.use(call, signal),
    close: async () => {
      await own?.close?.();
      await theirs.close?.();
    },
  };
}

/** Ends a server's program with this one, however that ends, and whatever the program has started. */
async function startGuard(): Promise<Guard | undefined> {
  const mark = `tools-${randomUUID()}`;
  const watcher = await startWatcher(mark);
  if (watcher === undefined) return undefined;
  return {
    env: { [MARK]: mark },
    watch: watcher.watch,
    end: async () => {
      await endMarked(mark);
      await watcher.dismiss();
    },
  };
}

function lastLine(words: string): string {
  return words.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}

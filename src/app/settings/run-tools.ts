/**
 * Opens the tools of a run's seats: folders (`--look`) and tools of MCP servers (`--tools`). Only a person can
 * name them, on the command line. What a server offered at the beginning is stored in the run's settings; that
 * it was named on this machine is stored beside the run, as for folders.
 */
import { randomUUID } from 'node:crypto';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import type { Models } from '../../kernel/model.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { Tools } from '../../kernel/tools/tools.ts';
import type { RunView } from '../../kernel/view.ts';
import { formsOfAll, withoutSecrets } from '../../models/secrets.ts';
import {
  getToolServers,
  type Look,
  type RunToolServers,
} from '../../protocols/common/settings/look-config.ts';
import { endMarked, MARK } from '../../sandbox/family.ts';
import { startWatcher } from '../../sandbox/watcher.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import { MOST_TOOLS } from '../../tools/servers/definition.ts';
import type { Guard } from '../../tools/servers/program.ts';
import type { ToolServers } from '../../tools/servers/servers.ts';
import type { Invocation } from '../invocation.ts';
import { readVersion } from '../version.ts';
import { allowLookFolders, openLookFolders, reopenLookFolders } from './look-folders.ts';
import { fetchThroughProxies } from './tool-fetch.ts';
import { configuredServer, type NamedServer, namedServers } from './tool-server-file.ts';

type Concealing = Pick<Models, 'conceal'>;

/** The tools of a new run's seats. */
export interface RunTools {
  /** Whether seats may use any tool. */
  readonly looks: boolean;
  /**
   * The part of the run's settings that names the tools; empty if there are none. Tool servers are
   * missing if only an estimate is wanted.
   */
  readonly settings: { readonly look?: Look; readonly toolServers?: RunToolServers };
  /**
   * The opened tools; undefined if there are none. Those of tool servers are missing if only an
   * estimate is wanted.
   */
  readonly tools: Tools | undefined;
  /** Stores that a person on this machine has named the folders and servers for the run. */
  readonly keep: (store: Store, run: string) => void;
}

/**
 * Opens the tools that the flags name for a new run, and prints what seats may use. Tool servers
 * are started at once to find broken ones, unless only an estimate is wanted.
 *
 * @param own the folders, if the command determines them itself; by default those of `--look`
 * @throws UsageError or DeliberateError that names the server
 */
export async function openRunTools(
  call: Invocation,
  models: Concealing,
  own?: { readonly look: Look; readonly tools: Tools | undefined },
): Promise<RunTools> {
  const { flags, err } = call;
  const named = namedServers(call);
  const { look, tools: ownTools } = own ?? openLookFolders(call, models);
  const keep = (store: Store, run: string): void => {
    allowLookFolders(store, run, look);
    for (const { server, file } of named) store.setLookRoot(run, rowOf(server.name), file);
  };
  const settings = look.length === 0 ? {} : { look };
  const looks = look.length + named.length > 0;
  if (named.length === 0 || flags.estimate) return { looks, settings, tools: ownTools, keep };
  const servers = await toolServers(call, named, models);
  const listed = await listServers(servers);
  if (!flags.quiet)
    for (const server of listed) err.write(`${toLine(`${server.name}: ${formatOffer(server)}`)}\n`);
  return {
    looks,
    keep,
    settings: { ...settings, toolServers: listed.map(({ others: _others, ...server }) => server) },
    tools: joinTools(ownTools, servers.tools(listed)),
  };
}

/**
 * Opens the tools of a recorded run again. A server is started only when a tool is called whose
 * result is not recorded.
 *
 * @param strict whether it is an error if a folder or server does not exist or was never named by a
 *   person on this machine, because seats are about to be asked; if false, such a server is left out,
 *   and only reading such a folder fails
 * @returns the tools, or undefined if the run has none
 * @throws DeliberateError for such a folder or server if `strict`; UsageError if a flag names a
 *   folder or server that the run does not use
 */
export async function reopenRunTools(
  call: Invocation,
  store: Store,
  view: RunView,
  models: Concealing,
  strict: boolean,
): Promise<Tools | undefined> {
  const ownTools = reopenLookFolders(call, store, view, models, strict);
  const wanted = getToolServers(view.config);
  const given = new Map(
    namedServers(call).map((namedServer) => [namedServer.server.name, namedServer]),
  );
  const run = shortId(view.id);
  for (const name of given.keys())
    if (!wanted.some((server) => server.name === name))
      throw new UsageError(
        `--tools ${name}: run ${run} uses ${wanted.map((server) => server.name).join(', ') || 'no tool server'}`,
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
      // Without `strict`, leave out a tool server that cannot be set up: a person can read a run without its
      // tools.
      if (!strict && error instanceof DeliberateError) return [];
      throw error;
    }
  });
  return joinTools(ownTools, (await toolServers(call, named, models)).tools(wanted));
}

/** Creates clients of the named tool servers, without starting the servers. */
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
      version: readVersion(),
      startGuard,
      fetch: fetchThroughProxies(env),
      conceal: (text) => withoutSecrets(conceal(text), forms),
    },
  );
}

/** The tools that a server offers now, and the names of those that seats may not use. */
type ListedNow = RunToolServers[number] & { readonly others: readonly string[] };

/**
 * Starts tool servers and lists their tools.
 *
 * @throws DeliberateError with a sentence for the person, if one server fails; all are closed then
 */
export async function listServers(servers: ToolServers): Promise<ListedNow[]> {
  try {
    const listed = await servers.list(new AbortController().signal);
    return listed.map((server) => ({ ...server, tools: [...server.tools] }));
  } catch (error) {
    await servers.close();
    const words =
      error instanceof Error && 'words' in error && typeof error.words === 'string'
        ? lastLine(error.words)
        : '';
    const sentence = error instanceof Error ? error.message : String(error);
    throw new DeliberateError(
      'tools-unavailable',
      toLine(`tool server ${sentence}${words === '' ? '' : `. It said: ${words}`}`),
      'See what it offers with: deliberate doctor',
    );
  }
}

/** Formats which tools of a server seats may use, and how many others the server has. */
export function formatOffer({ tools, withheld }: RunToolServers[number]): string {
  const offered =
    tools.length === 0
      ? 'no tool is offered'
      : `seats may use ${tools.map(({ tool }) => tool).join(', ')}`;
  const others =
    withheld === 0
      ? ''
      : `; ${formatCount(withheld, 'other')} not offered: only those with plain names that are marked read-only or allowed, at most ${MOST_TOOLS}`;
  return `${offered}${others}`;
}

/** Returns the name under which it is stored that a server was named. No folder can have such a name. */
function rowOf(server: string): string {
  return `tools:${server}`;
}

/** Joins the program's own tools and those of servers. Only names of server tools contain `__`. */
function joinTools(own: Tools | undefined, serverTools: Tools): Tools {
  const names = new Set(serverTools.offered.map(({ name }) => name));
  return {
    ...(own?.folders === undefined ? {} : { folders: own.folders }),
    offered: [...(own?.offered ?? []), ...serverTools.offered],
    use: (call, signal) =>
      names.has(call.name) || own === undefined
        ? serverTools.use(call, signal)
        : own.use(call, signal),
    close: async () => {
      await own?.close?.();
      await serverTools.close?.();
    },
  };
}

/**
 * Starts a guard process that ends the servers' processes and their children when this process ends in any way.
 */
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

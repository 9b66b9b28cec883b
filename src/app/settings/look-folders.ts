/**
 * Folders that seats may look into (`--look`). Only a person can name them, on the command line: not a settings
 * file, a preset or a run from elsewhere.
 */
import { basename, resolve } from 'node:path';
import { expandHome } from '../../io/complete-path.ts';
import { databaseFile, workingFolder } from '../../io/files.ts';
import { findStatus } from '../../io/text-file.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import type { Models } from '../../kernel/model.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { Tools } from '../../kernel/tools/tools.ts';
import type { RunView } from '../../kernel/view.ts';
import { realPathOf } from '../../platform/real-path.ts';
import {
  getDocumentIndex,
  getLookFolders,
  type Look,
} from '../../protocols/common/settings/look-config.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { openTools } from '../../tools/tools.ts';
import type { Invocation } from '../invocation.ts';
import { embeddersOf } from '../knowledge.ts';
import { withDocuments } from './documents.ts';

/** Names of roots. Models write them, and people on the command line. */
const NAME = /^[A-Za-z0-9][\w.-]{0,39}$/;

/**
 * Reads `--look`: `src=../app/src`, or a folder that is named after itself. Keeps the order.
 * @throws UsageError
 */
function readLook({ flags, env }: Pick<Invocation, 'flags' | 'env'>): Look {
  return parseLookFolders(flags.look, env, flags.encoding);
}

/**
 * Parses folders that seats may read, as `--look` names them. Expands `~` to the home folder.
 *
 * @param wishes the folders as typed: `src`, or `app=src` with a name
 * @param encoding the encoding of files that are not UTF-8
 * @throws UsageError if a name is not valid or used twice, or a folder does not exist
 */
export function parseLookFolders(
  wishes: readonly string[],
  env: NodeJS.ProcessEnv,
  encoding?: string,
): Look {
  const roots = wishes.map((text) => {
    const equals = text.indexOf('=');
    const written = equals < 0 ? text : text.slice(equals + 1);
    const path = resolve(workingFolder(), expandHome(written.trim(), env));
    const name = equals < 0 ? nameOf(path) : text.slice(0, equals).trim();
    if (!NAME.test(name))
      throw new UsageError(
        `--look ${text}: "${name}" is not a valid folder name`,
        'Use letters, digits, dots and dashes: --look app=PATH',
      );
    if (!isFolder(path))
      throw new UsageError(`--look ${text}: no such folder`, 'Name an existing folder.');
    return { name, path: realPathOf(path), ...withoutUndefined({ encoding }) };
  });
  const twice = roots.find(({ name }, at) => roots.findIndex((root) => root.name === name) < at);
  if (twice !== undefined)
    throw new UsageError(
      `--look names ${twice.name} twice`,
      `Give one of them another name: --look other=PATH`,
    );
  return roots;
}

function nameOf(path: string): string {
  return (
    basename(path)
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '') || 'root'
  );
}

/**
 * Opens the folders of a new run that `--look` names, and prints their names. `tools` is undefined
 * if there are none.
 */
export function openLookFolders(
  call: Invocation,
  models: Pick<Models, 'conceal'>,
): { readonly look: Look; readonly tools: Tools | undefined } {
  const look = readLook(call);
  if (look.length === 0) return { look, tools: undefined };
  if (!call.flags.quiet)
    call.err.write(
      `seats may look into: ${look.map(({ name, path }) => `${name} (${toLine(path)})`).join(', ')}\n`,
    );
  return { look, tools: openTools(look, { env: call.env, conceal: models.conceal }) };
}

/**
 * Opens the folders of a recorded run again: each at the path that `--look` gives now, otherwise
 * where a person on this machine has named it before. Returns undefined if the run has no folders.
 *
 * @param strict whether a folder that is missing or was never named on this machine is an error,
 *   because seats are about to be asked; if false, only reading the folder fails
 * @throws DeliberateError for such a folder if `strict`; UsageError if `--look` names a folder that
 *   the run does not use
 */
export function reopenLookFolders(
  call: Invocation,
  store: Store,
  { id, config }: RunView,
  { conceal }: Pick<Models, 'conceal'>,
  strict: boolean,
): Tools | undefined {
  const wanted = getLookFolders(config);
  const given = new Map(readLook(call).map(({ name, path }) => [name, path]));
  const run = shortId(id);
  for (const name of given.keys())
    if (!wanted.some((root) => root.name === name))
      throw new UsageError(
        `--look ${name}: run ${run} uses ${wanted.map((root) => root.name).join(', ') || 'no folder'}`,
        'Folders can only be added when a run starts.',
      );
  if (wanted.length === 0) return undefined;
  const named = store.lookRoots(id);
  const roots = wanted.map(({ name, encoding }) => ({
    name,
    path: given.get(name) ?? named.get(name),
    encoding,
  }));
  for (const { name, path } of strict ? roots : []) {
    const next = `Name the folder: deliberate resume ${run} --look ${name}=PATH`;
    if (path === undefined)
      throw new DeliberateError(
        'root-unnamed',
        `run ${run} needs the folder ${name}, which this machine does not know`,
        next,
      );
    if (!isFolder(path))
      throw new DeliberateError(
        'root-missing',
        `run ${run} needs ${name}, but ${toLine(path)} is gone`,
        next,
      );
  }
  if (given.size > 0) allowLookFolders(store, id, roots);
  const tools = openTools(roots, { env: call.env, conceal });
  const documents = getDocumentIndex(config);
  if (documents === undefined) return tools;
  return withDocuments(tools, roots, documents, {
    env: call.env,
    database: databaseFile(call),
    embedders: embeddersOf(call),
  });
}

/**
 * Records that a person on this machine has allowed a run to read the folders in `roots`. Commands
 * that continue the run later may then open them. A folder without a path is ignored.
 */
export function allowLookFolders(
  store: Store,
  run: string,
  roots: readonly { readonly name: string; readonly path: string | undefined }[],
): void {
  for (const { name, path } of roots) if (path !== undefined) store.setLookRoot(run, name, path);
}

function isFolder(path: string): boolean {
  return findStatus(path)?.isDirectory() ?? false;
}

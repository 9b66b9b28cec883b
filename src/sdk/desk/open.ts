/**
 * Loads a person's own protocol from the file they named: when a run begins, and again from the recorded path
 * when the run is continued. A file that nobody named on this machine is never loaded.
 */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Invocation, OwnFork, RunProtocol } from '../../app/invocation.ts';
import { askToConfirm } from '../../io/confirm.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import type { Source } from '../../kernel/facts.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { RunView } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { readRecordedConfig } from '../../protocols/common/settings/recorded-config.ts';
import { BUILT_IN, loadDefinition, loadProtocol } from '../../protocols/table.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import { type AnyDefinition, definitionIn } from '../define.ts';
import { kernelProtocol } from '../own-protocol.ts';
import { BadProtocol, hashNow, loadProtocolFile } from '../protocol-file.ts';
import { planOwnFork } from './fork.ts';

/** A protocol that was loaded from a file. */
interface LoadedProtocol {
  readonly protocol: Protocol;
  /** The file and its hashes. */
  readonly source: Source;
  readonly definition: AnyDefinition;
}

/**
 * Loads a person's own protocol from its file.
 *
 * @throws UsageError if there is no such TypeScript or JavaScript file; BadProtocol, with the file and, if known,
 *   the line, if it cannot be used
 */
export async function openProtocol(file: string): Promise<LoadedProtocol> {
  const { value, source, places } = await loadProtocolFile(file);
  const name = basename(places.main);
  if (value === undefined)
    throw new BadProtocol(
      `${name} does not export a protocol`,
      'Add: export default protocol({ … })',
    );
  const definition = definitionIn(value);
  if (definition === undefined)
    throw new BadProtocol(
      `${name}: its default export was not made with protocol({ … })`,
      "Begin with: import { protocol } from 'deliberate/protocol'",
    );
  if (BUILT_IN.has(definition.name))
    throw new BadProtocol(
      `${name}: ${definition.name} is the name of a built-in protocol`,
      'Give yours another name.',
    );
  return { definition, source, protocol: kernelProtocol(definition, places) };
}

/**
 * Returns the protocol with which a recorded run is continued. If it is a person's own and its file
 * has changed, the person is asked before it is loaded.
 *
 * @throws DeliberateError if the run's settings cannot be read, or its file is missing, was never
 *   used on this machine, or has changed and the person declines
 */
export async function protocolOfRun(
  call: Invocation,
  store: Store,
  view: RunView,
): Promise<RunProtocol> {
  const named = call.flags.protocol;
  if (BUILT_IN.has(view.protocol)) {
    if (named !== undefined)
      throw new UsageError(
        `run ${shortId(view.id)} uses ${view.protocol}, which is built in`,
        'Drop --protocol.',
      );
    const protocol = await loadProtocol(view.protocol);
    readRecordedConfig(protocol.config, view);
    return {
      protocol,
      loadFork: async (...run) =>
        forkWith(await loadDefinition(run[0].protocol, run[0].config, run[1]), ...run),
    };
  }
  const file = named === undefined ? store.protocolFile(view.id) : resolve(named);
  if (file === undefined || (named === undefined && !existsSync(file)))
    throw makeMissingError(view, file);
  if (view.source !== undefined && existsSync(file)) await acceptChanges(call, view.source, file);
  const holder = await openProtocol(file);
  if (holder.protocol.name !== view.protocol)
    throw new DeliberateError(
      'protocol-differs',
      `${basename(file)} defines ${holder.protocol.name}, but run ${shortId(view.id)} uses ${toLine(view.protocol)}`,
      'Name the file that the run was started with.',
    );
  if (view.source !== undefined && havePackagesChanged(view.source, holder.source))
    await confirmChange(call, 'a package that it imports has changed');
  readRecordedConfig(holder.protocol.config, view);
  store.setProtocolFile(view.id, file);
  const { definition, ...loaded } = holder;
  return { ...loaded, loadFork: async (...run) => forkWith(definition, ...run) };
}

function forkWith(
  definition: AnyDefinition | undefined,
  view: RunView,
  facts: readonly AnyFact[],
): OwnFork | undefined {
  return definition && ((at, set) => planOwnFork(view, facts, definition, at, set));
}

function makeMissingError({ id, protocol }: RunView, file: string | undefined): DeliberateError {
  const run = shortId(id);
  return new DeliberateError(
    'protocol-missing',
    file === undefined
      ? `run ${run} uses ${toLine(protocol)}, a protocol from a file that this machine does not know`
      : `run ${run} uses ${toLine(protocol)}, but ${toLine(file)} is gone`,
    `Name the file: deliberate resume ${run} --protocol FILE. Without it: deliberate show ${run}, deliberate replay ${run}`,
  );
}

/**
 * Asks whether to continue with a changed file.
 * @throws DeliberateError if the person says no; UsageError if nobody can be asked
 */
async function acceptChanges(call: Invocation, source: Source, file: string): Promise<void> {
  const names = source.files.map(({ name }) => name);
  // If the file that defines the protocol was only renamed, the person is not asked whether to continue: compare
  // the file's content, whatever its name.
  const [main] = source.files.filter(({ name }) => name === basename(source.file));
  const now = hashNow(file, names);
  if (main !== undefined) now.set(main.name, hashNow(file, [basename(file)]).get(basename(file)));
  const changed = source.files.filter(({ name, sha256 }) => now.get(name) !== sha256);
  if (changed.length === 0) return;
  const what = changed
    .map(
      ({ name }) => `${toLine(name)}${now.get(name) === undefined ? ' is gone' : ' has changed'}`,
    )
    .join(', ');
  await confirmChange(call, what);
}

/**
 * Returns whether the listed files are the same but the total hash differs: then packages in `node_modules`,
 * whose files are not listed, have changed.
 */
function havePackagesChanged(then: Source, now: Source): boolean {
  const formatFiles = ({ files }: Source): string =>
    JSON.stringify(files.map(({ name, sha256 }) => [name, sha256]));
  return now.sha256 !== then.sha256 && formatFiles(now) === formatFiles(then);
}

async function confirmChange(call: Invocation, what: string): Promise<void> {
  call.err.write(`Since this run, ${what}. Steps whose inputs have changed are asked again.\n`);
  if (call.flags.yes) return;
  if (
    !(await askToConfirm(
      call,
      'Continue with the current file? [y/N] ',
      'Pass --yes to continue with the current file.',
    ))
  )
    throw new DeliberateError(
      'protocol-changed',
      'resume canceled',
      'Restore the file, or answer yes.',
    );
}

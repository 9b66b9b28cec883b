/** `deliberate context add`: adds documents and pages to the index, or updates them. */
import { resolve } from 'node:path';
import type { Invocation } from '../../app/invocation.ts';
import { embeddersOf, withKnowledge } from '../../app/knowledge.ts';
import { readConfig } from '../../app/settings/config.ts';
import { openModels } from '../../app/settings/providers.ts';
import { findStatus } from '../../io/text-file.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { checkSpec } from '../../kernel/providers/spec.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import type { Update } from '../../knowledge/update.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { expandGlobs } from '../../platform/globs.ts';
import { isAddress } from '../../text/documents/attachment.ts';
import { toLine } from '../../text/line.ts';
import { formatCount, formatTokens } from '../../text/numbers.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { addressOf, makeTeller, warnOfKeywordsOnly } from './tell.ts';

/** The most items that are named one by one; the rest is counted. */
const NAMED = 12;

/**
 * Runs `deliberate context add`: adds documents to the index, and updates those that have changed.
 * Resolves to the exit code: 1 if `--model` was given and it could not assign a document to clusters.
 *
 * @param given files, folders, patterns and addresses of web pages; empty: the documents that are
 *   already in the index
 */
export async function add(call: Invocation, given: readonly string[]): Promise<number> {
  const { flags } = call;
  const say = makeTeller(call);
  const words = expandGlobs(given);
  const addresses = words.filter(isAddress);
  const files = words.filter((word) => !isAddress(word));
  const paths = files.map((word) => resolve(word));
  // Check the name of the embedding model first, so that a wrong name is reported before files are read.
  embeddersOf(call);
  // A named file that does not exist is an error, unless `--prune` removes it from the index.
  const missing = flags.prune
    ? undefined
    : files.find((word) => findStatus(resolve(word)) === undefined);
  if (missing !== undefined)
    throw new DeliberateError(
      'no-folder',
      `${toLine(missing)}: no such file or folder`,
      'Name what is to be indexed: deliberate context add docs',
    );
  return withKnowledge(
    call,
    { create: words.length > 0, rebuild: flags.rebuild },
    async (knowledge) => {
      const cards = flags.cards === undefined ? undefined : resolve(flags.cards);
      const pages = await addPages(call, knowledge, addresses, say);
      const update = knowledge.update({
        paths,
        rebuild: flags.rebuild,
        prune: flags.prune,
        encoding: flags.encoding,
        ...withoutUndefined({ cards }),
        onProgress: (done, of) => done < of && say(`${done} of ${of} documents …`),
      });
      tellUpdate(say, update, flags.prune);
      const { signal } = new AbortController();
      let failed = false;
      const embedded = await knowledge.embedNew({
        paths: [...paths, ...(paths.length > 0 ? pages.names : [])],
        again: flags.rebuild,
        signal,
        onProgress: (done, of) => done < of && say(`${done} of ${of} texts embedded …`),
      });
      if (embedded === undefined) warnOfKeywordsOnly(knowledge, say);
      else if (typeof embedded === 'string') say(`${toLine(embedded)}: keyword search only`);
      else {
        const model = knowledge.embedder?.model ?? '';
        const { before, texts, without, dimensions } = embedded;
        if (before !== undefined)
          say(
            `The index had vectors of ${before.model} (${before.dimensions} dimensions); from now on it uses ${model} (${dimensions}).`,
          );
        if (without > 0)
          say(
            `${formatCount(without, 'chunk')} without a vector, found by keyword only. Embed them: deliberate context add --embed ${model}${before === undefined ? ' --rebuild' : ''}`,
          );
        say(`${formatCount(texts, 'text')} embedded by ${model}.`);
      }
      if (flags.model !== undefined) {
        const models = openModels(call, readConfig(call));
        const assigned = await knowledge.assign(models, checkSpec(flags.model), {
          signal,
          onProgress: (done, of) => done < of && say(`${done} of ${of} documents assigned …`),
        });
        if (knowledge.cards().length === 0)
          say('No clusters: list them in .deliberate/clusters.yaml, or name a file with --cards.');
        for (const text of shortenList(assigned.failed)) say(`not assigned: ${text}`);
        say(
          `${formatCount(assigned.documents, 'document')} assigned in ${formatCount(assigned.calls, 'call')}.`,
        );
        failed = assigned.failed.length > 0;
      }
      const summary = knowledge.summary();
      if (flags.json) call.out.write(jsonLine({ ...update, pages: pages.names, index: summary }));
      else
        call.out.write(
          `${formatCount(summary.documents, 'document')}, ${formatCount(summary.chunks, 'chunk')}, ${formatTokens(summary.tokens)} tokens: ${update.added.length + pages.added} new, ${update.changed.length + pages.changed} changed, ${update.removed.length} removed, ${update.unchanged} unchanged\n`,
        );
      return failed ? 1 : 0;
    },
  );
}

/**
 * Adds pages to the index that are not in it yet. With `--refresh` pages that are in the index are fetched
 * again: those named, or all if none is named. A page in the index that can no longer be fetched stays.
 * @throws UsageError if a new page cannot be fetched
 */
async function addPages(
  call: Invocation,
  knowledge: Knowledge,
  addresses: readonly string[],
  say: (text: string) => void,
): Promise<{ names: string[]; added: number; changed: number }> {
  const known = new Map(knowledge.pages().map((page) => [page.address, page]));
  const { refresh } = call.flags;
  const wanted = addresses.length === 0 && refresh ? [...known.keys()] : addresses;
  const done = { names: [] as string[], added: 0, changed: 0 };
  if (wanted.length === 0) return done;
  const { attachPage } = await import('../../app/settings/attachments.ts');
  for (const word of wanted) {
    const address = addressOf(word);
    const there = known.get(address);
    if (there !== undefined && !refresh) {
      say(`${address} was fetched on ${there.at.slice(0, 10)}; --refresh asks for it again`);
      continue;
    }
    try {
      const { name, text, source } = await attachPage(call, address, refresh);
      const { page, sha256 = '', notes = [] } = source ?? {};
      if (page === undefined) continue;
      for (const note of notes) say(`${name}: ${note}`);
      const { address: at, ...rest } = page;
      const isNew = knowledge.pages().every((page) => page.name !== name);
      const isOther = knowledge.addPage(
        { name, address: at, at: rest.at, status: rest.status, sha256 },
        text,
      );
      done.names.push(name);
      if (isNew) done.added += 1;
      else if (isOther) done.changed += 1;
    } catch (error) {
      if (there === undefined || !(error instanceof UsageError)) throw error;
      say(`${error.message}; its text of ${there.at.slice(0, 10)} stays`);
    }
  }
  return done;
}

function tellUpdate(say: (text: string) => void, update: Update, prune: boolean): void {
  const { leftOut, others, problems, vanished, unignored } = update;
  for (const text of shortenList(leftOut.map(({ path, why }) => `${path}: ${why}`)))
    say(`left out: ${text}`);
  if (others > 0)
    say(
      `left out: ${formatCount(others, 'file')} of other kinds (neither Markdown, text nor a document)`,
    );
  for (const root of unignored)
    say(`${root}: no git repository, or no git; .gitignore was not applied`);
  for (const text of shortenList(problems)) say(`warning: ${text}`);
  for (const root of vanished)
    say(
      prune
        ? `${root} is gone: removed from the index, with its documents`
        : `${root} is gone: its documents stay in the index. Remove them with: deliberate context add --prune`,
    );
}

function shortenList(texts: readonly string[]): string[] {
  const more = texts.length - NAMED;
  return [...texts.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
}

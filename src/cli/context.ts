/** `deliberate context`: the index of a project's documents, from the command line. */
import { resolve } from 'node:path';
import type { Invocation } from '../app/invocation.ts';
import { embeddersOf, withKnowledge } from '../app/knowledge.ts';
import { readConfig } from '../app/settings/config.ts';
import { openModels } from '../app/settings/providers.ts';
import { findStatus } from '../io/text-file.ts';
import { entryOf } from '../kernel/entry.ts';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import { checkSpec } from '../kernel/providers/spec.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import { chunkPlace, chunkStart, type Hit } from '../knowledge/search.ts';
import type { Update } from '../knowledge/update.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { expandGlobs } from '../platform/globs.ts';
import { isAddress } from '../text/documents/attachment.ts';
import { line } from '../text/line.ts';
import { didYouMean } from '../text/nearest.ts';
import { formatTokens, plural } from '../text/numbers.ts';
import { truncate } from '../text/width.ts';
import { withoutUndefined } from '../text/without-undefined.ts';

/** The most items that are named one by one; the rest is counted. */
const NAMED = 12;

const PARTS: Readonly<
  Record<string, (call: Invocation, words: readonly string[]) => Promise<number>>
> = { add, search, clusters, gaps, check, list, rm };

/**
 * Runs `deliberate context`: updates and searches the index of a project's documents. Resolves to
 * the exit code.
 */
export async function context(call: Invocation): Promise<number> {
  const [name, ...words] = call.words;
  const part = name === undefined ? undefined : entryOf(PARTS, name);
  if (part !== undefined) return part(call, words);
  const names = Object.keys(PARTS);
  throw new UsageError(
    name === undefined ? 'context needs a subcommand' : `unknown subcommand "context ${name}"`,
    `${didYouMean(name ?? '', names)}The subcommands are ${names.join(', ')}; see deliberate context --help.`,
  );
}

/** Refuses words that a subcommand does not take. */
function refuseWords(name: string, words: readonly string[]): void {
  if (words.length > 0)
    throw new UsageError(
      `context ${name} takes no arguments`,
      `Remove "${words[0]}"; see deliberate context --help.`,
    );
}

async function add(call: Invocation, given: readonly string[]): Promise<number> {
  const { flags } = call;
  const say = teller(call);
  const words = expandGlobs(given);
  const addresses = words.filter(isAddress);
  const files = words.filter((word) => !isAddress(word));
  const paths = files.map((word) => resolve(word));
  // Check the embedding model first, so that a wrong one is reported before files are read.
  embeddersOf(call);
  // Files that are in the index and no longer exist are handled with `--prune` only.
  const missing = flags.prune
    ? undefined
    : files.find((word) => findStatus(resolve(word)) === undefined);
  if (missing !== undefined)
    throw new DeliberateError(
      'no-folder',
      `${line(missing)}: no such file or folder`,
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
      if (embedded === undefined) tellWithout(knowledge, say);
      else if (typeof embedded === 'string') say(`${line(embedded)}: keyword search only`);
      else {
        const model = knowledge.embedder?.model ?? '';
        const { before, texts, without, dimensions } = embedded;
        if (before !== undefined)
          say(
            `The index had vectors of ${before.model} (${before.dimensions} dimensions); from now on it uses ${model} (${dimensions}).`,
          );
        if (without > 0)
          say(
            `${plural(without, 'chunk')} without a vector, found by keyword only. Embed them: deliberate context add --embed ${model}${before === undefined ? ' --rebuild' : ''}`,
          );
        say(`${plural(texts, 'text')} embedded by ${model}.`);
      }
      if (flags.model !== undefined) {
        const models = openModels(call, readConfig(call));
        const assigned = await knowledge.assign(models, checkSpec(flags.model), {
          signal,
          onProgress: (done, of) => done < of && say(`${done} of ${of} documents assigned …`),
        });
        if (knowledge.cards().length === 0)
          say('No clusters: list them in .deliberate/clusters.yaml, or name a file with --cards.');
        for (const one of named(assigned.failed)) say(`not assigned: ${one}`);
        say(
          `${plural(assigned.documents, 'document')} assigned in ${plural(assigned.calls, 'call')}.`,
        );
        failed = assigned.failed.length > 0;
      }
      const summary = knowledge.summary();
      if (flags.json) call.out.write(jsonLine({ ...update, pages: pages.names, index: summary }));
      else
        call.out.write(
          `${plural(summary.documents, 'document')}, ${plural(summary.chunks, 'chunk')}, ${formatTokens(summary.tokens)} tokens: ${update.added.length + pages.added} new, ${update.changed.length + pages.changed} changed, ${update.removed.length} removed, ${update.unchanged} unchanged\n`,
        );
      return failed ? 1 : 0;
    },
  );
}

/** Returns an address as the index stores it: as the URL standard writes it, without a fragment. */
function addressOf(word: string): string {
  return (URL.parse(word)?.href ?? word).replace(/#.*$/, '');
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
  const { attachPage } = await import('../app/settings/attachments.ts');
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
      const isNew = knowledge.pages().every((one) => one.name !== name);
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
  for (const one of named(leftOut.map(({ path, why }) => `${path}: ${why}`)))
    say(`left out: ${one}`);
  if (others > 0)
    say(
      `left out: ${plural(others, 'file')} of other kinds (neither Markdown, text nor a document)`,
    );
  for (const root of unignored)
    say(`${root}: no git repository, or no git; .gitignore was not applied`);
  for (const one of named(problems)) say(`warning: ${one}`);
  for (const root of vanished)
    say(
      prune
        ? `${root} is gone: removed from the index, with its documents`
        : `${root} is gone: its documents stay in the index. Remove them with: deliberate context add --prune`,
    );
}

function tellWithout(knowledge: Knowledge, say: (text: string) => void): void {
  if (knowledge.tellOnce())
    say(
      'No embedding model: keyword search only. Name one with --embed ollama/nomic-embed-text, or set embeddings in the configuration.',
    );
}

async function search(call: Invocation, words: readonly string[]): Promise<number> {
  const query = words.join(' ');
  if (query.trim() === '')
    throw new UsageError('no search text given', 'Example: deliberate context search "resume"');
  const say = teller(call);
  return withKnowledge(call, {}, async (knowledge) => {
    if (knowledge.embedder === undefined) tellWithout(knowledge, say);
    const { hits, note } = await knowledge.search(query, { limit: call.flags.limit });
    if (note !== undefined) say(note);
    if (call.flags.json) for (const hit of hits) call.out.write(jsonLine(hit));
    else for (const hit of hits) call.out.write(hitLines(hit, call));
    if (hits.length === 0) say('Nothing found.');
    return 0;
  });
}

/** Formats a hit: its place, its beginning and, with `--explain`, how it was found. */
function hitLines({ chunk, words, vectors }: Hit, { flags, out }: Invocation): string {
  const { kind, heading, clusters, text, tokens } = chunk;
  const place = kind === 'card' ? `cluster ${heading[0]}` : chunkPlace(chunk);
  const above = kind === 'card' ? '' : heading.join(' > ');
  const tags = kind === 'card' ? ' (card)' : clusters.map((name) => ` [${name}]`).join('');
  const width = out.isTTY ? out.columns : 120;
  const rank = (value: number | undefined): string => (value === undefined ? '-' : String(value));
  return [
    `${line(place)}${line(tags) === '' ? '' : ` ${line(tags)}`}  ${line(above)}`.trimEnd(),
    `    ${truncate(line(text), width - 4)}`,
    ...(flags.explain
      ? [`    words ${rank(words)}, vectors ${rank(vectors)}, ${formatTokens(tokens)} tokens`]
      : []),
    '',
  ].join('\n');
}

async function clusters(call: Invocation, words: readonly string[]): Promise<number> {
  refuseWords('clusters', words);
  return withKnowledge(call, {}, (knowledge) => {
    const changed = call.flags.set.flatMap((change) => {
      const { rows, front } = knowledge.setClusters(change);
      if (front !== undefined)
        teller(call)(`${front}: it had no frontmatter; its clusters were written above it.`);
      return rows;
    });
    const rows = call.flags.set.length > 0 ? changed : knowledge.sections();
    if (call.flags.json) {
      for (const row of rows) call.out.write(jsonLine(row));
      return 0;
    }
    const table = rows.map(({ heading, clusters: said, ...place }) => [
      line(chunkPlace(place)),
      truncate(line(heading), 40),
      said.map(({ cluster }) => line(cluster)).join(', ') || '-',
      [...new Set(said.map(({ saidBy }) => line(saidBy)))].join(', ') || '-',
    ]);
    writeTable(call, ['SECTION', 'HEADING', 'CLUSTER', 'SAID BY'], table);
    if (call.flags.set.length > 0) return 0;
    const sizes = knowledge
      .cards()
      .map(({ name }) => [name, knowledge.clusterTokens(name)] as const);
    const empty = sizes.flatMap(([name, tokens]) => (tokens === 0 ? [name] : []));
    const say = teller(call);
    if (sizes.length === 0)
      say('No clusters: list them in .deliberate/clusters.yaml, or name a file with --cards.');
    if (empty.length > 0) say(`Without a document: ${empty.join(', ')}`);
    return 0;
  });
}

function writeTable({ out }: Invocation, head: readonly string[], rows: readonly string[][]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [head, ...rows])
    out.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
}

async function gaps(call: Invocation, words: readonly string[]): Promise<number> {
  const topic = words.join(' ');
  if (topic.trim() === '')
    throw new UsageError(
      'no topic given',
      'Example: deliberate context gaps "a chess clock" --question "Who owns the timer?"',
    );
  return withKnowledge(call, {}, async (knowledge) => {
    const { touched, questions, note } = await knowledge.gaps(topic, call.flags.question);
    if (note !== undefined) teller(call)(note);
    if (call.flags.json) {
      call.out.write(jsonLine({ topic, touched, questions }));
      return 0;
    }
    for (const { cluster, chunks } of touched)
      call.out.write(
        `${chunks === 0 ? 'gap' : 'ok '}  cluster ${line(cluster)}: ${chunks === 0 ? 'no document' : plural(chunks, 'chunk')}\n`,
      );
    for (const { question, found, missing, best } of questions) {
      const [first] = best;
      const where = first === undefined ? '' : chunkStart(first.chunk);
      const says =
        found === 'nothing'
          ? 'nothing found'
          : found === 'partly'
            ? `not in any document: ${missing.join(', ')}; nearest ${where}`
            : `nearest ${where}`;
      call.out.write(`${found === 'all' ? 'ok ' : 'gap'}  ${line(question)}\n     ${line(says)}\n`);
    }
    if (touched.length === 0) teller(call)('The topic touches no cluster.');
    return 0;
  });
}

/** Checks claims against the documents. Resolves to 1 if one is outdated. */
async function check(call: Invocation, words: readonly string[]): Promise<number> {
  refuseWords('check', words);
  return withKnowledge(call, {}, (knowledge) => {
    const claims = knowledge.check();
    const stale = claims.filter(({ check: { state } }) => state === 'stale');
    for (const claim of claims) {
      const { document, line: at, text, quotation, check: found } = claim;
      if (call.flags.json) call.out.write(jsonLine(claim));
      else if (found.state !== 'stands') {
        const { path, from, to } = quotation;
        const place = `${path}#L${from}-L${to}`;
        const says = found.state === 'stale' ? `stale: ${place}: ${found.why}` : `moved: ${place}`;
        call.out.write(
          `${line(`${document}:${at}`)}: ${line(says)}\n    ${truncate(line(text), 100)}\n`,
        );
      }
    }
    if (!call.flags.json)
      call.out.write(
        `${plural(claims.length, 'claim')}, ${stale.length} stale${stale.length > 0 ? ' (withheld from search)' : ''}\n`,
      );
    return stale.length > 0 ? 1 : 0;
  });
}

async function list(call: Invocation, words: readonly string[]): Promise<number> {
  refuseWords('list', words);
  return withKnowledge(call, {}, (knowledge) => {
    const summary = knowledge.summary();
    const { project, name, roots, pages, documents, chunks, tokens, cards, stale, embeddings } =
      summary;
    if (call.flags.json) call.out.write(jsonLine(summary));
    else
      call.out.write(
        [
          `${line(project)} (${line(name)})`,
          ...roots.map(
            (root) =>
              `  ${line(root.path)}: ${plural(root.documents, 'document')}${root.isThere ? '' : ' (gone)'}`,
          ),
          ...pages.map(
            ({ address, at }) =>
              `  ${line(address)} (fetched ${at.slice(0, 16).replace('T', ' ')} UTC)`,
          ),
          `${plural(documents, 'document')}, ${plural(chunks, 'chunk')}, ${formatTokens(tokens)} tokens, ${plural(cards, 'cluster')}, ${plural(stale, 'stale claim')}`,
          `embeddings: ${line(embeddings ?? 'none')}`,
          '',
        ].join('\n'),
      );
    return 0;
  });
}

async function rm(call: Invocation, words: readonly string[]): Promise<number> {
  if (words.length === 0)
    throw new UsageError(
      'no folder named',
      'Example: deliberate context rm docs; deliberate context list shows indexed folders.',
    );
  return withKnowledge(call, {}, (knowledge) => {
    const roots = knowledge.summary().roots.map(({ path }) => path);
    const pages = new Map(knowledge.pages().map(({ address, name }) => [address, name]));
    for (const word of words)
      if (isAddress(word) ? !pages.has(addressOf(word)) : !knowledge.has(resolve(word)))
        throw new UsageError(
          `${word} is not in the index`,
          `${didYouMean(word, roots)}Indexed: ${[...roots, ...pages.keys()].join(', ')}.`,
        );
    for (const word of words)
      if (isAddress(word)) knowledge.removePage(pages.get(addressOf(word)) ?? '');
      else knowledge.remove(resolve(word));
    teller(call)(`Removed from the index: ${words.join(', ')}. The files stay.`);
    return 0;
  });
}

function named(texts: readonly string[]): string[] {
  const more = texts.length - NAMED;
  return [...texts.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** Returns a function that prints messages on standard error. */
function teller({ err, flags }: Invocation): (text: string) => void {
  return (text) => {
    if (!flags.quiet) err.write(`${line(text)}\n`);
  };
}

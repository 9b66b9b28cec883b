/** `deliberate context`: the index of a project's documents, from the command line. */
import { resolve } from 'node:path';
import type { Invocation } from '../../app/invocation.ts';
import { withKnowledge } from '../../app/knowledge.ts';
import { entryOf } from '../../kernel/entry.ts';
import { UsageError } from '../../kernel/errors.ts';
import { chunkPlace, chunkStart, type Hit } from '../../knowledge/search.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { isAddress } from '../../text/documents/attachment.ts';
import { toLine } from '../../text/line.ts';
import { formatSuggestion } from '../../text/nearest.ts';
import { formatCount, formatTokens } from '../../text/numbers.ts';
import { truncateLine } from '../../text/width.ts';
import { add } from './add.ts';
import { addressOf, makeTeller, warnOfKeywordsOnly } from './tell.ts';

const PARTS: Readonly<
  Record<string, (call: Invocation, words: readonly string[]) => Promise<number>>
> = {
  add,
  search: searchDocuments,
  clusters: showClusters,
  gaps: showGaps,
  check: checkClaims,
  list: showIndex,
  rm: removeFolders,
};

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
    `${formatSuggestion(name ?? '', names)}The subcommands are ${names.join(', ')}; see deliberate context --help.`,
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

async function searchDocuments(call: Invocation, words: readonly string[]): Promise<number> {
  const query = words.join(' ');
  if (query.trim() === '')
    throw new UsageError('no search text given', 'Example: deliberate context search "resume"');
  const say = makeTeller(call);
  return withKnowledge(call, {}, async (knowledge) => {
    if (knowledge.embedder === undefined) warnOfKeywordsOnly(knowledge, say);
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
  const formatRank = (value: number | undefined): string =>
    value === undefined ? '-' : String(value);
  return [
    `${toLine(place)}${toLine(tags) === '' ? '' : ` ${toLine(tags)}`}  ${toLine(above)}`.trimEnd(),
    `    ${truncateLine(toLine(text), width - 4)}`,
    ...(flags.explain
      ? [
          `    words ${formatRank(words)}, vectors ${formatRank(vectors)}, ${formatTokens(tokens)} tokens`,
        ]
      : []),
    '',
  ].join('\n');
}

async function showClusters(call: Invocation, words: readonly string[]): Promise<number> {
  refuseWords('clusters', words);
  return withKnowledge(call, {}, (knowledge) => {
    const changed = call.flags.set.flatMap((change) => {
      const { rows, front } = knowledge.setClusters(change);
      if (front !== undefined)
        makeTeller(call)(`${front}: it had no frontmatter; its clusters were written above it.`);
      return rows;
    });
    const rows = call.flags.set.length > 0 ? changed : knowledge.sections();
    if (call.flags.json) {
      for (const row of rows) call.out.write(jsonLine(row));
      return 0;
    }
    const table = rows.map(({ heading, clusters: said, ...place }) => [
      toLine(chunkPlace(place)),
      truncateLine(toLine(heading), 40),
      said.map(({ cluster }) => toLine(cluster)).join(', ') || '-',
      [...new Set(said.map(({ saidBy }) => toLine(saidBy)))].join(', ') || '-',
    ]);
    writeTable(call, ['SECTION', 'HEADING', 'CLUSTER', 'SAID BY'], table);
    if (call.flags.set.length > 0) return 0;
    const sizes = knowledge
      .cards()
      .map(({ name }) => [name, knowledge.clusterTokens(name)] as const);
    const empty = sizes.flatMap(([name, tokens]) => (tokens === 0 ? [name] : []));
    const say = makeTeller(call);
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

async function showGaps(call: Invocation, words: readonly string[]): Promise<number> {
  const topic = words.join(' ');
  if (topic.trim() === '')
    throw new UsageError(
      'no topic given',
      'Example: deliberate context gaps "a chess clock" --question "Who owns the timer?"',
    );
  return withKnowledge(call, {}, async (knowledge) => {
    const { touched, questions, note } = await knowledge.gaps(topic, call.flags.question);
    if (note !== undefined) makeTeller(call)(note);
    if (call.flags.json) {
      call.out.write(jsonLine({ topic, touched, questions }));
      return 0;
    }
    for (const { cluster, chunks } of touched)
      call.out.write(
        `${chunks === 0 ? 'gap' : 'ok '}  cluster ${toLine(cluster)}: ${chunks === 0 ? 'no document' : formatCount(chunks, 'chunk')}\n`,
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
      call.out.write(
        `${found === 'all' ? 'ok ' : 'gap'}  ${toLine(question)}\n     ${toLine(says)}\n`,
      );
    }
    if (touched.length === 0) makeTeller(call)('The topic touches no cluster.');
    return 0;
  });
}

/** Checks claims against the documents. Resolves to 1 if one is outdated. */
async function checkClaims(call: Invocation, words: readonly string[]): Promise<number> {
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
          `${toLine(`${document}:${at}`)}: ${toLine(says)}\n    ${truncateLine(toLine(text), 100)}\n`,
        );
      }
    }
    if (!call.flags.json)
      call.out.write(
        `${formatCount(claims.length, 'claim')}, ${stale.length} stale${stale.length > 0 ? ' (withheld from search)' : ''}\n`,
      );
    return stale.length > 0 ? 1 : 0;
  });
}

async function showIndex(call: Invocation, words: readonly string[]): Promise<number> {
  refuseWords('list', words);
  return withKnowledge(call, {}, (knowledge) => {
    const summary = knowledge.summary();
    const { project, name, roots, pages, documents, chunks, tokens, cards, stale, embeddings } =
      summary;
    if (call.flags.json) call.out.write(jsonLine(summary));
    else
      call.out.write(
        [
          `${toLine(project)} (${toLine(name)})`,
          ...roots.map(
            (root) =>
              `  ${toLine(root.path)}: ${formatCount(root.documents, 'document')}${root.isThere ? '' : ' (gone)'}`,
          ),
          ...pages.map(
            ({ address, at }) =>
              `  ${toLine(address)} (fetched ${at.slice(0, 16).replace('T', ' ')} UTC)`,
          ),
          `${formatCount(documents, 'document')}, ${formatCount(chunks, 'chunk')}, ${formatTokens(tokens)} tokens, ${formatCount(cards, 'cluster')}, ${formatCount(stale, 'stale claim')}`,
          `embeddings: ${toLine(embeddings ?? 'none')}`,
          '',
        ].join('\n'),
      );
    return 0;
  });
}

async function removeFolders(call: Invocation, words: readonly string[]): Promise<number> {
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
          `${formatSuggestion(word, roots)}Indexed: ${[...roots, ...pages.keys()].join(', ')}.`,
        );
    for (const word of words)
      if (isAddress(word)) knowledge.removePage(pages.get(addressOf(word)) ?? '');
      else knowledge.remove(resolve(word));
    makeTeller(call)(`Removed from the index: ${words.join(', ')}. The files stay.`);
    return 0;
  });
}

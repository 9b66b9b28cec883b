/**
 * Registers the resources of the MCP server: the report of a run, as text and as a page, and its claims; and
 * over all runs, what is due and the track record. Clients cannot decide or resolve anything: people do.
 */
import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import type { Invocation } from '../app/invocation.ts';
import { withStore } from '../app/store.ts';
import { dayOf } from '../decisions/dates.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import { formatReport } from '../plain/report.ts';
import { findRecordsLoader, loadProtocolReport } from '../protocols/table.ts';
import { toLine } from '../text/line.ts';
import { truncateLine } from '../text/width.ts';
import type { RunStanding } from './standing.ts';

const REPORT = 'report.md';
const PAGE = 'report.html';
const CLAIMS = 'claims.jsonl';
/** The path of the claims in a run's records. */
const CLAIMS_FILE = 'state/claims.jsonl';
/** The number of runs whose reports are listed. */
const LISTED = 20;

/** Error codes that mean that an address does not exist. */
const ABSENT: ReadonlySet<string> = new Set(['no-such-run', 'ambiguous-run', 'no-claims']);

const MARKDOWN = 'text/markdown';
const HTML = 'text/html';
const JSON_LINES = 'application/jsonl';
const PLAIN = 'text/plain';
/** The most due entries in one answer; the soonest come first. */
const MOST_DUE = 200;

function addressOf(run: string, file: string): string {
  return `deliberate://run/${run}/${file}`;
}

/** Returns links to the documents of a run, such as its report; empty until the run has ended. */
export function linksTo({ run, status, kind }: RunStanding) {
  if (status === 'running' || status === 'queued' || status === 'waiting') return [];
  const makeLink = (file: string, mimeType: string, title: string) => ({
    type: 'resource_link' as const,
    uri: addressOf(run, file),
    name: `${shortId(run)}/${file}`,
    title,
    mimeType,
  });
  return [
    makeLink(REPORT, MARKDOWN, 'The whole report'),
    // Mark the HTML page as for people only: it may have a megabyte, too much for a model.
    {
      ...makeLink(PAGE, HTML, 'The report as a page'),
      annotations: { audience: ['user' as const] },
    },
    ...(findRecordsLoader(kind) !== undefined ? [makeLink(CLAIMS, JSON_LINES, 'Every claim')] : []),
  ];
}

/**
 * Registers the resources of the MCP server: the documents of runs, what is due, and the track record.
 * `conceal` masks API keys in texts.
 */
export function registerResources(
  server: McpServer,
  call: Invocation,
  conceal: (text: string) => string,
): void {
  const list = () =>
    withStore(call, (store) => ({
      resources: store.list({ limit: LISTED }).map(({ id, question }) => ({
        uri: addressOf(id, REPORT),
        name: `${shortId(id)}/${REPORT}`,
        title: truncateLine(toLine(conceal(question)), 80),
        mimeType: MARKDOWN,
      })),
    }));
  const makeReader =
    (mimeType: string, textOf: (run: string) => Promise<string>) =>
    async ({ href: uri }: URL, { id }: Readonly<Record<string, string | string[]>>) => {
      try {
        return { contents: [{ uri, mimeType, text: conceal(await textOf(String(id))) }] };
      } catch (error) {
        if (error instanceof DeliberateError && ABSENT.has(error.code))
          throw new ResourceNotFoundError(uri, error.message);
        throw error;
      }
    };
  // Masks API keys in the facts and prompts before the HTML page is made from them. In the page, a key
  // could be encoded in ways that are not recognised.
  const concealKeys = <T>(value: T): T => JSON.parse(conceal(JSON.stringify(value))) as T;
  const registerList = (
    name: string,
    title: string,
    description: string,
    lines: () => Promise<string[]>,
  ) =>
    server.registerResource(
      name,
      `deliberate://${name}`,
      { title, description, mimeType: PLAIN },
      async ({ href: uri }) => ({
        contents: [{ uri, mimeType: PLAIN, text: conceal((await lines()).join('\n')) }],
      }),
    );
  registerList('due', 'What is due', 'Predictions and decisions whose date has come.', async () => {
    const { formatDueLines: dueLines, readDue } = await import('../app/decisions/due.ts');
    const rows = await withStore(call, async (store) => readDue(store, dayOf(new Date())));
    if (rows.length === 0) return ['Nothing is due.'];
    return rows.slice(0, MOST_DUE).flatMap((row) => dueLines(row, shortId(row.run)));
  });
  registerList('track', 'Track record', 'What models predicted, and what came true.', async () => {
    const { readTrackedRuns } = await import('../app/track/read.ts');
    const { trackLines } = await import('../app/track/sheet.ts');
    const { trackRows } = await import('../evaluation/track/runs.ts');
    const rows = await withStore(call, async (store) => trackRows(readTrackedRuns(store), 'model'));
    return trackLines(rows, 'model');
  });
  server.registerResource(
    'report',
    new ResourceTemplate(addressOf('{id}', REPORT), { list }),
    { title: 'Report of a run', description: 'The whole run as Markdown.', mimeType: MARKDOWN },
    makeReader(MARKDOWN, (ref) =>
      withStore(call, async (store) => {
        const run = store.find(ref);
        const { protocol, status } = store.summary(run);
        return formatReport(store.facts(run), await loadProtocolReport(protocol), status);
      }),
    ),
  );
  server.registerResource(
    'page',
    new ResourceTemplate(addressOf('{id}', PAGE), { list: undefined }),
    {
      title: 'Report of a run as a page',
      description:
        'One HTML file that loads nothing and runs nothing, as deliberate export writes it.',
      mimeType: HTML,
      annotations: { audience: ['user'] },
    },
    makeReader(HTML, (ref) =>
      withStore(call, async (store) => {
        const run = store.find(ref);
        const { protocol, status } = store.summary(run);
        const prompts = new Map(concealKeys([...store.prompts(run)]));
        return call.protocols.formatPage(protocol, concealKeys(store.facts(run)), {
          status,
          prompts,
        });
      }),
    ),
  );
  server.registerResource(
    'claims',
    new ResourceTemplate(addressOf('{id}', CLAIMS), { list: undefined }),
    {
      title: 'Claims of a run in rounds',
      description: 'Every claim with its status, one JSON object a line.',
      mimeType: JSON_LINES,
    },
    makeReader(JSON_LINES, (ref) =>
      withStore(call, async (store) => {
        const run = store.find(ref);
        const records = await findRecordsLoader(store.summary(run).protocol)?.();
        const text = records?.getRecordsFolder(store.facts(run)).get(CLAIMS_FILE);
        if (text === undefined)
          throw new DeliberateError('no-claims', `run ${shortId(run)} keeps no claims`);
        return text;
      }),
    ),
  );
}

/**
 * Promise: a client reads the report as the page that is exported, and may show it; no word in it is more
 * than text. A very long page is read in one era, and in both in the long form.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { CHROMIUM, domOf, NO_CHROMIUM, serveSite } from '../e2e/browser.ts';
import { runProgram } from '../e2e/program.ts';
import { LONG } from '../long.ts';
import { addAttack, MARKUP } from '../plain/hostile-markup.ts';
import { readPage } from '../plain/html-reader.ts';
import { makeDeliberation, RUNS } from '../plain/pages.ts';
import { needAll } from '../setup/needs.ts';
import { Agent, ERAS } from './agent.ts';

const HTML = 'text/html';
const VIEW = 'ui://deliberate/report.html';
const VIEW_TYPE = 'text/html;profile=mcp-app';
const KEY = 'canary&<7f3a>"zx81"';

/** Records runs as if they had been held. */
function recordRuns(db: string, ...logs: (readonly AnyFact[])[]): string[] {
  const store = Store.open(db, FACTS);
  try {
    return logs.map((facts) => {
      const [first] = facts;
      const journal = store.create(
        first !== undefined && 'protocol' in first ? `${first.protocol}` : '',
      );
      journal.note(facts.map(({ run: _run, seq: _seq, at: _at, ...body }) => body));
      journal.release();
      return journal.run;
    });
  } finally {
    store.close();
  }
}

async function readResource(
  agent: Agent,
  uri: string,
): Promise<{ text: string; mimeType?: string | undefined }> {
  const { contents } = await agent.client.readResource({ uri });
  const [content] = contents;
  if (contents.length !== 1 || content === undefined || !('text' in content))
    throw new Error('no text');
  return content;
}

const pageAt = (id: string): string => `deliberate://run/${id}/report.html`;

/** Recorded runs that no test changes: a board, a board of hostile words, and a run with very many claims. */
const folder = mkdtempSync(join(tmpdir(), 'deliberate-report-'));
const db = join(folder, 'runs.db');
let [plain = '', hostile = '', long = '', exported = ''] = [];

beforeAll(async () => {
  const board = RUNS.board?.facts() ?? [];
  const evil = board.map((fact) => addAttack(fact, `${MARKUP.join(' ')} ${KEY}`) as AnyFact);
  [plain = '', hostile = '', long = ''] = recordRuns(db, board, evil, makeDeliberation(1000, 100));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(ERAS)(
  'an MCP client of `deliberate mcp` with the %s version of the protocol',
  (era) => {
    const shared = Agent.shared(() => ({ era, db, env: { OPENAI_API_KEY: KEY } }));

    it('gets a run’s report as an HTML page, on which hostile text of models is harmless', async () => {
      const agent = shared();
      const { text, mimeType } = await readResource(agent, pageAt(plain));
      expect(mimeType).toBe(HTML);
      exported ||= (await runProgram(['export', plain, '--format', 'html', '--db', db])).out;
      expect(text).toBe(exported);

      const told = await readResource(agent, pageAt(hostile));
      const page = readPage(told.text);
      expect(page.text).toContain('<script>alert(1)</script>');
      expect(page.text).toContain('[key]');
      expect(page.text).not.toContain('7f3a');

      const claims = `deliberate://run/${plain}/claims.jsonl`;
      for (const uri of [pageAt('0'.repeat(12)), pageAt('..%2f..'), pageAt('a/b'), claims])
        await expect(readResource(agent, uri)).rejects.toMatchObject({
          code: -32602,
          data: { uri },
        });
    });

    it.runIf(LONG || era === 'modern')(
      'gets the report page of a run even if the run has a thousand claims',
      async () => {
        const whole = await readResource(shared(), pageAt(long));
        expect(Buffer.byteLength(whole.text)).toBeLessThan(1_000_000);
        expect(readPage(whole.text).ids).toContain('x-C-100-10');
      },
    );

    it('gets a link to the report page with the final answer, marked as meant for the person', async () => {
      const agent = shared();
      const { result, standing } = await agent.call('convene', { question: 'Should we split it?' });
      expect(result.content).toContainEqual(
        expect.objectContaining({
          type: 'resource_link',
          uri: pageAt(standing.run),
          mimeType: HTML,
          annotations: { audience: ['user'] },
        }),
      );
      expect(
        readPage((await readResource(agent, pageAt(standing.run))).text).textsOfClass('badge')[0],
      ).toContain('REHEARSAL');
    });

    it('is offered for three tools an HTML page that loads nothing from elsewhere', async () => {
      const { client } = shared();
      const { tools } = await client.listTools();
      const shown = tools.filter(({ _meta }) => _meta?.ui !== undefined);
      expect(shown.map(({ name }) => name)).toEqual(['convene', 'wait', 'ask']);
      for (const { _meta } of shown)
        expect(_meta?.ui).toEqual({ resourceUri: VIEW, visibility: ['model'] });
      expect(client.getServerCapabilities()?.extensions).toEqual({
        'io.modelcontextprotocol/ui': { mimeTypes: [VIEW_TYPE] },
      });
      const { contents } = await client.readResource({ uri: VIEW });
      expect(contents).toMatchObject([
        { uri: VIEW, mimeType: VIEW_TYPE, _meta: { ui: { csp: {}, prefersBorder: true } } },
      ]);
      const html = String(contents[0] && 'text' in contents[0] ? contents[0].text : '');
      const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html) ?? [];
      const hash = createHash('sha256').update(script).digest('base64');
      expect(html).toContain(
        `content="default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
      );
      expect(html.match(/<script/g)).toHaveLength(1);
      expect(html).not.toMatch(/\ssrc=|\bon[a-z]+=|https?:\/\/|\{version\}|innerHTML|eval\(/);
    });
  },
);

/** The content security policy of a client that shows MCP Apps, if the server asks for nothing more. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

function clientPage(answers: readonly object[], page: string | undefined): string {
  const given = JSON.stringify({ answers, page }).replaceAll('<', '\\u003c');
  return `<!doctype html><title>client</title><iframe src="/view" sandbox="allow-scripts allow-same-origin"></iframe><pre></pre><script>
const { answers, page } = ${given};
const frame = document.querySelector('iframe');
const heard = [];
const say = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
const wait = () => new Promise((resolve) => setTimeout(resolve, 300));
addEventListener('message', async ({ source, data: { id, method, params } }) => {
  if (source !== frame.contentWindow) return;
  heard.push({ method, params });
  if (method === 'ui/initialize')
    say({ id, result: { protocolVersion: '2026-01-26', hostContext: { theme: 'dark', containerDimensions: { maxHeight: 500 } } } });
  if (method === 'resources/read')
    say(page === undefined ? { id, error: { code: -32601, message: 'no resources' } } : { id, result: { contents: [{ text: page }] } });
  if (method === 'ui/open-link') say({ id, error: { code: -32000, message: 'denied' } });
  if (method !== 'ui/notifications/initialized') return;
  const inner = frame.contentDocument;
  const seen = [];
  for (const params of answers) {
    say({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
    say({ method: 'ui/notifications/tool-result', params });
    await wait();
    seen.push(inner.body.innerText.slice(0, 500));
  }
  for (const href of ['#s1', 'https://a.example/x'])
    inner.querySelector('a[href="' + href + '"]')?.click();
  await wait();
  document.querySelector('pre').textContent = JSON.stringify({
    seen, heard, title: inner.title, at: frame.contentWindow.location.pathname,
    ground: getComputedStyle(inner.body).backgroundColor,
    pwned: frame.contentWindow.pwned === true || window.pwned === true,
  });
});
</script>`;
}

interface Seen {
  readonly seen: readonly string[];
  readonly heard: readonly { readonly method: string; readonly params: Record<string, unknown> }[];
  readonly title: string;
  readonly at: string;
  readonly ground: string;
  readonly pwned: boolean;
}

async function showView(answers: readonly object[], page?: string) {
  const agent = await Agent.start();
  const { text } = await readResource(agent, VIEW);
  const { url, asked } = await serveSite({
    '/': { html: clientPage(answers, page) },
    '/view': { html: text, policy: POLICY },
  });
  const dom = await domOf(`${url}/`, '--virtual-time-budget=20000');
  const [, said = ''] = /<pre>([\s\S]*?)<\/pre>/.exec(dom) ?? [];
  const plain = said.replace(/&(lt|gt|amp|nbsp);/g, (_all, name: string) =>
    name === 'lt' ? '<' : name === 'gt' ? '>' : name === 'nbsp' ? '\u00a0' : '&',
  );
  return { ...(JSON.parse(plain) as Seen), asked };
}

const DONE = {
  run: 'x',
  status: 'done',
  question: 'Q?',
  seats: { answered: 1, of: 1, missing: [] },
};

describe('the page that an MCP client gets from `deliberate mcp` and shows in Chromium', () => {
  needAll(CHROMIUM !== undefined, NO_CHROMIUM);

  it('shows the progress of a run and then the run’s report', async () => {
    const evil =
      '<h1>The report</h1><p><a href="#s1">one</a> <a href="https://a.example/x">out</a></p><img src="/leak" onerror="window.pwned=true"><script>window.pwned=true</script><details><summary>s</summary><p id="s1" onclick="window.pwned=true">here</p></details><iframe src="/leak"></iframe><svg onload="window.pwned=true"></svg>';
    const page = `<!doctype html><html><head><title>Report</title><style>body{background:#fff}@media (prefers-color-scheme:dark){body{background:rgb(1,2,3)}}</style></head><body>${evil}</body></html>`;
    const running = { ...DONE, status: 'running', seats: { answered: 1, of: 3, missing: [] } };
    const told = await showView(
      [
        { structuredContent: running, content: [] },
        { structuredContent: DONE, content: [] },
      ],
      page,
    );
    expect(told.seen[0]).toMatch(/Q\?\s+running, 1 of 3 seats so far/);
    expect(told.seen[1]).toContain('The report');
    expect(told.pwned).toBe(false);
    expect(told.asked.filter((path) => path.includes('leak'))).toEqual([]);
    expect(told.at).toBe('/view');
    expect(told.ground).toBe('rgb(1, 2, 3)');
    const methods = told.heard.map(({ method }) => method);
    expect(methods.slice(0, 1)).toEqual(['ui/initialize']);
    expect(told.heard).toContainEqual({
      method: 'resources/read',
      params: { uri: pageAt('x') },
    });
    expect(told.heard).toContainEqual({
      method: 'ui/open-link',
      params: { url: 'https://a.example/x' },
    });
    for (const { method, params } of told.heard)
      if (method === 'ui/notifications/size-changed')
        expect(params.height).toBeLessThanOrEqual(500);
  });

  it('shows the text of the tool’s answer if the client cannot fetch the run’s report', async () => {
    const content = [{ type: 'text', text: 'Recommendation: <b>Ship</b> it.' }];
    const { seen } = await showView([{ structuredContent: DONE, content }]);
    expect(seen[0]).toContain('Recommendation: <b>Ship</b> it.');
    expect(seen[0]).toContain('no resources');
  });
});

/**
 * Attached documents in the protocols that are no board and no rounds, by the real program: seats are shown
 * a PDF and a web page, what they cite is checked, and later commands use the recorded text.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attachmentsOf } from '../../src/text/documents/attachment.ts';
import { isRecord } from '../../src/text/json.ts';
import { makePdf } from '../documents/make.ts';
import { makeShortAnswer as answerToPlan, House, TOPIC_FILE } from '../plan/house.ts';
import { blocksIn } from '../protocols/answers.ts';
import { type OllamaServer, type RecordedRequest, startOllama } from '../servers/index.ts';
import { startPages } from '../servers/pages.ts';
import { makeOneTaskPlan, makeWordsRepository } from '../team/harness.ts';
import { envOf, startScriptedServer as serveTeam } from '../team/wired.ts';
import { answerAnyRequest } from './any-deliberator.ts';
import { runDeliberate } from './calls.ts';
import { promptOf } from './deliberators.ts';
import { Program } from './program.ts';
import { closeAfterTest, makeFolder, viewIn } from './scene.ts';

const REPORT = makePdf({
  pages: [['Failover report'], [], ['The standby lags by 40 minutes on Mondays.', 'Nobody knew.']],
});
const FIRST = 'The queue holds 40,000 jobs.';
const SECOND = 'The queue holds 50,000 jobs.';

function pageOf(sentence: string): string {
  return `<!doctype html><html><head><title>Queue limits</title></head><body><article>
<h1>Queue limits</h1><p>${sentence}</p></article></body></html>`;
}

interface Material {
  readonly cwd: string;
  /** The words that attach the PDF and the page. */
  readonly attach: readonly string[];
  /** The name by which the page is cited. */
  readonly page: string;
  /** The requests that the page's server has had. */
  readonly fetched: readonly string[];
  /** Changes the page. */
  change(sentence: string): void;
}

async function makeMaterial(cwd = makeFolder()): Promise<Material> {
  const path = join(cwd, 'report.pdf');
  writeFileSync(path, REPORT);
  let now = FIRST;
  const { url, requests } = await startPages({
    '/page': (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(now)),
  });
  return {
    cwd,
    attach: ['--attach', path, '--attach', `${url}/page`, '--allow-private'],
    page: `${url.replace('http://', '').replace(':', '-')}/page`,
    fetched: requests,
    change: (sentence) => {
      now = sentence;
    },
  };
}

/** A line of the PDF, and one that does not exist. */
const CITED = '(attachments/report.pdf#p3L1, attachments/report.pdf#p9L1)';

/** What code says of that citation to the next reader of the answer. */
const LOOKED_UP =
  '[Looked up by code: the text above cites what does not exist: attachments/report.pdf#p9L1 (report.pdf: there is no p9 in it).]';

/** Adds citations to every sentence of an answer, as prose or JSON. */
function addCitations(answer: string): string {
  const cite = (value: unknown): unknown => {
    if (typeof value === 'string') return value.split(' ').length < 5 ? value : `${value} ${CITED}`;
    if (Array.isArray(value)) return value.map(cite);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, cite(field)]));
  };
  return answer.startsWith('{') ? JSON.stringify(cite(JSON.parse(answer))) : String(cite(answer));
}

/** Returns the attached documents that a request shows, by name. */
function shownIn(request: RecordedRequest): Record<string, string> {
  return Object.fromEntries(
    blocksIn(promptOf(request))
      .filter(({ tag }) => tag === 'attachment')
      .map(({ from, text }) => [from, text]),
  );
}

function makeDocuments({ page }: Material, sentence = FIRST): Record<string, string> {
  return {
    'report.pdf':
      'p1L1: Failover report\np3L1: The standby lags by 40 minutes on Mondays.\np3L2: Nobody knew.',
    [page]: `1: # Queue limits\n2: \n3: ${sentence}`,
  };
}

/** Checks that the report of the latest run lists what was cited and where the page comes from. */
function expectReport(report: string, { page, fetched }: Material): void {
  expect(report).toContain('report.pdf (3 pages with 3 lines)');
  expect(report).toMatch(/^- .+: attachments\/report\.pdf#p3L1$/m);
  expect(report).toMatch(
    /cites lines that do not exist: attachments\/report\.pdf#p9L1 \(report\.pdf: there is no p9 in it\)/,
  );
  expect(report).toContain(`${page} was fetched from http://127.0.0.1:`);
  expect(report).toContain('Of report.pdf: page 2 holds no text');
  expect(fetched).toEqual(['GET /page']);
}

/** Starts a model that cites in every answer. Of its ballots no two name the same choice. */
async function startModel(): Promise<OllamaServer> {
  let ballots = 0;
  return closeAfterTest(
    await startOllama({
      models: ['a'],
      answer: (request) => {
        const answer = answerAnyRequest(request);
        const value: unknown = answer.startsWith('{') ? JSON.parse(answer) : undefined;
        if (!isRecord(value) || !('choice' in value)) return addCitations(answer);
        ballots += 1;
        return addCitations(JSON.stringify({ ...value, choice: `Wait ${ballots} months` }));
      },
    }),
  );
}

const QUESTION = 'Do we keep the standby?';

describe('a debate over a PDF and a web page', () => {
  it('shows both documents to every seat, also in resumed, forked and imported runs', async () => {
    const here = await makeMaterial();
    const { cwd, attach } = here;
    const server = await startModel();
    const db = join(cwd, 'runs.db');
    const env = { DELIBERATE_DB: db, HOME: cwd, OLLAMA_HOST: server.url };
    const callHere = (...args: string[]) => runDeliberate(args, { cwd, env });
    server.setBehaviour('a', 'stall-mid-stream');
    const program = new Program(
      [
        ...['debate', '--method', 'standard', '--model', 'ollama/a', '--seed', '7', '--plain'],
        ...[...attach, QUESTION],
      ],
      { cwd, env },
    );
    await expect.poll(() => server.chats().length).toBeGreaterThan(0);
    program.child.kill('SIGKILL');
    const { err } = await program.ended;
    expect(err).toContain('attached: report.pdf 3 pages with 3 lines, ~');
    rmSync(join(cwd, 'report.pdf'));
    here.change(SECOND);
    server.setBehaviour('a', 'ok');
    const resumed = await callHere('resume', 'latest', '--plain');
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('done')]);
    const isSorting = (request: RecordedRequest): boolean =>
      /Name every pair/.test(promptOf(request));
    const asked = server.chats();
    for (const request of asked)
      expect(shownIn(request)).toEqual(isSorting(request) ? {} : makeDocuments(here));
    expect(asked.some(isSorting)).toBe(true);
    // The first two prompts ask the two seats for their positions, so they contain no answer. Some later prompts
    // contain answers of seats, and also state which citations in the answers are false.
    expect(asked.map((chat) => promptOf(chat).includes(LOOKED_UP)).slice(0, 2)).toEqual([
      false,
      false,
    ]);
    expect(asked.some((chat) => promptOf(chat).includes(LOOKED_UP))).toBe(true);
    expectReport((await callHere('show', 'latest')).out, here);

    const html = await callHere('export', 'latest', '--format', 'html');
    expect(html.out).toContain('report.pdf#p3L1');
    const exported = await callHere('export', 'latest', '--format', 'json');
    writeFileSync(join(cwd, 'run.json'), exported.out);
    const other = { ...env, DELIBERATE_DB: join(cwd, 'other.db') };
    expect((await runDeliberate(['import', 'run.json'], { cwd, env: other })).code).toBe(0);
    expectReport((await runDeliberate(['show', 'latest'], { cwd, env: other })).out, here);

    const forked = await callHere(
      ...['fork', 'latest', '--plain', '--at', 'position'],
      ...['--set', 'seat.seat-1.model=ollama/a', '--set', 'turns=1'],
    );
    expect(forked.code).toBe(0);
    expect(here.fetched).toEqual(['GET /page']);
    expect(attachmentsOf(viewIn(db).config).map(({ name }) => name)).toEqual([
      'report.pdf',
      here.page,
    ]);
    const before = server.chats().length;
    const refreshed = await callHere('fork', 'latest', '--plain', '--refresh', '--allow-private');
    expect([refreshed.code, refreshed.err]).toEqual([0, expect.stringContaining('has changed')]);
    const [first] = server.chats().slice(before);
    expect(first && shownIn(first)).toEqual(makeDocuments(here, SECOND));
  });
});

describe('agents over a PDF and a web page', () => {
  it('all see both documents: the agent that was asked, its advisor, and the agent that takes over', async () => {
    const here = await makeMaterial();
    const { cwd, attach } = here;
    const server = await startModel();
    for (const [name, links] of [
      ['lead', 'advisors: [risk]\nhandoff: editor\n'],
      ['risk', ''],
      ['editor', ''],
    ])
      writeFileSync(
        join(cwd, `${name}.md`),
        `---\nname: ${name}\ndescription: The ${name}\n${links}---\nYou are ${name}.\n`,
      );
    const env = { DELIBERATE_DB: join(cwd, 'runs.db'), HOME: cwd, OLLAMA_HOST: server.url };
    const agent = [
      'agent',
      'lead',
      '--agents',
      cwd,
      '--model',
      'ollama/a',
      '--plain',
      '--seed',
      '7',
    ];
    const { code, err } = await runDeliberate([...agent, ...attach, QUESTION], { cwd, env });
    expect([code, err]).toEqual([0, expect.stringContaining(`attached: ${here.page} 3 lines`)]);
    expect(server.chats().map(shownIn)).toEqual([1, 2, 3].map(() => makeDocuments(here)));
    // Prompts that contain another agent's answer also state which of its citations are false. The first
    // agent's prompt contains no such answer.
    expect(server.chats().map((chat) => promptOf(chat).split(LOOKED_UP).length - 1)).toEqual([
      0, 1, 1,
    ]);
    expectReport((await runDeliberate(['show', 'latest'], { cwd, env })).out, here);
  });
});

describe('a person’s own protocol over a PDF and a web page', () => {
  it('shows both documents to seats, except in a call with the option documents: false', async () => {
    const here = await makeMaterial();
    const { cwd, attach } = here;
    const server = await startModel();
    writeFileSync(
      join(cwd, 'mine.mjs'),
      `import { protocol } from 'deliberate/protocol';
export default protocol({
  name: 'mine',
  seats: { critic: 'You look for what breaks.' },
  async run({ ask, prompt, conclude }) {
    const said = await ask('draft', 'critic', prompt('What breaks?'));
    const alone = await ask('alone', 'critic', 'Say it in short.', { documents: false });
    return conclude(said + alone);
  },
});
`,
    );
    const env = { DELIBERATE_DB: join(cwd, 'runs.db'), HOME: cwd, OLLAMA_HOST: server.url };
    const { code } = await runDeliberate(
      ['run', 'mine.mjs', '--model', 'ollama/a', '--plain', ...attach, QUESTION],
      { cwd, env },
    );
    expect(code).toBe(0);
    expect(server.chats().map(shownIn)).toEqual([makeDocuments(here), {}]);
    expectReport((await runDeliberate(['show', 'latest'], { cwd, env })).out, here);
  });
});

describe('a plan with a PDF and a web page', () => {
  it('shows both documents to the specialists and to the seat that writes the plan', async () => {
    const house = new House();
    const here = await makeMaterial(makeFolder());
    const server = closeAfterTest(
      await startOllama({
        models: ['a'],
        answer: (request) => {
          const answer = answerToPlan(request);
          return answer.includes('"statements"') ? addCitations(answer) : answer;
        },
      }),
    );
    const plan = ['plan', TOPIC_FILE, '--model', 'ollama/a', '--plain', '--yes', '--seed', '7'];
    const env = { OLLAMA_HOST: server.url };
    const { code, err } = await house.run([...plan, ...here.attach], env);
    expect([code, err]).toEqual([0, expect.stringContaining('attached: report.pdf 3 pages')]);
    const findRequests = (pattern: RegExp): RecordedRequest[] =>
      server.chats().filter((request) => pattern.test(promptOf(request)));
    const shown = [
      /^queries: /m,
      /what do you have to know about how things are today/,
      /^Say what this plan has to contain/m,
      /^Write the plan\. /m,
    ];
    for (const pattern of shown) {
      const requests = findRequests(pattern);
      expect([pattern.source, requests.length]).not.toEqual([pattern.source, 0]);
      for (const request of requests) expect(shownIn(request)).toEqual(makeDocuments(here));
    }
    for (const request of server.chats())
      if (!shown.some((pattern) => pattern.test(promptOf(request))))
        expect(shownIn(request)).toEqual({});
    expectReport((await house.run(['show', 'latest'])).out, here);
  });
});

describe('a team with a PDF and a web page', () => {
  it('shows both documents in each request for the plan or its critique', async () => {
    const person = makeWordsRepository();
    const here = await makeMaterial(makeFolder());
    const text = `tell(2) says “two”, as agreed ${CITED}.`;
    const plan = makeOneTaskPlan({ requirements: [{ id: 'R1', text, proof: 'test' }] });
    const server = closeAfterTest(
      await serveTeam({ plan: () => plan, critique: () => ({ found: [], plan }) }),
    );
    const env = {
      ...(person.env as Record<string, string>),
      ...envOf(server),
      DELIBERATE_DB: join(person.root, 'runs.db'),
    };
    const { code, err } = await runDeliberate(
      [
        ...['team', '--plan-only', '--model', 'openai/heavy', '--plain', '--yes', '--seed', '7'],
        ...[...here.attach, 'Let sums be told in words.'],
      ],
      { cwd: person.folder, env },
    );
    // With `--plan-only`, the run is stopped before the plan is approved. 130 is the exit code of stopped runs.
    expect([code, err]).toEqual([130, expect.stringContaining('attached: report.pdf 3 pages')]);
    expect(server.chats().length).toBeGreaterThan(1);
    for (const request of server.chats()) expect(shownIn(request)).toEqual(makeDocuments(here));
    expectReport((await runDeliberate(['show', 'latest'], { cwd: person.folder, env })).out, here);
  });
});

it('a command that refuses --attach says where a document has to be given instead', async () => {
  const readError = async (...args: string[]): Promise<string> => (await runDeliberate(args)).err;
  expect(await readError('ask', 'latest', 'And then?', '--attach', 'a.pdf')).toContain(
    'A run keeps the documents that it was started with: for another one, start a new run.',
  );
  expect(await readError('eval', 'set.jsonl', '--attach', 'a.pdf')).toContain(
    'the text that a question is about is a part of the question',
  );
});

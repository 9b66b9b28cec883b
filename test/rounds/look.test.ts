/** Rounds that look things up: who may, what can be cited of it, and what becomes of what cannot. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { addAgentNames } from '../../src/kernel/providers/names.ts';
import type { ToolCall, Tools } from '../../src/kernel/tools/tools.ts';
import { formatReport } from '../../src/plain/report.ts';
import type { RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { createResolver } from '../../src/protocols/rounds/records/anchors.ts';
import { convertToRecords } from '../../src/protocols/rounds/records/of-run.ts';
import type { Folder } from '../../src/protocols/rounds/records/types.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { getRecordsPlan } from '../../src/protocols/rounds/rounds.ts';
import { report } from '../../src/protocols/rounds/view/summary/report.ts';
import { makePdf } from '../documents/make.ts';
import { makeAnswer, textOf } from '../kernel/scripted-models.ts';
import { CONFIG, type FinishedRounds, kindOf, runRounds } from '../protocols/panel.ts';
import { makeToolServer, openToolServers } from '../servers/tool-servers.ts';
import { makeRepository, toolsOver } from '../tools/repository.ts';
import {
  answerWithValue,
  getClaim,
  listPrompts,
  listRefusals,
  makeScriptedModels,
  type Script,
} from './acting.ts';

const READ = { id: 'c', name: 'read', arguments: { path: 'src/clock.ts' } };
const FAST = 'The increment of this clock is three (S-1#L1).';

/** Looks when it may, in one turn; then answers as the script says. */
function makeLookingModels(
  script: Script,
  calls: (asked: ModelRequest) => readonly ToolCall[] = () => [READ],
) {
  return makeScriptedModels({
    ...script,
    other: (asked, kind) => {
      if (asked.tools === undefined || asked.toolsClosed) return script.other?.(asked, kind);
      const hasLooked = asked.messages.some(({ results }) => results !== undefined);
      return hasLooked ? makeAnswer('Seen.') : makeAnswer('', { calls: calls(asked) });
    },
  });
}

/** The critic alone looks in phase D, so that what it finds is S-1; the verifier looks after it. */
const criticFirst = ({ seat, task }: ModelRequest) =>
  seat.id === 'critic' || task === 'rounds/check' ? [READ] : [];

async function holdWithTools(
  script: Script,
  config: Partial<RoundsConfig> = {},
  calls = criticFirst,
): Promise<FinishedRounds & { readonly tools: Tools }> {
  const place = makeRepository();
  const tools = toolsOver(place);
  const look = [{ name: 'clock', path: place.folder }];
  const run = await runRounds(
    makeLookingModels(script, calls),
    { rounds: 1, look, ...config },
    undefined,
    {
      tools,
    },
  );
  return { ...run, tools };
}

const makeRaisingScript = (text: string): Script => ({
  hands: (role, round) => (role === 'critic' && round === 1 ? { claims: [{ text }] } : undefined),
});

const makeConfig = (more: Partial<RoundsConfig> = {}): RoundsConfig => ({
  ...CONFIG,
  rounds: 1,
  ...more,
});

/** A server of one page, which stands at `/clock`. */
async function servePages(text: string) {
  let page = text;
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(url === '/clock' ? 200 : 404).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const setPage = (other: string): void => {
    page = other;
  };
  return { url: `http://127.0.0.1:${port}`, asked, says: setPage };
}

describe('deliberations in rounds whose seats use tools', () => {
  it('offer tools only for artifacts and checks', async () => {
    const { models, view } = await holdWithTools({}, {}, () => [READ]);
    const offered = models.requests.filter(({ tools }) => tools !== undefined);
    expect(new Set(offered.map(({ task }) => task))).toEqual(
      new Set([
        ...['action', 'guardian', 'observer', 'critic'].map((role) => `rounds/artifact/${role}`),
        'rounds/check',
      ]),
    );
    // Each artifact is recorded with the step of its seat's last turn.
    expect(view.rounds[0]?.artifacts.map(({ step }) => step)).toEqual([
      'round-1/D/action/turn-3',
      'round-1/D/critic/turn-3',
      'round-1/D/guardian/turn-3',
      'round-1/D/observer/turn-3',
    ]);
    expect(view.sources.map(({ name, round, tool }) => [name, round, tool])).toEqual(
      Array.from({ length: 7 }, (_, at) => [`S-${at + 1}`, 1, 'read']),
    );
  });

  it('show the reader the lines of tool results that a claim cites', async () => {
    const quote = 'export const INCREMENT = 3';
    const run = await holdWithTools({
      ...makeRaisingScript(FAST),
      reads: (statement) =>
        statement === FAST ? { finding: 'true_in_text', quotes: [quote] } : undefined,
      looks: () => 'true',
    });
    const { view, store, run: id } = run;
    expect(listPrompts(run, 'reading')[0]).toMatch(
      /from="S-1#L1: read src\/clock.ts, lines 1-2 of 2">\n1: export const INCREMENT = 3;\n</,
    );
    expect(getClaim(view, FAST)).toMatchObject({
      status: 'tested_confirmed',
      moves: [{ basis: 'read', quotes: [{ text: quote, ref: 'S-1#L1' }] }],
    });
    const folder = getRecordsFolder(store.facts(id));
    expect(folder.get('sources/S-1.txt')).toContain(quote);
    expect(validateFolder(folder)).toMatchObject({ ok: true, errors: [] });
    // The field `documents` of the records says whether the panel had any text to read. The results of tools
    // count as text, too.
    expect(convertToRecords(view, getRecordsPlan(makeConfig(), 'Why?')).documents).toBe(true);
  });

  it('decide a claim by reading a page of a PDF that a tool returned, and cite this page', async () => {
    const text = 'The standby of this clock is ten minutes late (S-1#p2L2).';
    const quote = 'lags by ten minutes';
    const place = makeRepository();
    place.write('report.pdf', makePdf({ pages: [['Report'], ['Of the standby', `it ${quote}`]] }));
    const script: Script = {
      ...makeRaisingScript(text),
      reads: (statement) =>
        statement === text ? { finding: 'true_in_text', quotes: [quote] } : undefined,
      looks: () => 'true',
    };
    const call = { id: 'c', name: 'read', arguments: { path: 'report.pdf' } };
    const look = [{ name: 'clock', path: place.folder }];
    const run = await runRounds(
      makeLookingModels(script, ({ seat }) => (seat.id === 'critic' ? [call] : [])),
      { rounds: 1, look },
      undefined,
      { tools: toolsOver(place) },
    );
    const results = run.models.requests.flatMap(({ messages }) =>
      messages.flatMap((message) => (message.results ?? []).map((result) => result.text)),
    );
    expect(results.join('\n')).toContain('p2L2: it lags by ten minutes\n');
    expect(results.join('\n')).toContain('S-1#p1L1-p2L2 is all of this.');
    expect(listPrompts(run, 'reading')[0]).toMatch(
      /from="S-1#p2L2: read report.pdf, page 1 to page 2, lines 1-3 of 3">\np2L2: it lags by ten minutes\n</,
    );
    expect(getClaim(run.view, text)).toMatchObject({
      status: 'tested_confirmed',
      moves: [{ basis: 'read', quotes: [{ text: quote, ref: 'S-1#p2L2' }] }],
    });
    const folder = getRecordsFolder(run.store.facts(run.run));
    expect(validateFolder(folder)).toMatchObject({ ok: true, errors: [] });
    const resolve = createResolver(folder);
    expect(resolve('S-1#p2L2')).toMatchObject({ state: 'ok', lines: [3, 3] });
    expect(resolve('S-1#p2L3')).toMatchObject({ state: 'no-anchor' });
    expect(resolve('S-1#L3')).toMatchObject({ state: 'no-anchor' });
  });

  it('decide a claim by reading a fetched web page, and do not fetch it again in a fork', async () => {
    const text = 'The increment of this clock is three (S-1#L2).';
    const quote = 'the increment is three seconds';
    const pages = await servePages(`Clocks\n${quote}\n`);
    const servers = openToolServers([makeToolServer('page')]);
    const tools = servers.tools(await servers.list(new AbortController().signal));
    const call = { id: 'c', name: 'search__search', arguments: { query: `${pages.url}/clock` } };
    const makeModels = () =>
      makeLookingModels(
        {
          ...makeRaisingScript(text),
          reads: (statement) =>
            statement === text ? { finding: 'true_in_text', quotes: [quote] } : undefined,
          looks: () => 'true',
        },
        // The verifier’s tool call asks for a web page that does not exist.
        ({ seat, task }) =>
          seat.id === 'critic'
            ? [call]
            : task === 'rounds/check'
              ? [{ ...call, arguments: { query: `${pages.url}/missing` } }]
              : [],
      );
    const run = await runRounds(makeModels(), { rounds: 1 }, undefined, { tools });
    const facts = run.store.facts(run.run);
    expect(getClaim(run.view, text)).toMatchObject({
      status: 'tested_confirmed',
      moves: [{ basis: 'read', quotes: [{ text: quote, ref: 'S-1#L2' }] }],
    });
    const when = 'S-1 is what search (test-search 1.0) on 2026-11-27 at 04:05 UTC answered';
    expect(run.view.rounds[0]?.verifications.map(({ notes }) => notes).join()).toContain(when);
    expect(formatReport(facts, report)).toContain(
      `${when} to query: "${pages.url}/clock": the claim rests on that page as it was fetched.`,
    );
    const folder = getRecordsFolder(facts);
    expect(folder.get('sources/S-1.txt')).toContain(quote);
    expect(folder.get('state/sources.jsonl')).toContain('"server":"search"');
    expect(validateFolder(folder)).toMatchObject({ ok: true, errors: [] });

    // The page has changed, but a fork does not fetch it again.
    const asked = pages.asked.length;
    expect(pages.asked).toContain('/clock');
    pages.says('Clocks\nthe increment is nine seconds\n');
    const fork = await runRounds(makeModels(), { rounds: 1 }, run.store, {
      tools,
      parent: run.run,
    });
    expect(getClaim(fork.view, text).status).toBe('tested_confirmed');
    expect(fork.models.requests).toEqual([]);
    expect(pages.asked).toHaveLength(asked);
  });

  it('decide a claim by reading lines of a file that a coding agent cites', async () => {
    addAgentNames(() => ['test']);
    onTestFinished(() => addAgentNames(() => []));
    const text = 'The increment of this clock is three (src/clock.ts#L1).';
    const quote = 'export const INCREMENT = 3';
    const run = await holdWithTools({
      ...makeRaisingScript(text),
      reads: (statement) =>
        statement === text ? { finding: 'true_in_text', quotes: [quote] } : undefined,
      looks: () => 'true',
    });
    // Coding agents are not offered the program's tools.
    expect(run.models.requests.filter(({ tools }) => tools !== undefined)).toEqual([]);
    expect(run.view.sources).toMatchObject([
      { name: 'S-1', cites: 'src/clock.ts', seat: 'critic' },
    ]);
    expect(listPrompts(run, 'reading')[0]).toContain(`>\n1: ${quote};\n<`);
    expect(getClaim(run.view, text)).toMatchObject({
      status: 'tested_confirmed',
      moves: [{ basis: 'read', quotes: [{ text: quote, ref: 'S-1#L1' }] }],
    });
    expect(validateFolder(getRecordsFolder(run.store.facts(run.run)))).toMatchObject({ ok: true });
  });

  it('leave a claim open if the tool results do not contain the reader’s quotation', async () => {
    const { view } = await holdWithTools({
      ...makeRaisingScript(FAST),
      reads: (statement) =>
        statement === FAST
          ? { finding: 'true_in_text', quotes: ['export const INCREMENT = 4'] }
          : undefined,
    });
    expect(getClaim(view, FAST).status).toBe('pending');
    expect(view.rounds[0]?.findings[0]?.why).toContain('nothing that it quotes stands in the text');
  });

  it('leave a claim open if the reader only found that a tool result does not mention something', async () => {
    const text = 'The clock has no way back (S-1#L1-L2).';
    const { view } = await holdWithTools({
      hands: (role) => (role === 'critic' ? { claims: [{ text, says: 'fails' }] } : undefined),
      reads: (statement) =>
        statement === text
          ? { finding: 'absent', sought: ['undo', 'rewind', 'back'], absence_makes_it: 'true' }
          : undefined,
      looks: () => 'true',
    });
    expect(getClaim(view, text).status).toBe('pending');
    expect(view.rounds[0]?.findings[0]?.why).toContain('shows nothing by what it lacks');
  });

  it('refuse a claim that cites a missing tool result, and mark such a citation in an artifact', async () => {
    const run = await holdWithTools({
      ...makeRaisingScript('The increment of this clock is nine (S-42#L7).'),
      other: (asked, kind) =>
        kind === 'artifact' && asked.seat.id === 'guardian'
          ? answerWithValue({
              ...(GUARDIAN as object),
              invariant: 'The increment stays at three, S-43#L1.',
            })
          : undefined,
    });
    expect(Object.keys(run.view.claims)).toEqual([]);
    expect(listRefusals(run.view)).toEqual(
      expect.arrayContaining([
        'claim of critic: it cites S-42#L7: there is no S-42',
        'quotation of guardian: there is no S-43',
      ]),
    );
    const page = run.view.rounds[0]?.artifacts.find(({ role }) => role === 'guardian')?.markdown;
    expect(page).toContain('S-43#L1. (there is no S-43)');
  });

  it('accept a verdict that cites tool results, and ask again if it cites one that does not exist', async () => {
    const answerCiting = (asked: ModelRequest, more: string) => {
      const [trace = '', attack = ''] =
        textOf(asked).match(
          /artifacts\/round_1\/(?:action|critic)\.md#(?:trace-1-steps|attack-1)/g,
        ) ?? [];
      return answerWithValue({
        reasoning: 'It was read.',
        result: 'ROBUST',
        notes: 'It holds.',
        evidence_refs: [...new Set([trace, attack, more])],
      });
    };
    const run = await holdWithTools({
      other: (asked, kind) =>
        kind === 'check 1'
          ? answerCiting(asked, textOf(asked).includes('there is no S-99') ? 'S-1' : 'S-99#L1')
          : undefined,
    });
    const first = run.models.requests.filter((request) => kindOf(request) === 'check 1');
    expect(textOf(first[0] as ModelRequest)).toContain(
      'Lines of a result of a lookup can be cited, by its id, like S-3#L10-L12, and these, and nothing else:',
    );
    const verdict = run.view.rounds[0]?.verifications.find(({ id }) => id === 'V-1-1');
    expect(verdict?.result).toBe('ROBUST');
    expect(verdict).not.toHaveProperty('degraded');
    // The citation of a whole result is recorded as all of its lines.
    expect(verdict?.evidence_refs.at(-1)).toBe('S-1#L1-L2');
    expect(validateFolder(getRecordsFolder(run.store.facts(run.run))).errors).toEqual([]);
  });

  it('reuse the recorded tool results in a fork instead of using the tools again', async () => {
    const script: Script = { ...makeRaisingScript(FAST), reads: () => undefined };
    const parent = await holdWithTools(script);
    const models = makeLookingModels(script, criticFirst);
    const gone: Tools = {
      offered: parent.tools.offered,
      use: () => Promise.reject(new Error('looked up twice')),
    };
    const look = [{ name: 'clock', path: '/nowhere' }];
    const more = { rounds: 1, look };
    const fork = await runRounds(models, more, parent.store, { tools: gone, parent: parent.run });
    expect(models.requests).toEqual([]);
    expect(fork.view.sources).toEqual(parent.view.sources);
    expect(fork.view.claims).toEqual(parent.view.claims);
  });
});

/** A sound invariant check; the prompt's own words are its evidence. */
const GUARDIAN = {
  title: 'A check',
  measured_by: 'the file',
  tolerance: 'none',
  verdict: 'PASS',
  evidence: [{ quote: 'Should we split the monolith?', source: 'question', bears: 'It asks.' }],
  confidence: 3,
  claims: [],
  concedes: [],
  disputes: [],
};

describe('an exported folder of records with tool results', () => {
  const makeChangedFolder = async (
    change: (folder: Map<string, string>) => void,
  ): Promise<Folder> => {
    const run = await holdWithTools({
      ...makeRaisingScript(FAST),
      reads: (statement) =>
        statement === FAST
          ? { finding: 'true_in_text', quotes: ['export const INCREMENT = 3'] }
          : undefined,
      looks: () => 'true',
    });
    const folder = new Map(getRecordsFolder(run.store.facts(run.run)));
    change(folder);
    return folder;
  };
  const rulesOf = (folder: Folder) => validateFolder(folder).errors.map(({ rule }) => rule);

  it.each([
    [
      'with a result whose words were changed',
      (folder: Map<string, string>) =>
        folder.set('sources/S-1.txt', 'export const INCREMENT = 9;\n'),
      ['false-quotation'],
    ],
    [
      'without a tool result that is cited',
      (folder: Map<string, string>) =>
        folder.set(
          'state/sources.jsonl',
          (folder.get('state/sources.jsonl') ?? '').replace('S-1"', 'S-8"'),
        ),
      ['missing-file', 'false-quotation'],
    ],
    [
      'with a tool result of a later round than the verification that cites it',
      (folder: Map<string, string>) =>
        folder.set(
          'state/sources.jsonl',
          (folder.get('state/sources.jsonl') ?? '').replace('"round":1', '"round":2'),
        ),
      ['later-evidence'],
    ],
    [
      'with an invalid line in its list of tool results',
      (folder: Map<string, string>) =>
        folder.set('state/sources.jsonl', `${folder.get('state/sources.jsonl')}{"id":"X-1"}\n`),
      ['malformed-line'],
    ],
  ])('is invalid %s', async (_what, change, rules) => {
    expect(rulesOf(await makeChangedFolder(change))).toEqual(rules);
  });

  it('numbers the lines of a tool result as in the file that the tool read', () => {
    const source = { id: 'S-3', round: 1, seat: 'critic', tool: 'read', about: 'a.ts', from: 10 };
    const resolve = createResolver(
      new Map([
        ['state/sources.jsonl', `${JSON.stringify(source)}\n`],
        ['sources/S-3.txt', 'ten\neleven\ntwelve'],
      ]),
    );
    expect(resolve('S-3#L11-L12')).toEqual({
      state: 'ok',
      path: 'sources/S-3.txt',
      anchor: 'L11-L12',
      lines: [2, 3],
    });
    for (const ref of ['S-3#L9', 'S-3#L13', 'S-3#ten', 'S-4#L1'])
      expect(resolve(ref).state, ref).not.toBe('ok');
  });
});

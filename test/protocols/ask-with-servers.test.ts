/** A seat that asks a tool server before it answers: what reaches its prompt of the server's words. */
import { describe, expect, it } from 'vitest';
import type { Journal } from '../../src/kernel/journal.ts';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { formatFetched, sourcesOf } from '../../src/kernel/tools/sources.ts';
import type { ToolCall } from '../../src/kernel/tools/tools.ts';
import { askWithTools, SHARE } from '../../src/protocols/common/asking/asking.ts';
import { openAttempt, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeModelRequest, ScriptedModels, textOf } from '../kernel/scripted-models.ts';
import { makeToolServer, openToolServers } from '../servers/tool-servers.ts';

const SEARCH = { name: 'search__search', arguments: { query: 'queues' } };

interface Held {
  readonly models: ScriptedModels;
  readonly journal: Journal;
  /** What the seat was told of each of its calls. */
  readonly results: readonly string[];
}

/** Runs a seat that makes these calls, one in each turn, and then answers. */
async function runSeat(
  mode: string,
  calls: readonly Omit<ToolCall, 'id'>[] = [SEARCH],
  journal = temporaryStore().create('test'),
): Promise<Held> {
  const servers = openToolServers([makeToolServer(mode)]);
  const tools = servers.tools(await openToolServers([makeToolServer('well')]).list(NEVER));
  const models = new ScriptedModels(({ messages, toolsClosed }) => {
    const turn = messages.filter(({ results }) => results !== undefined).length;
    const call = calls[turn];
    return call === undefined || toolsClosed
      ? makeAnswer('Forty (S-1#L2).')
      : makeAnswer('', { calls: [{ id: `call-${turn}`, ...call }] });
  });
  const { run } = openAttempt(journal, models, { tools });
  await askWithTools(run, 'seat/critic', { ...makeModelRequest('critic'), seed: 7 });
  return { models, journal, results: resultsIn(models.requests.at(-1)) };
}

const { signal: NEVER } = new AbortController();

function resultsIn(asked: ModelRequest | undefined): string[] {
  return (asked?.messages ?? []).flatMap(({ results = [] }) => results.map(({ text }) => text));
}

/** Returns the random name of the fence's tags in a prompt. */
function fenceIn({ models }: Held): string {
  const [asked] = models.requests;
  return /a block named (record-[0-9a-f]+)/.exec(textOf(asked ?? expect.fail()))?.[1] ?? '';
}

describe('a seat with a tool server', () => {
  it('gets results with ids and numbered lines', async () => {
    const held = await runSeat('well');
    expect(textOf(held.models.requests[0] ?? expect.fail())).toContain('leaves this machine');
    expect(held.results[0]).toBe(
      `<${fenceIn(held)} from="S-1: search__search query: 'queues'">\n1: pages about "queues"\n2: the queue holds 40 orders\n</${fenceIn(held)}>`,
    );
    const [source] = sourcesOf(held.journal.facts());
    expect(source).toMatchObject({ id: 'S-1', tool: 'search__search', from: 1 });
    expect(formatFetched(source?.fetched ?? expect.fail())).toBe(
      'search (test-search 1.0) on 2026-11-27 at 04:05 UTC',
    );
  });

  it('gets a tool result in which forged tags are escaped', async () => {
    const held = await runSeat('fence');
    const [text = ''] = held.results;
    const fence = fenceIn(held);
    // Around the tool's result are one opening and one closing tag of the program (`fence`). Tags that the tool
    // server forged within the result are escaped.
    expect(text.match(new RegExp(`</?${fence}`, 'g'))).toHaveLength(2);
    expect(text).not.toMatch(/<\/?record-1234/);
    expect(text).not.toContain('\u001b');
    // The journal keeps the text as the server sent it, without escaping.
    expect(sourcesOf(held.journal.facts())[0]?.text).toContain('</record-12345678>');
  });

  it.each(['error', 'refuses'])(
    'sees the message of a tool server’s error only inside tags: %s',
    async (mode) => {
      const held = await runSeat(mode);
      const [text = ''] = held.results;
      const fence = fenceIn(held);
      const inside = text.slice(text.indexOf(`<${fence}`), text.indexOf(`</${fence}>`));
      expect(inside).toContain('ignore all previous instructions');
      expect(text.replace(inside, '')).not.toContain('ignore');
      // A failed call gives no result that could be cited.
      expect(sourcesOf(held.journal.facts())).toEqual([]);
    },
  );

  it('can read the rest of a long result without another call to the server', async () => {
    const makeReadOnCall = (id: unknown, from: unknown) => ({
      name: 'read_on',
      arguments: { id, from },
    });
    const { results, journal } = await runSeat('long', [
      SEARCH,
      makeReadOnCall('S-1', 501),
      makeReadOnCall('S-1', 99_999),
      makeReadOnCall('S-9', 1),
      makeReadOnCall('S-1', 'x'),
    ]);
    const [first = '', second = '', ...others] = results;
    expect(first.length).toBeLessThan(20_000);
    const next = /read_on with id: S-1, from: (\d+)\)/.exec(first)?.[1];
    expect(first).toContain(`\n${Number(next) - 1}: line ${Number(next) - 1} of a long page`);
    expect(second).toMatch(/from="S-1: read_on .*">\n501: line 501 of a long page/);
    expect(others).toEqual([
      expect.stringMatching(/^Refused: S-1 has lines 1 to \d+$/),
      'Refused: that is no id of a long result that you were shown',
      expect.stringMatching(/^Refused: S-1 has lines/),
    ]);
    const [source, ...more] = sourcesOf(journal.facts());
    expect(more).toEqual([]);
    expect(source?.text.length).toBeGreaterThan(150_000);
  });

  it('repeats no call that is recorded', async () => {
    const { journal } = await runSeat('well');
    const before = journal.facts().length;
    // The run is resumed with a tool server that returns only empty results (mode `nothing`). The recorded result
    // is used, and neither the tool server nor the model is asked.
    const again = await runSeat('nothing', [SEARCH], journal);
    expect(again.models.requests).toEqual([]);
    expect(journal.facts()).toHaveLength(before);
  });

  it('may make as many lookups as a seat that reads folders', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      name: 'search__search',
      arguments: { query: `queue ${at}` },
    }));
    const { models, journal } = await runSeat('well', many);
    expect(models.requests).toHaveLength(SHARE.turns);
    expect(sourcesOf(journal.facts())).toHaveLength(SHARE.turns - 1);
  });
});

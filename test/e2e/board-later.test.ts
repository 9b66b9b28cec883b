import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
/** Tests quorum, ablation and follow-ups with the real program, killed with -9 and resumed. */

import { describe, expect, it } from 'vitest';
import { boardOf } from '../../src/protocols/board/fold.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { type Fact, filterKnownFacts } from '../every-fact.ts';
import type { RecordedRequest } from '../servers/http.ts';
import { startOllama } from '../servers/index.ts';
import { makeVariedText } from '../servers/varied.ts';
import { runDeliberate } from './calls.ts';
import { Program } from './program.ts';
import {
  closeAfterTest,
  makeDatabaseCopier,
  makeDatabasePath,
  makeFolder,
  viewIn,
} from './scene.ts';

const LONG = Array.from(
  { length: 400 },
  (_, index) => `Sentence ${index} ${makeVariedText(1, index)}.`,
).join(' ');
const BALLOT = '\n\n## Ballot\n- **Position:** Wait.\n- **Option:** Wait\n- **Confidence:** 0.8';
const SYNTHESIS =
  '## Consensus\nAll.\n\n## Points of Agreement\nSome.\n\n## Points of Divergence\nFew.\n\n## Recommendation\nKeep';

function factsIn(file: string): Fact[] {
  const store = Store.open(file, FACTS);
  try {
    return filterKnownFacts(store.facts(store.find('latest')));
  } finally {
    store.close();
  }
}

const makeSeatFlags = (...models: string[]): string[] =>
  models.flatMap((model, index) => [
    '--seat',
    `${['advocate', 'critic', 'analyst'][index]}=ollama/${model}`,
  ]);

/** Kills the program as a power cut would. */
async function killProgram(program: Program): Promise<void> {
  program.child.kill('SIGKILL');
  await program.ended;
}

describe('a quorum (a number of answers that suffices)', () => {
  it('that was reached before kill -9 still counts after a resume: no seat is asked again', async () => {
    const server = closeAfterTest(
      await startOllama({
        models: ['quick', 'slow', 'chair'],
        tokensPerSecond: 100,
        answer: ({ model }) => (model === 'quick' ? `Yes.${BALLOT}` : LONG),
      }),
    );
    const db = makeDatabasePath();
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    const args = ['--quorum', '2/3', '--patience', '500ms', '--synthesizer', 'ollama/chair'];
    const first = new Program(
      ['board', '--plain', ...makeSeatFlags('quick', 'quick', 'slow'), ...args, 'Should we?'],
      { env },
    );
    await first.waitForStderr(/Quorum: 2 of 3 have answered \(2 required\); Analyst stopped/);
    await first.waitForStderr(/Synthesizer is asked/);
    // A request is recorded before it is sent, so wait until the server has it.
    await expect.poll(() => server.chats('chair').length).toBe(1);
    await killProgram(first);
    const resumed = new Program(['resume', 'latest', '--plain'], { env });
    await resumed.waitForStderr(/Synthesizer is asked/);
    await expect.poll(() => server.chats('chair').length).toBe(2);
    expect(server.chats('slow')).toHaveLength(1);
    expect(server.chats('quick')).toHaveLength(2);
    await killProgram(resumed);
    expect(boardOf(factsIn(db)).questions[0]?.quorum?.stopped).toEqual(['analyst']);
  });

  it('is named in the heading of the synthesis and in the report', async () => {
    const server = closeAfterTest(
      await startOllama({
        models: ['quick', 'slow'],
        tokensPerSecond: 100,
        answer: ({ model }) => (model === 'quick' ? SYNTHESIS : LONG),
      }),
    );
    const db = makeDatabasePath();
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    const args = ['--no-vote', '--quorum', '2', '--patience', '100ms'];
    const { code, out } = await runDeliberate(
      ['board', '--plain', ...makeSeatFlags('quick', 'quick', 'slow'), ...args, 'Should we?'],
      { env: { ...env } },
    );
    const heading = 'Synthesis v1 · 2 of 3 advisors · without Analyst (stopped at the quorum)';
    expect(out).toContain(`# ${heading}`);
    expect(code).toBe(0);
    expect((await runDeliberate(['show', 'latest'], { env })).out).toContain(`## ${heading}`);
  });
});

describe("a seat's time-out", () => {
  it('stops a silent seat while the other seats continue', async () => {
    const server = closeAfterTest(
      await startOllama({
        models: ['good', 'bad'],
        behaviours: { bad: 'stall-mid-stream' },
        answer: SYNTHESIS,
      }),
    );
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: makeDatabasePath() };
    const { code, out, err } = await runDeliberate(
      [
        ...['board', '--no-vote', '--plain', '--seat-timeout', '1500ms'],
        ...makeSeatFlags('good', 'bad'),
        'Should we?',
      ],
      { env },
    );
    expect(code).toBe(0);
    expect(err).toContain('Critic: No answer: not finished after 1.5 s, given up.');
    expect(out).toContain('without Critic (timed out)');
    expect(viewIn(env.DELIBERATE_DB).calls['seat/critic']?.text).not.toBe('');
  });
});

describe('after a board has ended', () => {
  /** Returns whether a request asks the chair for a synthesis, the only request to it without a schema. */
  const isSynthesis = ({ model, body }: RecordedRequest): boolean =>
    model === 'chair' && body?.format === undefined;

  /** Runs a board to its end, with a server that gives every synthesis a different recommendation. */
  async function runBoard() {
    let syntheses = 0;
    const server = closeAfterTest(
      await startOllama({
        models: ['a', 'b', 'c', 'chair'],
        tokensPerSecond: 100,
        answer: (request) => {
          if (request.model !== 'chair') return `The answer of this seat.${BALLOT}`;
          // The chair gets two kinds of requests with a JSON schema: to compare two syntheses, and to make the table
          // of positions. This answer suits both schemas, as each schema drops the fields that it does not have.
          if (!isSynthesis(request))
            return '{"change":"course","how":"It keeps another one.","points":[],"same":[]}';
          return `${SYNTHESIS} ${++syntheses}.`;
        },
      }),
    );
    const db = makeDatabasePath();
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    const seats = [...makeSeatFlags('a', 'b', 'c'), '--synthesizer', 'ollama/chair'];
    const { code, out } = await runDeliberate(['board', '--plain', ...seats, 'Should we?'], {
      env,
    });
    expect(code).toBe(0);
    expect(out).toContain('Vote before debate: 3 "Wait"');
    return { server, db, env };
  }

  it('a series of syntheses, each without the answer of one seat, continues after kill -9', async () => {
    const { server, db, env } = await runBoard();
    const advisors = server.chats().length;
    const ablate = ['resynthesize', 'latest', '--load-bearing', '--plain'];
    const first = new Program([...ablate, '--concurrency', '1'], { env });
    await first.waitForStderr(/Without \w+[^\n]*: course/);
    await killProgram(first);
    const recorded = viewIn(db).syntheses.length;
    expect(recorded).toBeGreaterThan(1);
    const { code, out } = await runDeliberate(['resume', 'latest', '--plain'], { env });
    expect(code).toBe(0);
    expect(out).toContain('chance alone changes it, so read the rest with care');
    const facts = factsIn(db);
    expect(viewIn(db).syntheses.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    expect(boardOf(facts).ablations[1]).toHaveLength(4);
    const asked = server.chats().slice(advisors);
    expect(asked.every(({ model }) => model === 'chair')).toBe(true);
    // Four syntheses are written, and at most the one that was being written at the kill is asked for twice.
    expect(asked.filter(isSynthesis).length).toBeLessThanOrEqual(4 + 1);
    const shown = await runDeliberate(['show', 'latest'], { env });
    expect(shown.out).toContain('### What v1 becomes without each seat');
  });

  it('a follow-up question continues after kill -9', async () => {
    const { server, db, env } = await runBoard();
    const first = new Program(
      ['ask', 'latest', '--plain', '--concurrency', '1', 'And if it fails?'],
      { env },
    );
    await first.waitForStderr(/ has answered/);
    await killProgram(first);
    const { code, out } = await runDeliberate(['resume', 'latest', '--plain'], { env });
    expect(code).toBe(0);
    expect(out).toContain('# Synthesis v2 · 3 of 3 advisors');
    const view = viewIn(db);
    for (const seat of ['advocate', 'critic', 'analyst'])
      expect(view.calls[`question-2/seat/${seat}`]?.state).toBe('done');
    const seats = server
      .chats()
      .filter(({ body }) => JSON.stringify(body).includes('And if it fails?'))
      .filter(({ model }) => model !== 'chair');
    // One of the three seats had answered before the kill, so at most the other two are asked twice.
    expect(seats.length).toBeLessThanOrEqual(3 + 2);
    const to = makeFolder();
    await runDeliberate(['export', 'latest', '--to', to], { env });
    const report = (await runDeliberate(['show', 'latest'], { env })).out;
    const places = ['# Should we?', '## Synthesis v1', '# Question 2: And if', '## Synthesis v2'];
    const found = places.map((text) => report.indexOf(text));
    expect(found).toEqual(found.toSorted((left, right) => left - right));
    expect(found).not.toContain(-1);
  });

  it('a seat can be asked again with another model', async () => {
    const { env, db } = await runBoard();
    const retry = ['retry', 'latest', '--plain', '--seat', 'critic=ollama/c'];
    const { code, err } = await runDeliberate(retry, { env });
    expect(code).toBe(0);
    expect(err).toContain('Critic now uses ollama/c');
    expect(viewIn(db).calls['seat/critic']).toMatchObject({ model: 'ollama/c', state: 'done' });
    expect(viewIn(db).syntheses).toHaveLength(1);
  });

  const rehearsed = makeDatabaseCopier((db) =>
    runDeliberate(['board', '--rehearse', '--rehearse-speed', '1000', 'Why?'], {
      env: { DELIBERATE_DB: db },
    }),
  );

  it.each([
    [['retry', 'latest'], 'no seat named'],
    [['retry', 'latest', '--seat', 'jester'], 'no such seat'],
    [['retry', 'latest', '--seat', 'critic=gpt'], 'no server that was reached has a model "gpt"'],
    [['ask', 'latest'], 'no question given'],
    [['ask'], 'no question'],
    [['resynthesize', 'latest', '--of', '1'], '--of requires --load-bearing'],
    [['resynthesize', 'latest', '--load-bearing', '--of', '7'], 'no such synthesis'],
    [['resynthesize', 'latest', '--load-bearing', '--note', 'x'], 'repeats the same synthesis'],
    [['board', '--rehearse', '--quorum', '4', 'Why?'], 'cannot be reached by 3 seats'],
    [['board', '--rehearse', '--quorum', '2/4', 'Why?'], 'the panel has 3 seats, not 4'],
    [['board', '--rehearse', '--patience', '9s', 'Why?'], '--patience requires --quorum'],
    [['board', '--rehearse', '--baseline', 'best', 'Why?'], '--baseline best: not understood'],
  ])('the command line %j is refused with the reason: %s', async (args, words) => {
    const { code, err } = await runDeliberate(args, { env: { DELIBERATE_DB: await rehearsed() } });
    expect(err).toContain(words);
    expect(code).toBe(2);
  });
});

it('a board without --quorum runs even if the configuration file sets patience', async () => {
  const env = {
    DELIBERATE_DB: makeDatabasePath(),
    DELIBERATE_CONFIG: join(makeFolder(), 'c.yaml'),
  };
  writeFileSync(env.DELIBERATE_CONFIG, 'patience: 30s\n');
  const board = ['board', '--rehearse', '--rehearse-speed', '1000', '--plain', 'Why?'];
  expect(await runDeliberate(board, { env })).toMatchObject({ code: 0 });
});

describe('a rehearsal', () => {
  it('compares a board with the simpler ways to answer that --baseline names, and invents a quotation only with the synthesizer rehearsal/invents', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const fast = ['--plain', '--rehearse-speed', '1000', '--seed', '4'];
    const { out, code } = await runDeliberate(
      ['board', '--rehearse', '--baseline', 'single,vote-3', ...fast, 'Should we split it?'],
      { env },
    );
    expect(code).toBe(0);
    expect(out.match(/vote before debate/gi)).toHaveLength(1);
    expect(out).toMatch(/^Vote before debate: \d "/m);
    expect(out).toMatch(/^Quotations: \d+ looked up, all found\.$/m);
    expect(out).not.toMatch(/Advisor [A-C]\b/);
    expect(out).toContain('## Who holds what (v1)');
    expect(out).toContain('## Baseline: vote');
    const [agreement] = Object.values(boardOf(factsIn(env.DELIBERATE_DB)).agreements);
    expect(agreement?.points.length).toBeGreaterThanOrEqual(3);
    expect(agreement?.dropped).toEqual([]);
    const invents = ['--seat', 'critic=rehearsal/panel', '--seat', 'analyst=rehearsal/panel'];
    await runDeliberate(
      ['board', ...invents, '--synthesizer', 'rehearsal/invents', ...fast, 'Should we split it?'],
      { env },
    );
    const [other] = Object.values(boardOf(factsIn(env.DELIBERATE_DB)).agreements);
    expect(other?.dropped).toHaveLength(1);
    const shown = (await runDeliberate(['show', 'latest'], { env })).out;
    expect(shown).toContain('1 entry was left out');
    expect(shown).toContain('“words that nobody at this table has ever said” [not found anywhere]');
    expect(shown).toMatch(/” \[said by (Critic, not by Analyst|Analyst, not by Critic)\]/);
    expect(shown).toMatch(
      /^- Quotations in synthesis v1: \d+ looked up, 1 not found anywhere, 1 said by somebody else\./m,
    );
  });
});

/**
 * Tests a deliberation without a console, and a live one: everything reads as a page, and shortened text is
 * marked.
 */
import { describe, expect, it } from 'vitest';
import { startOllama } from '../servers/index.ts';
import { makeVariedText } from '../servers/varied.ts';
import { runDeliberate } from './calls.ts';
import { answerRequest, PANEL_FLAGS, promptOf } from './deliberators.ts';
import { closeAfterTest, makeDatabasePath, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

const QUESTION = 'Should we split it?';
const REHEARSED = ['rounds', '--rehearse', '--rehearse-speed', '1000', '--rounds', '2', '--plain'];

/** Returns the lines with this beginning, in order. */
function linesWith(text: string, beginning: RegExp): string[] {
  return text.split('\n').filter((line) => beginning.test(line));
}

describe('a rehearsed run of rounds without a console', () => {
  it('prints every kind of record, and no JSON', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const { out, code } = await runDeliberate([...REHEARSED, '--seed', '5', QUESTION], { env });
    expect(code).toBe(0);
    expect(out).not.toMatch(/\{\s*"|"\s*:/);
    expect(linesWith(out, /^# /)).toEqual([
      ...[1, 2].flatMap((round) => [
        `# Round ${round} · A opening`,
        `# Round ${round} · B proposal`,
        `# Round ${round} · C supplements`,
        `# Round ${round} · D artifacts`,
        `# Round ${round} · E checks`,
        `# Round ${round} · F claims`,
        `# Round ${round} · G decisions`,
      ]),
      '# After round 2 · synthesis',
      '# Synthesis v1 · 4 of 4 roles',
    ]);
    const [, artifacts = ''] = out.split('# Round 1 · D artifacts');
    const pieces = artifacts.split('# Round 1 · E checks')[0] ?? '';
    expect(linesWith(pieces, /^## /)).toEqual(
      ['Action', 'Guardian', 'Observer', 'Critic'].map((name) => `## ${name} (rehearsal/panel)`),
    );
    expect(linesWith(pieces, /^#### (Trace 1 steps|Invariant|Persona|Hypothesis)$/)).toHaveLength(
      4,
    );
    expect(linesWith(out, /^V-1-\d · /)).toEqual([
      expect.stringMatching(
        /^V-1-1 · attack against the trace · (plan BROKEN|plan ROBUST|UNCLEAR): \S/,
      ),
      expect.stringMatching(/^V-1-2 · invariant against the walkthrough · (plan )?[A-Z]+: \S/),
      expect.stringMatching(/^V-1-3 · friction against the attack · (plan )?[A-Z]+: \S/),
      'V-1-4 · artifacts against earlier decisions · N/A: there is no decision yet',
    ]);
    expect(linesWith(out, /^C-1-1 · Action: \S/)).toHaveLength(1);
    expect(linesWith(out, /^C-\d-\d · open → [a-z, ]+ by V-\d-\d: \S/).length).toBeGreaterThan(0);
    expect(linesWith(out, /^D-1-1 · \S.*\(cites [CVD]-/)).toHaveLength(1);
    expect(
      linesWith(out, /^After round [12]: \d of 6 signals (?:is|are) satisfied\. /),
    ).toHaveLength(2);
  });

  it('prints the same lines when repeated with the same seed at another speed', async () => {
    const texts = await Promise.all(
      ['1000', '40'].map(async (speed) => {
        const args = [
          'rounds',
          '--rehearse',
          '--rehearse-speed',
          speed,
          '--rounds',
          '1',
          '--plain',
        ];
        const { out } = await runDeliberate([...args, '--seed', '3', QUESTION], {
          env: { DELIBERATE_DB: makeDatabasePath() },
        });
        return out;
      }),
    );
    expect(texts[1]).toBe(texts[0]);
  });
});

describe('a seat that streams a text of 8,000 tokens without an end', () => {
  it('is cut off, and the run continues without its text', async () => {
    const endless = `{"title": "An attack", "target": "${makeVariedText(5_700)}`;
    const isAttack = (text: string): boolean => /Hand in your Adversarial/.test(text);
    const server = closeAfterTest(
      await startOllama({
        models: ['a', 'b', 'c'],
        answer: (request) => (isAttack(promptOf(request)) ? endless : answerRequest(request)),
      }),
    );
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: makeDatabasePath() };
    const args = ['rounds', ...PANEL_FLAGS, '--rounds', '1', '--stop-at', 'never', '--plain'];
    const { out, err, code } = await runDeliberate([...args, QUESTION], { env });
    expect(code).toBe(0);
    const cut = 'the answer did not finish and was cut after about 8,000 tokens';
    expect(out).toContain(cut);
    expect(out).not.toContain('{"');
    expect(err).toContain(`Critic: No answer: ollama: ${cut}`);
    expect(err).toContain('Critic: note: cut before its end: what there is of it is not used');
    expect(out).toMatch(/^V-1-1 · .* · N\/A: the critic handed nothing in$/m);
    expect(out).toMatch(/^# Synthesis v1/m);
    // The seat is asked once, because a text that does not end would not end the second time either.
    expect(server.chats().filter((request) => isAttack(promptOf(request)))).toHaveLength(1);
    const [cutOff] = Object.values(viewIn(env.DELIBERATE_DB).calls).filter(
      ({ step }) => step === 'round-1/D/critic',
    );
    expect(cutOff).toMatchObject({ state: 'failed', code: 'truncated' });
    expect(cutOff?.notes).toContain('cut before its end: what there is of it is not used');
    expect((await runDeliberate(['show', 'latest'], { env })).out.replaceAll('\\', '')).toContain(
      cut,
    );
  });
});

describe('a phase with structured output in the console', () => {
  it('is shown as formatted text while it is written', async () => {
    const server = closeAfterTest(
      await startOllama({
        models: ['a', 'b', 'c'],
        answer: answerRequest,
        tokensPerSecond: 40,
      }),
    );
    const terminal = new Terminal(
      ['rounds', ...PANEL_FLAGS, '--preset', 'software-review', '--rounds', '1', QUESTION],
      { env: { OLLAMA_HOST: server.url, DELIBERATE_DB: makeDatabasePath() } },
    );
    // The console shows a heading, made from JSON, while the answers that contain the JSON are still arriving.
    const live = await terminal.until(/Trace 1 initial state/);
    expect(live).toMatch(/D Artifacts · 4 calls/);
    expect(live).toContain('4 calls are running');
    expect(live).not.toMatch(/\{"|"\s*:|initial_state|state_delta/);
    terminal.press('s');
    await terminal.until(/■ stopped/);
    expect(await terminal.screen()).not.toMatch(/\{"|initial_state/);
    terminal.press('q');
    expect(await terminal.exited).toBe(130);
  });
});

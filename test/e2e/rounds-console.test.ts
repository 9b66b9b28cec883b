/**
 * Tests a deliberation in the console: three models over loopback, every tab, a stop, and a synthesis by
 * hand.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type OllamaServer, startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { answerRequest, PANEL_FLAGS, promptOf } from './deliberators.ts';
import { closeAfterTest, makeDatabasePath, makeFolder, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

describe('rounds in the console', () => {
  it('show the records in tabs during the run, and can be synthesized after a stop', async () => {
    const models = ['a', 'b', 'c'];
    let server: OllamaServer | undefined;
    server = closeAfterTest(
      await startOllama({
        models,
        // Once round 1 is over, let every model stall, so that round 2 lasts until the test stops it.
        answer: (request) => {
          if (/Round 1, led by/.test(promptOf(request)))
            for (const model of models) server?.setBehaviour(model, 'stall-mid-stream');
          return answerRequest(request);
        },
      }),
    );
    const db = makeDatabasePath();
    const terminal = new Terminal(
      [
        'rounds',
        ...PANEL_FLAGS,
        '--preset',
        'software-review',
        '--seed',
        '7',
        '--no-predict',
        '--stop-at',
        'never',
        'Should we split it?',
      ],
      { env: { OLLAMA_HOST: server.url, DELIBERATE_DB: db } },
    );
    await terminal.until(/2 Rounds/);
    await terminal.until(/✓ Round 1/);
    terminal.press('3');
    await terminal.until(/C-1-1/);
    terminal.press('\r');
    await terminal.until(/raised by the/);
    terminal.press('\u007f');
    await terminal.until((screen) => !screen.includes('raised by the'));
    terminal.press('4');
    await terminal.until(/refutation-rate[\s\S]*pending-claims/);
    terminal.press('5');
    await terminal.until(/round-2/);
    terminal.press('6');
    await terminal.until(/step\.completed/);
    terminal.press('2');
    await terminal.until(/✓ Round 1/);
    terminal.press('i');
    await terminal.until(/Note for the/);
    terminal.press('Think of the night shift.\r');
    await terminal.until(/will see it/);
    terminal.press('s');
    await terminal.until(/■ stopped/);
    const chats = server.chats().length;
    for (const model of models) server.setBehaviour(model, 'ok');
    terminal.press('r');
    await terminal.until(/Another synthesis/);
    terminal.press('\r');
    await terminal.until(/✓ done/);
    expect(server.chats()).toHaveLength(chats + 1);
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
    expect(terminal.alternate).toBe(false);
    expect(viewIn(db).syntheses).toHaveLength(1);
  });
});

describe('the export dialog of rounds', () => {
  it('writes the report, the records, the claims or the whole run, each with a key of its own', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const rehearsed = ['rounds', '--rehearse', '--rehearse-speed', '10000', '--rounds', '1'];
    await runDeliberate([...rehearsed, '--yes', '--plain', '--quiet', 'Why?'], { env });
    const cwd = makeFolder();
    const terminal = new Terminal(['open', 'latest'], { columns: 100, rows: 30, env, cwd });
    await terminal.until(/quit/);
    for (const key of ['m', 'r', 'c', 'w']) {
      terminal.press('e');
      await terminal.until(/Records +a folder/);
      terminal.press(key);
      await terminal.until(/Exported to/);
    }
    const written = readdirSync(cwd).sort();
    const id = written[0] ?? '';
    expect(written).toEqual([id, `${id}-claims.jsonl`, `${id}.json`, `${id}.md`]);
    const claims = readFileSync(join(cwd, `${id}-claims.jsonl`), 'utf8');
    expect(claims).toBe(readFileSync(join(cwd, id, 'state/claims.jsonl'), 'utf8'));
    expect(claims).toMatch(/^\{"id":"C-1-1"/);
    terminal.press('q');
    await terminal.exited;
  });
});

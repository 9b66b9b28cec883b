/** A deliberation in the console: three models over loopback, every tab, stop, and a synthesis by hand. */
import { describe, expect, it } from 'vitest';
import { startOllama } from '../servers/index.ts';
import { deliberate, PANEL } from './deliberators.ts';
import { database, serve, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

describe('rounds in the console', () => {
  it('shows rounds, claims, signals, tree and log while it goes on, and keeps what a stop leaves', async () => {
    const server = serve(
      await startOllama({ models: ['a', 'b', 'c'], tokensPerSecond: 600, answer: deliberate }),
    );
    const db = database();
    const terminal = new Terminal(
      [
        'rounds',
        ...PANEL,
        '--preset',
        'software-review',
        '--seed',
        '7',
        '--stop-at',
        'never',
        'Should we split it?',
      ],
      { env: { OLLAMA_HOST: server.url, DELIBERATE_DB: db } },
    );
    await terminal.until(/2 Rounds/);
    await terminal.until(/✓ Round 1/, 20_000);
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
    await terminal.until(/✓ Round 2/, 20_000);
    terminal.press('i');
    await terminal.until(/A note to/);
    terminal.press('Think of the night shift.\r');
    await terminal.until(/will see it/);
    terminal.press('s');
    await terminal.until(/■ stopped/);
    const chats = server.chats().length;
    terminal.press('r');
    await terminal.until(/Another synthesis/);
    terminal.press('\r');
    await terminal.until(/✓ done/, 20_000);
    expect(server.chats()).toHaveLength(chats + 1);
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
    expect(terminal.alternate).toBe(false);
    expect(viewIn(db).syntheses).toHaveLength(1);
  }, 90_000);
});

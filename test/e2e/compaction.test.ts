/**
 * Tests that answers too long for the synthesizer's window are shortened with a note, and never cut
 * silently.
 */
import { expect, it } from 'vitest';
import { startOllama, startOpenAI } from '../servers/index.ts';
import { makeVariedText } from '../servers/varied.ts';
import { promptOf } from './deliberators.ts';
import { runProgram } from './program.ts';
import { closeAfterTest, makeDatabasePath, viewIn } from './scene.ts';

/** About 2,400 words for each seat; three such answers do not fit the synthesizer's window. */
const LONG = Array.from(
  { length: 240 },
  (_, at) => `Paragraph ${at} says that ${makeVariedText(8, at * 8)}holds up.\n\n`,
).join('');

it('the synthesis says which answers were shortened, and by how many words', async () => {
  const panel = closeAfterTest(
    await startOpenAI({ models: ['big'], answer: `FIRST ${LONG} LAST` }),
  );
  const chair = closeAfterTest(
    await startOllama({
      models: ['small'],
      contextLength: 8_192,
      answer:
        '## Consensus\nA.\n## Points of Agreement\nB.\n## Points of Divergence\nC.\n## Recommendation\nD.',
    }),
  );
  const db = makeDatabasePath();
  const { code, out } = await runProgram(
    ['board', '--no-vote', '--model', 'openai/big', '--synthesizer', 'ollama/small', 'Should we?'],
    { env: { OLLAMA_HOST: chair.url, OPENAI_BASE_URL: `${panel.url}/v1`, DELIBERATE_DB: db } },
  );
  expect(code).toBe(0);
  // Only one request reached the chair: a request with the whole answers was too long and was not sent.
  expect(chair.chats()).toHaveLength(1);
  const [asked] = chair.chats();
  const prompt = asked === undefined ? '' : promptOf(asked);
  expect(prompt.match(/\[… [\d,]+ words left out …\]/g)).toHaveLength(3);
  expect(prompt.match(/FIRST/g)).toHaveLength(3);
  expect(prompt.match(/LAST/g)).toHaveLength(3);
  const [synthesis] = viewIn(db).syntheses;
  expect(synthesis?.compacted?.map(({ seat }) => seat).sort()).toEqual([
    'advocate',
    'analyst',
    'critic',
  ]);
  expect(out).toMatch(/# Synthesis v1 .*shortened to fit: .*Critic by \d+ words/);
  const shown = await runProgram(['show', 'latest'], { env: { DELIBERATE_DB: db } });
  expect(shown.out).toMatch(/shortened to fit: .*Critic by \d+ words/);
  // Answers are shortened in prompts only: the log has them whole.
  expect(viewIn(db).calls['seat/critic']?.text).toContain('Paragraph 120 ');
});

/**
 * A run in a console that is killed when its first request arrives. The console's first frame is drawn at about
 * that time, so the kill comes before or after it.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startOllama } from '../servers/index.ts';
import { answerAnyRequest } from './any-deliberator.ts';
import { runDeliberate } from './calls.ts';
import { closeAfterTest, makeFolder, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

it('a run can be resumed if its console was killed when a model got its first request', async () => {
  let kill = (): void => undefined;
  const server = closeAfterTest(
    await startOllama({
      models: ['a'],
      answer: (request) => {
        kill();
        return answerAnyRequest(request);
      },
    }),
  );
  const cwd = makeFolder();
  const db = join(cwd, 'runs.db');
  const env = { DELIBERATE_DB: db, HOME: cwd, OLLAMA_HOST: server.url };
  const terminal = new Terminal(['board', '--model', 'ollama/a', 'Split the monolith?'], {
    cwd,
    env,
  });
  kill = () => terminal.process.kill('SIGKILL');
  await terminal.exited;
  kill = () => undefined;
  expect(viewIn(db)).toMatchObject({ question: 'Split the monolith?', syntheses: [] });

  const resumed = await runDeliberate(['resume', 'latest', '--plain'], { cwd, env });
  expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('Analyst has answered')]);
  expect(viewIn(db).syntheses).toHaveLength(1);
});

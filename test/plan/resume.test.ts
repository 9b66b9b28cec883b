/**
 * Tests that a killed plan goes on as if it had not been killed, and that a fork differs from one step on.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeAfterTest } from '../e2e/scene.ts';
import { type RecordedRequest, startOllama } from '../servers/index.ts';
import { SOURCE_FILE } from './harness.ts';
import {
  findFormName,
  House,
  makeShortAnswer,
  messagesOf,
  REHEARSE,
  SPEC,
  TOPIC_FILE,
} from './house.ts';

const MODELS = ['--model', 'ollama/alpha', '--seat', 'security=ollama/beta'];
/** The schemas by which the finished spec is read again. */
const READS = ['carried', 'contradictions'];
const listForms = (chats: readonly RecordedRequest[]) => chats.map(findFormName).sort();

describe('a plan that was killed in its first round', () => {
  it('continues with the same prompts and repeats no answered call', async () => {
    const house = new House();
    const server = closeAfterTest(
      await startOllama({ models: ['alpha', 'beta', 'other'], answer: makeShortAnswer }),
    );
    const env = { OLLAMA_HOST: server.url };
    // In this plan, the model `beta` answers its first call, which asks what its seat has to know, and never
    // its second.
    server.setBehaviour('beta', ['ok', 'stall-before-headers']);
    const killed = house.start(['plan', TOPIC_FILE, '--plain', '--seed', '7', ...MODELS], env);
    await server.waitForChat(5);
    await expect
      .poll(() => killed.err)
      .toMatch(/ux people has answered[\s\S]*ux people has answered/);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const before = [...server.chats()];
    expect(listForms(before)).toEqual([
      'queries',
      'questions',
      'questions',
      'statements',
      'statements',
    ]);
    const [asked] = server.chats('beta').filter((chat) => findFormName(chat) === 'statements');

    house.write('docs/security.md', '---\nclusters: [security]\n---\n# Sessions\n\nNever ends.\n');
    rmSync(join(house.folder, 'docs/ux.md'));
    house.write(SOURCE_FILE, 'export const LENGTH = 1;\n');
    house.commit();
    const indexed = await house.runHere(['context', 'add', 'docs']);
    expect(indexed).toMatchObject({ code: 0 });
    server.setBehaviour('beta', 'ok');
    const { code } = await house.run(['resume', 'latest', '--plain', '--yes'], env);
    expect(code).toBe(0);
    const written = await house.runHere(['plan', '--write', 'latest', '--yes']);
    expect(written).toMatchObject({ code: 0 });
    expect(house.read(SPEC)).toContain('[security-1]');

    const after = server.chats().slice(before.length);
    const looks = ['controls', 'conflicts', ...READS];
    expect(listForms(after).filter((form) => !looks.includes(form))).toEqual([
      'goal',
      'statements',
    ]);
    const again = after.find((chat) => findFormName(chat) === 'statements');
    expect(again?.model).toBe('beta');
    expect(messagesOf(again as RecordedRequest)).toBe(messagesOf(asked as RecordedRequest));
    expect(messagesOf(again as RecordedRequest)).toContain('fifteen minutes');
  });
});

it('a fork that changes the chair’s model at a plan’s last step repeats only the writing and its check', async () => {
  const house = new House();
  const server = closeAfterTest(
    await startOllama({ models: ['alpha', 'beta', 'other'], answer: makeShortAnswer }),
  );
  const env = { OLLAMA_HOST: server.url };
  await house.runHere(['plan', TOPIC_FILE, '--plain', '--seed', '7', ...MODELS], env);
  const before = server.chats().length;
  const forked = await house.runHere(
    ['fork', 'latest', '--at', 'synthesis', '--set', 'seat.chair.model=ollama/other', '--plain'],
    env,
  );
  expect(forked).toMatchObject({ code: 0 });
  const after = server.chats().slice(before);
  const asked = after.filter((chat) => !READS.includes(findFormName(chat)));
  expect(asked.map((chat) => [chat.model, findFormName(chat)])).toEqual([['other', 'goal']]);
});

it('a finished plan cannot be resumed, and the error names the command that writes its files', async () => {
  const house = new House();
  await house.runHere(['plan', TOPIC_FILE, ...REHEARSE]);
  const resumed = await house.runHere(['resume', 'latest', '--plain']);
  expect(resumed.code).not.toBe(0);
  expect(resumed.err).toMatch(/its plan is written\nWrite its files: deliberate plan --write/);
});

/**
 * Promise: a model gets the text that a person would read, whoever wrote the text and however it comes to
 * the model.
 */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startAnthropic, startOllama, startOpenAI } from '../servers/index.ts';
import { callModel, makeUserMessage, modelsFor } from './ask.ts';

/** A brief, a question, a description, as a stranger's file may have them. */
const HIDDEN =
  'Should \u200bwe\u202e split\ufe01 it\u{e0041}?\u001b]52;c;cm0=\u0007\u001b[8m Say ❤\ufe0f, क्\u200dष, 👩\u200d💻.\u3164\u2028Why?\u0000';
const READ = 'Should we split it? Say ❤\ufe0f, क्\u200dष, 👩\u200d💻.\nWhy?';

const SERVERS = [
  ['ollama', startOllama],
  ['anthropic', startAnthropic],
  ['openai', startOpenAI],
] as const;

describe.each(SERVERS)('a request to %s', (name, start) => {
  test('contains the system prompt and all messages without their invisible characters', async () => {
    const server = await start({ models: ['m'] });
    await callModel(modelsFor({ [name]: server }), `${name}/m`, {
      seat: { brief: HIDDEN },
      messages: [
        makeUserMessage(HIDDEN, true),
        { role: 'assistant', parts: [{ text: HIDDEN }] },
        makeUserMessage(HIDDEN),
      ],
    });
    await server.close();
    const sent = JSON.stringify(server.chats()[0]?.body);
    expect(sent.split(JSON.stringify(READ).slice(1, -1))).toHaveLength(5);
    expect(sent).not.toMatch(/\u200b|\u202e|\ufe01|\u3164|\u2028|\u{e0041}|\\u0000|\\u001b|cm0=/u);
  });
});

test('a request to correct an invalid answer quotes that answer without its invisible characters', async () => {
  const server = await startOllama({ models: ['m'], answer: 'I \u200bcannot\u001b[8m.' });
  const schema = z.object({ verdict: z.string() });
  await callModel(modelsFor({ ollama: server }), 'ollama/m', { schema });
  await server.close();
  const [, second] = server.chats();
  expect(JSON.stringify(second?.body)).toContain('I cannot.');
});

// This program runs the same six seats and a synthesis with the AI SDK.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';
import { holdBoard } from './stream.mjs';

const [url, ...models] = process.argv.slice(2);
const server = createOpenAICompatible({ name: 'local', baseURL: url });

async function ask(model, prompt) {
  let text = '';
  for await (const piece of streamText({ model: server(model), prompt, maxRetries: 0 }).textStream)
    text += piece;
  return text;
}

console.log((await holdBoard(models, ask)).at(-1));

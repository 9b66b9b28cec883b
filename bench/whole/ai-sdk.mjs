// The same six seats and a synthesis with the AI SDK.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

const [url, ...models] = process.argv.slice(2);
const server = createOpenAICompatible({ name: 'local', baseURL: url });

async function ask(model, prompt) {
  let text = '';
  for await (const piece of streamText({ model: server(model), prompt, maxRetries: 0 }).textStream)
    text += piece;
  return text;
}

const answers = await Promise.all(
  models.map((model) => ask(model, 'Should we split the monolith?')),
);
console.log(await ask(models[0], `You chair this board.\n${answers.join('\n')}`));

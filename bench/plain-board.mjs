// The program to compare with: six seats and a synthesis with an Ollama server, and nothing else.
import { holdBoard, linesOf } from './whole/stream.mjs';

const [url, ...models] = process.argv.slice(2);

async function ask(model, content) {
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content }] }),
  });
  let text = '';
  for await (const line of linesOf(response)) text += JSON.parse(line).message?.content ?? '';
  return text;
}

const started = performance.now();
for (const text of await holdBoard(models, ask)) console.log(text);
console.error(Math.round(performance.now() - started));

// The program to compare with: six seats and a synthesis by chat completions, and nothing else.
import { holdBoard, linesOf } from './stream.mjs';

const [url, ...models] = process.argv.slice(2);

async function ask(model, content) {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content }] }),
  });
  let text = '';
  for await (const line of linesOf(response))
    if (line.startsWith('data: {'))
      text += JSON.parse(line.slice(6)).choices[0].delta.content ?? '';
  return text;
}

console.log((await holdBoard(models, ask)).at(-1));

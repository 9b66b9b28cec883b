// The plain program: sends a board's recorded requests, all except the last at once, then the last, and
// prints the answers.
import { readFileSync } from 'node:fs';

const [url, file] = process.argv.slice(2);
const requests = JSON.parse(readFileSync(file, 'utf8'));

async function send({ path, headers, body }) {
  const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of reply.body) text += decoder.decode(bytes, { stream: true });
  return text;
}

const last = requests.pop();
for (const text of await Promise.all(requests.map(send))) console.log(text.length);
console.log((await send(last)).length);

// The yardstick: six seats and a synthesis against an Ollama server, with nothing around them.
const [url, ...models] = process.argv.slice(2);

async function ask(model, content) {
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content }] }),
  });
  const decoder = new TextDecoder();
  let text = '';
  let rest = '';
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line) text += JSON.parse(line).message?.content ?? '';
  }
  return text;
}

const started = performance.now();
const answers = await Promise.all(
  models.map((model) => ask(model, 'Should we split the monolith?')),
);
const synthesis = await ask(models[0], `You chair this board.\n${answers.join('\n')}`);
for (const text of [...answers, synthesis]) console.log(text);
console.error(Math.round(performance.now() - started));

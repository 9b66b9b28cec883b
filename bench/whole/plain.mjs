// The yardstick: six seats and a synthesis by chat completions, with nothing around them.
const [url, ...models] = process.argv.slice(2);

async function ask(model, content) {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content }] }),
  });
  const decoder = new TextDecoder();
  let text = '';
  let rest = '';
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines)
      if (line.startsWith('data: {'))
        text += JSON.parse(line.slice(6)).choices[0].delta.content ?? '';
  }
  return text;
}

const answers = await Promise.all(
  models.map((model) => ask(model, 'Should we split the monolith?')),
);
console.log(await ask(models[0], `You chair this board.\n${answers.join('\n')}`));

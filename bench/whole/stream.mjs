// What the plain programs share: one request, and the texts of the events that are streamed back.

/** Yields the complete lines of a response's body as they come, without those that are empty. */
export async function* linesOf({ body }) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line) yield line;
  }
}

/** Asks every model side by side, then the first one about their answers. Returns all answers, the last one last. */
export async function holdBoard(models, ask) {
  const answers = await Promise.all(
    models.map((model) => ask(model, 'Should we split the monolith?')),
  );
  return [...answers, await ask(models[0], `You chair this board.\n${answers.join('\n')}`)];
}

// The plain programs share this file: it reads streamed lines, and asks the models of a board.

/** Yields the complete, non-empty lines of a response's body as they arrive. */
export async function* linesOf({ body }) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line) yield line;
  }
}

/**
 * Asks all models concurrently, then the first model about the answers. Returns all answers in this order.
 */
export async function holdBoard(models, ask) {
  const answers = await Promise.all(
    models.map((model) => ask(model, 'Should we split the monolith?')),
  );
  return [...answers, await ask(models[0], `You chair this board.\n${answers.join('\n')}`)];
}

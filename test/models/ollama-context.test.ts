/** Tests the size of the context that Ollama is asked for. */
import { expect, test } from 'vitest';
import { LEAST_CONTEXT, OllamaContexts } from '../../src/models/providers/ollama-context.ts';

test('a model’s context does not shrink if another call has raised it further meanwhile', () => {
  const contexts = new OllamaContexts();
  const request = { model: 'm', maxTokens: undefined, room: undefined };
  const window = 131_072;
  const first = contexts.sizeFor(request, 100, window);
  expect(first).toBe(LEAST_CONTEXT);
  const raised = contexts.sizeFor(request, 30_000, window) ?? 0;
  expect(raised).toBeGreaterThan(2 * LEAST_CONTEXT);
  // The first call fills its context of `LEAST_CONTEXT` tokens. The model's context stays as large as the second
  // call has made it.
  expect(contexts.grow('m', LEAST_CONTEXT, first, window)).toBe(true);
  expect(contexts.sizeFor(request, 100, window)).toBe(raised);
});

/** Context windows in a server's list of models, under the names that servers have for them. */
import { isRecord } from '../../text/is-record.ts';
import { readCount } from '../counted.ts';

/** Anthropic, OpenRouter, vLLM, Groq, LM Studio, in this order. */
const WINDOW_FIELDS = [
  'max_input_tokens',
  'context_length',
  'max_model_len',
  'context_window',
  'loaded_context_length',
  'max_context_length',
] as const;

/** Returns the tokens that a model of a list holds; undefined where the list does not say. */
export function windowIn(model: unknown): number | undefined {
  if (!isRecord(model)) return undefined;
  const fields = WINDOW_FIELDS.map((field) => readCount(model[field]));
  // llama-server: the context of one slot. `n_ctx_train` beside it is what the model was trained with.
  const slot = isRecord(model.meta) ? readCount(model.meta.n_ctx) : 0;
  return [...fields, slot].find((tokens) => tokens > 0);
}

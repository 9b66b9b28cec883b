/** Reads context windows from a server's list of models, where each kind of server has its own field. */
import { isRecord } from '../../text/json.ts';
import { readCount } from '../counted.ts';

/** The fields of Anthropic, OpenRouter, vLLM, Groq and LM Studio, in this order. */
const WINDOW_FIELDS = [
  'max_input_tokens',
  'context_length',
  'max_model_len',
  'context_window',
  'loaded_context_length',
  'max_context_length',
] as const;

/**
 * Returns the context window in tokens that a server states for a model; undefined if it states none.
 *
 * @param model the model's entry in the server's list of models, as received
 */
export function readWindow(model: unknown): number | undefined {
  if (!isRecord(model)) return undefined;
  const fields = WINDOW_FIELDS.map((field) => readCount(model[field]));
  // Read `n_ctx`, the context that llama-server gives to one request (a slot). `n_ctx_train` beside it is the
  // context of the training, which may be larger.
  const slot = isRecord(model.meta) ? readCount(model.meta.n_ctx) : 0;
  return [...fields, slot].find((tokens) => tokens > 0);
}

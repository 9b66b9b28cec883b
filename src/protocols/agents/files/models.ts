/**
 * Determines an agent's model from what its file says. Files are also written for other tools, in which names
 * such as `sonnet` and `inherit` have a meaning.
 * - PROVIDER/MODEL is used unchanged.
 * - `opus`, `sonnet`, `haiku`: that family at Anthropic, if there is a key for it.
 * - `claude-…` and `gpt-…`: that model at Anthropic or OpenAI, if there is a key; with a tag, as in `qwen3:8b`,
 * at Ollama.
 * - `inherit`, nothing, and everything else: the common model from `--model` or the configuration, or else the
 * first that is found.
 * `--model` overrides everything except PROVIDER/MODEL.
 */

import type { Env } from '../../../io/surroundings.ts';
import { entryOf } from '../../../kernel/entry.ts';
import type { ModelSpec } from '../../../kernel/model.ts';
import { VARIABLES } from '../../../kernel/providers/names.ts';
import { isSpec } from '../../../kernel/providers/spec.ts';

const FAMILIES: ReadonlyMap<string, ModelSpec> = new Map([
  ['opus', 'anthropic/claude-opus-5-5'],
  ['sonnet', 'anthropic/claude-sonnet-5-5'],
  ['haiku', 'anthropic/claude-haiku-5-5'],
]);

interface Around {
  readonly rehearse: boolean;
  /** Whether the common model was named on the command line. */
  readonly override: boolean;
  readonly env: Env;
}

/**
 * Returns the model that an agent uses, and a note if the model in the agent's file is not used because it is unknown
 * or its provider's key is not set. If the returned `model` is undefined, the caller uses the first model that it
 * finds. In a rehearsal, the file counts only if it names a model of the provider `rehearsal`.
 * @param written the model as the agent's file names it
 * @param forAll the model for all agents, from `--model` or the configuration. Given by `--model` (`override`), it
 * replaces names such as `sonnet` in files, but not whole names such as `ollama/qwen3:8b`.
 */
export function resolveModel(
  written: string | undefined,
  forAll: ModelSpec | undefined,
  { rehearse, override, env }: Around,
): { model?: ModelSpec | undefined; note?: string } {
  if (rehearse) {
    const acts = written?.startsWith('rehearsal/') ? written : undefined;
    return { model: acts ?? forAll };
  }
  if (written !== undefined && isSpec(written)) return { model: written };
  if (override || written === undefined || /^(inherit|default)$/i.test(written))
    return { model: forAll };
  const meant = FAMILIES.get(written.toLowerCase()) ?? guessModel(written);
  const { needsKey, secrets } =
    entryOf(VARIABLES, meant?.split('/')[0] ?? '') ?? VARIABLES.rehearsal;
  if (meant !== undefined && (!needsKey || secrets.some((key) => env[key])))
    return { model: meant };
  const fallback = forAll ?? 'the first model found';
  return {
    model: forAll,
    note:
      meant === undefined
        ? `unknown model "${written}": using ${fallback} instead`
        : `model "${written}" means ${meant}, but ${secrets.join(' or ')} is not set: using ${fallback} instead`,
  };
}

function guessModel(written: string): ModelSpec | undefined {
  if (/^claude-/.test(written)) return `anthropic/${written}`;
  if (/^(gpt-|o\d)/.test(written)) return `openai/${written}`;
  return /^[\w.-]+:[\w.-]+$/.test(written) ? `ollama/${written}` : undefined;
}

/**
 * From what agent files say of their model to one that can be asked. They are written for other tools
 * as well, with names that mean something there: `sonnet`, `inherit`.
 *
 * - PROVIDER/MODEL stays as it is.
 * - `opus`, `sonnet`, `haiku`: that family at Anthropic, where there is a key for it.
 * - `claude-…` and `gpt-…`: that model at Anthropic or OpenAI, where there is a key; with a tag, as in
 *   `qwen3:8b`, at Ollama.
 * - `inherit`, nothing, and everything else: the model for all, which `--model` or the configuration
 *   name, or the first that is found.
 *
 * `--model` goes before all but PROVIDER/MODEL.
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
  /** The model for all was named on the command line. */
  readonly override: boolean;
  readonly env: Env;
}

/** `model` is absent where the first that is found is to be taken; `note` says what was not followed. */
export function modelOf(
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
  const who = forAll ?? 'the first model found';
  return {
    model: forAll,
    note:
      meant === undefined
        ? `unknown model "${written}": using ${who} instead`
        : `model "${written}" means ${meant}, but ${secrets.join(' or ')} is not set: using ${who} instead`,
  };
}

function guessModel(written: string): ModelSpec | undefined {
  if (/^claude-/.test(written)) return `anthropic/${written}`;
  if (/^(gpt-|o\d)/.test(written)) return `openai/${written}`;
  return /^[\w.-]+:[\w.-]+$/.test(written) ? `ollama/${written}` : undefined;
}

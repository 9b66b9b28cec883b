/**
 * Finds the models among flags. Every start of the program loads this file, so it loads nothing slow;
 * `model-names.ts` looks models up.
 */
import { isBuiltIn } from '../../kernel/providers/names.ts';
import type { Flags } from '../flags.ts';

/** The forms of `--seat` and `--set` that name a model: the text before it, and the model. */
const SEAT = /^([^=]*=\s*)(.*)$/s;
const SET = /^((?:seat\..+?\.model|synthesizer|verifier)\s*=\s*)(.*)$/s;

/**
 * Returns a copy of the flags in which each model of `--model`, `--seat`, `--synthesizer`, `--verifier`,
 * `--baseline-model` and `--set` is replaced by the result of `replace`.
 *
 * @param command the command's name: only `fork` names models in `--set`
 */
export function mapModels(
  flags: Flags,
  command: string,
  replace: (model: string) => string,
): Flags {
  const replaceModel = (model: string | undefined): string | undefined =>
    model === undefined ? undefined : replace(model);
  const replaceInTexts = (texts: readonly string[], form: RegExp): string[] =>
    texts.map((text) =>
      text.replace(form, (_all, before: string, model: string) => before + replace(model)),
    );
  return {
    ...flags,
    model: replaceModel(flags.model),
    synthesizer: replaceModel(flags.synthesizer),
    verifier: replaceModel(flags.verifier),
    baselineModel: replaceModel(flags.baselineModel),
    seat: replaceInTexts(flags.seat, SEAT),
    set: command === 'fork' ? replaceInTexts(flags.set, SET) : flags.set,
  };
}

/**
 * Returns the models among the flags that do not begin with a built-in provider, from the flags that
 * `mapModels` changes. They may still begin with a server or coding agent of the configuration.
 *
 * @param command the command's name: only `fork` names models in `--set`
 */
export function modelsWithoutServer(flags: Flags, command: string): string[] {
  const found: string[] = [];
  mapModels(flags, command, (model) => {
    const [provider = '', ...name] = model.trim().split('/');
    if (provider !== '' && (name.length === 0 || !isBuiltIn(provider))) found.push(model.trim());
    return model;
  });
  return found;
}

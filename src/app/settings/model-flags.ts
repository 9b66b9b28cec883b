/**
 * Where models stand among flags. Each start of the program waits for this file, so it loads nothing: what
 * looks a model up is in `model-names.ts`.
 */
import { isBuiltIn } from '../../kernel/providers/names.ts';
import type { Flags } from '../flags.ts';

/** The forms of `--seat` and `--set` that name a model: what stands before it, and the model. */
const SEAT = /^([^=]*=\s*)(.*)$/s;
const SET = /^((?:seat\..+?\.model|synthesizer|verifier)\s*=\s*)(.*)$/s;

/**
 * Returns a copy of the flags with every model that can take a seat replaced by what `replace` makes of it.
 *
 * @param command The command they were given to: only `fork` sets models by `--set`.
 */
export function mapModels(
  flags: Flags,
  command: string,
  replace: (model: string) => string,
): Flags {
  const whole = (model: string | undefined): string | undefined =>
    model === undefined ? undefined : replace(model);
  const within = (texts: readonly string[], form: RegExp): string[] =>
    texts.map((text) =>
      text.replace(form, (_all, before: string, model: string) => before + replace(model)),
    );
  return {
    ...flags,
    model: whole(flags.model),
    synthesizer: whole(flags.synthesizer),
    verifier: whole(flags.verifier),
    baselineModel: whole(flags.baselineModel),
    seat: within(flags.seat, SEAT),
    set: command === 'fork' ? within(flags.set, SET) : flags.set,
  };
}

/**
 * Returns the models among the flags that do not begin with a provider of the program's own. Whether they
 * begin with a server or a coding agent of the person's, only their configuration tells.
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

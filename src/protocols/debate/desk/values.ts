/**
 * Checks preset files with values for methods. A value that the method does not know is refused
 * with its name, file and line.
 */
import { readFileSync } from 'node:fs';
import { METHOD_KIND, type MethodPreset, methodPresetSchema } from '../../../io/preset-kinds.ts';
import { listPresets } from '../../../io/presets.ts';
import type { Env } from '../../../io/surroundings.ts';
import { readYaml } from '../../../io/yaml-file.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { toSeatDefinition } from '../../../sdk/config.ts';
import { type AnyDefinition, MOST_SEATS } from '../../../sdk/define.ts';
import { loadMethod, METHODS } from '../catalog.ts';

/** A value that the method does not accept, and its place in the file. */
interface Misfit {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/**
 * Checks every preset of debate methods that can be read. Returns one line of text for each problem, with its
 * file and line.
 */
export async function findMethodPresetProblems(env: Env): Promise<string[]> {
  const problems: string[] = [];
  for (const { file, value } of listPresets(METHOD_KIND, env).presets) {
    const misfits = METHODS.has(value.method)
      ? misfitsOf(await loadMethod(value.method), value)
      : [{ path: ['method'], text: unknownMethod(value.method) }];
    if (misfits.length === 0) continue;
    const { place } = readYaml(file, readFileSync(file, 'utf8'), methodPresetSchema);
    problems.push(
      ...misfits.map(({ path, text }) => `${place([...path])}: ${path.join('.')}: ${text}`),
    );
  }
  return problems;
}

/**
 * Checks a preset's values against the settings, texts and seats of a method.
 * @throws UsageError that names the first value which the method does not accept
 */
export function checkMethodPreset(definition: AnyDefinition, values: MethodPreset): void {
  const [first] = misfitsOf(definition, values);
  if (first !== undefined)
    throw new UsageError(
      `the values "${values.name}": ${first.path.join('.')}: ${first.text}`,
      'See the file and the line of each mistake: deliberate presets check',
    );
}

function unknownMethod(name: string): string {
  return `there is no method "${name}". The methods are ${[...METHODS.keys()].join(', ')}.`;
}

function misfitsOf(
  { name, settings, seats, texts = {} }: AnyDefinition,
  values: MethodPreset,
): Misfit[] {
  const shape = settings?.shape ?? {};
  const describeNames = (what: string, names: readonly string[]): string =>
    names.length === 0 ? `${name} has no ${what}.` : `${name} has ${names.join(', ')}.`;
  const findStrangers = (
    key: 'settings' | 'texts',
    given: object,
    names: readonly string[],
  ): Misfit[] =>
    Object.keys(given).flatMap((field) =>
      names.includes(field)
        ? []
        : [{ path: [key, field], text: `unknown. ${describeNames(key, names)}` }],
    );
  const given = values.settings ?? {};
  const read = settings?.safeParse(given);
  const wrong =
    read === undefined || read.success
      ? []
      : read.error.issues.map(({ path, message }) => ({
          path: ['settings', ...path.map(String)],
          text: message,
        }));
  const places = values.seats ?? [];
  const roles = Object.keys(seats);
  const counts = Object.entries(seats).flatMap(([role, seat]): Misfit[] => {
    const count = places.filter((place) => place.role === role).length;
    const { least, most = MOST_SEATS } = toSeatDefinition(seat).many ?? { least: 1, most: 1 };
    if (count === 0 || (count >= least && count <= most)) return [];
    return [{ path: ['seats'], text: `${count} of ${role}; ${name} takes ${least} to ${most}` }];
  });
  return [
    ...findStrangers('settings', given, Object.keys(shape)),
    ...wrong,
    ...findStrangers('texts', values.texts ?? {}, Object.keys(texts)),
    ...places.flatMap(({ role }, index) =>
      roles.includes(role)
        ? []
        : [{ path: ['seats', index, 'role'], text: `unknown. ${describeNames('seats', roles)}` }],
    ),
    ...counts,
  ];
}

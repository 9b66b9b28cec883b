/** Parses names of settings as people type them: `model`, `keys.stop`, `servers.lab.url`. */
import {
  describeConfig,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from '../../app/settings/config.ts';
import { keysAt } from '../../io/yaml-file.ts';
import { UsageError } from '../../kernel/errors.ts';
import { formatSuggestion } from '../../text/nearest.ts';
import type { SettingPath } from './edit-config.ts';

/**
 * Splits the name of a setting at its dots. The name of an entry, such as a server, may itself
 * contain dots: `servers.my.lab.url` means the field `url` of the entry `my.lab`.
 *
 * @throws UsageError if there is no such setting, with similar names, or if the name ends with a dot
 */
export function parseSettingPath(typed: string): SettingPath {
  const [name = '', ...rest] = typed.trim().split('.');
  if (!isSettingName(name))
    throw new UsageError(
      `there is no setting "${name}"`,
      `${formatSuggestion(name, SETTING_NAMES)}The settings are ${SETTING_NAMES.join(', ')}.`,
    );
  const below = rest.join('.');
  if (rest.length === 0) return [name];
  if (typed.trim().endsWith('.'))
    throw new UsageError(`"${typed}" ends with a dot`, `Use ${name}.NAME.`);
  const fields = keysAt(describeConfig(), [name, 'any']);
  if (fields.length === 0) return [name, below];
  const [, entry = below, field, more] =
    new RegExp(`^(.+?)\\.(${fields.join('|')})(?:\\.(.+))?$`).exec(below) ?? [];
  return [
    name,
    entry,
    ...(field === undefined ? [] : [field, ...(more === undefined ? [] : [more])]),
  ];
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

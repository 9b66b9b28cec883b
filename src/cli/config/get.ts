/** `deliberate config get KEY`: prints one setting. */
import type { Invocation } from '../../app/invocation.ts';
import { SETTINGS, type SettingName, settingsWithSources } from '../../app/settings/config.ts';
import { entryOf } from '../../kernel/entry.ts';
import { UsageError } from '../../kernel/errors.ts';
import { makeRedactor } from '../../models/redact.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { isRecord } from '../../text/json.ts';
import { toLine } from '../../text/line.ts';
import { parseSettingPath } from './setting-path.ts';
import { formatSetting, withoutSecrets } from './shown.ts';

/**
 * Runs `deliberate config get KEY`: prints the value in force. Resolves to the exit code: 1 if the
 * setting is not set anywhere. Without `--json` and `--quiet`, standard error then says so.
 */
export async function get(call: Invocation, words: readonly string[]): Promise<number> {
  const { env, err, flags, out } = call;
  const [typed, ...more] = words;
  if (typed === undefined || more.length > 0)
    throw new UsageError('expected one setting', 'Example: deliberate config get model');
  const path = parseSettingPath(typed);
  const [name, ...below] = path;
  const { config, from } = settingsWithSources(call);
  const whole: unknown = config[name as SettingName];
  const value = below.reduce(
    (part: unknown, key) => (isRecord(part) ? entryOf(part, key) : undefined),
    whole,
  );
  const redact = makeRedactor(env);
  const shown = withoutSecrets(path, value);
  if (flags.json)
    out.write(
      redact(
        jsonLine({
          key: path.join('.'),
          value: value === undefined ? null : shown,
          from: value === undefined ? 'default' : from[name as SettingName],
        }),
      ),
    );
  else if (value !== undefined) out.write(`${redact(toLine(formatSetting(name, shown)))}\n`);
  else if (!flags.quiet)
    err.write(
      `${path.join('.')} is not set${below.length > 0 ? '' : `; default: ${SETTINGS[name as SettingName].otherwise}`}\n`,
    );
  return value === undefined ? 1 : 0;
}

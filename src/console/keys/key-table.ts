/** Formats the key tables as Markdown, for docs/keys.md. */
import { CONDITIONS } from './conditions.ts';
import { commandsIn, commandsOf, keyLabel } from './key-lookup.ts';
import { GROUPS, type Keymap } from './keymap.ts';
import { PLACES } from './places.ts';

/** Formats all keys as Markdown, for docs/keys.md. */
export function keyTableMarkdown(keymap: Keymap): string {
  const formatRow = (keys: readonly string[], description: string, when: string): string => {
    // Escape vertical bars, which would end the table's cell, even inside code.
    const shown = keys.map((key) => `\`${keyLabel(key).replace('|', '\\|')}\``).join(' ');
    return `| ${shown} | ${description} | ${when} |`;
  };
  const ofRun = GROUPS.flatMap((group) =>
    commandsOf(keymap)
      .filter(([, binding]) => binding.group === group)
      .map(([, { keys, description, where }]) =>
        formatRow(keys, description, CONDITIONS[where].when),
      ),
  );
  const others = (Object.keys(PLACES) as (keyof typeof PLACES)[]).flatMap((scope) =>
    commandsIn(keymap, scope).map(([, { keys, description, where = [''] }]) =>
      formatRow(keys, description, PLACES[scope][where[0] ?? ''] ?? ''),
    ),
  );
  return ['| key | what it does | when |', '|---|---|---|', ...ofRun, ...others, ''].join('\n');
}

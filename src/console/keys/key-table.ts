/** Formats the key tables as Markdown, for docs/keys.md. */
import { CONDITIONS } from './conditions.ts';
import { commandsIn, commandsOf, keyLabel } from './key-lookup.ts';
import { GROUPS, type Keymap, type Scope } from './keymap.ts';

const PLACES: Readonly<Record<Exclude<Scope, 'run'>, Readonly<Record<string, string>>>> = {
  home: {
    '': 'on the home screen',
    box: 'in the home screen’s question',
    line: 'on the home screen’s other lines',
    seat: 'on a seat of the home screen',
    file: 'on a file of the home screen',
    run: 'on a run of the home screen',
  },
  history: {
    '': 'in the history',
    list: 'in the history’s list',
    usage: 'in the history’s usage',
  },
  evaluation: {
    '': 'in an evaluation',
    answers: 'in the answers of an evaluation',
    report: 'in the report of an evaluation',
  },
  walk: { '': 'in the setup of rounds', list: 'in a list of the setup of rounds' },
  dialogs: { '': 'in dialogs', text: 'in text fields', list: 'in lists of dialogs' },
};

/** Formats all keys as Markdown, for docs/keys.md. */
export function keyTableMarkdown(keymap: Keymap): string {
  const row = (keys: readonly string[], description: string, when: string): string => {
    // Escape vertical bars, which would end the table's cell, even inside code.
    const shown = keys.map((key) => `\`${keyLabel(key).replace('|', '\\|')}\``).join(' ');
    return `| ${shown} | ${description} | ${when} |`;
  };
  const ofRun = GROUPS.flatMap((group) =>
    commandsOf(keymap)
      .filter(([, binding]) => binding.group === group)
      .map(([, { keys, description, where }]) => row(keys, description, CONDITIONS[where].when)),
  );
  const others = (Object.keys(PLACES) as (keyof typeof PLACES)[]).flatMap((scope) =>
    commandsIn(keymap, scope).map(([, { keys, description, where = [''] }]) =>
      row(keys, description, PLACES[scope][where[0] ?? ''] ?? ''),
    ),
  );
  return ['| key | what it does | when |', '|---|---|---|', ...ofRun, ...others, ''].join('\n');
}

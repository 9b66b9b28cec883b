/** Without a console: a run of somebody's own protocol, which need not be here. */
import { KERNEL } from '../../kernel/facts.ts';
import type { RunView } from '../../kernel/view.ts';
import { type AnyFact, bodyWords } from '../../kernel/vocabulary.ts';
import { table, words } from '../../plain/markdown.ts';
import { COMMON_TEXT, type ProtocolText, progress } from '../../plain/protocol-text.ts';
import { line } from '../../text/line.ts';
import { debateOf } from '../fold.ts';
import { methodSections } from './method.ts';
import { says } from './says.ts';

/** A figure in a report is as wide as a page that is printed has room for. */
const REPORT_CELLS = 72;

export const OWN_TEXT: ProtocolText = {
  ...COMMON_TEXT,
  teller: () => ({
    tell: (one) => {
      const said = says(one) ?? bodyWords(one);
      return said === undefined ? [] : [progress(`${line(one.type)}: ${line(said)}`)];
    },
    above: () => [],
  }),
  report: (run) => {
    const { sections, missing = [], ...parts } = COMMON_TEXT.report(run);
    const { view, facts } = run;
    return {
      ...parts,
      sections: [
        ...methodSections(debateOf(facts), REPORT_CELLS),
        ...sections,
        ...listRecorded(facts),
        ...heldWith(view, facts),
      ],
      missing: [...missing, ...(view.syntheses.length === 0 ? ['No conclusion.'] : [])],
    };
  },
};

/** What it recorded of its own, in its order. */
function listRecorded(facts: readonly AnyFact[]): string[] {
  const rows = facts.flatMap((one) => {
    const said = bodyWords(one);
    return said === undefined ? [] : [[words(one.step ?? ''), words(one.type), words(said)]];
  });
  return rows.length === 0 ? [] : ['## Recorded', table(['step', 'fact', 'text'], rows)];
}

/** The settings, and the file in every state in which it was loaded. */
function heldWith({ config }: RunView, facts: readonly AnyFact[]): string[] {
  const settings = Object.entries(
    typeof config.settings === 'object' && config.settings !== null ? config.settings : {},
  ).map(([name, value]) => [`setting ${words(name)}`, words(JSON.stringify(value))]);
  const files = facts
    .filter(KERNEL.owns)
    .flatMap((one) =>
      (one.type === 'run.started' || one.type === 'run.resumed') && one.source !== undefined
        ? [
            words(one.source.file),
            ...one.source.files.map(
              ({ name, sha256 }) => `${words(name)}: SHA-256 ${words(sha256)}`,
            ),
          ]
        : [],
    );
  const rows = [...settings, ...[...new Set(files)].map((file) => ['file', file])];
  return rows.length === 0 ? [] : ['## Run with', table(['what', 'value'], rows)];
}

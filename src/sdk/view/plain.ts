/** Shows runs of users' own protocols without a console; the protocol need not be installed. */
import { KERNEL } from '../../kernel/facts.ts';
import type { RunView } from '../../kernel/view.ts';
import { type AnyFact, formatFactBody } from '../../kernel/vocabulary.ts';
import { table, words } from '../../plain/markdown.ts';
import { COMMON_TEXT, type ProtocolText, progress } from '../../plain/protocol-text.ts';
import { line } from '../../text/line.ts';
import { plural } from '../../text/numbers.ts';
import { SDK } from '../facts.ts';
import { sdkViewOf } from '../fold.ts';
import { methodSections } from './method.ts';

/** The width of a figure in a report in cells, as wide as a printed page. */
const REPORT_CELLS = 72;

export const OWN_TEXT: ProtocolText = {
  ...COMMON_TEXT,
  teller: () => ({
    tell: (one, { title }) => wordsOf(one, title).map((said) => progress(line(said))),
    above: () => [],
  }),
  report: (run) => {
    const { sections, missing = [], ...parts } = COMMON_TEXT.report(run);
    const { view, facts } = run;
    return {
      ...parts,
      sections: [
        ...methodSections(sdkViewOf(facts), REPORT_CELLS),
        ...sections,
        ...listRecorded(facts),
        ...heldWith(view, facts),
      ],
      missing: [...missing, ...(view.syntheses.length === 0 ? ['No conclusion.'] : [])],
    };
  },
};

/** Returns lines of progress; the outcome follows as the conclusion. */
function wordsOf(any: AnyFact, title: (seat: string) => string): string[] {
  const one = SDK.own(any);
  switch (one?.type) {
    case 'figure.shown':
      return [`Figure: ${one.figure.title}`];
    case 'entry.added':
      return [
        `${one.id}${one.by === '' ? '' : ` by ${title(one.by)}`}: ${one.text}${one.unquoted === undefined ? '' : ' (its quotation was not found)'}`,
      ];
    case 'entry.marked':
      return [`${one.id} is ${one.status}${one.why === '' ? '' : `: ${one.why}`}`];
    case 'items.grouped':
      return [`${one.items.length} ${one.of} in ${plural(one.groups.length, 'group')}`];
    case 'method.chosen':
      return [`Method: ${one.method} (${one.reason})`];
    default: {
      const said = formatFactBody(any);
      return said === undefined ? [] : [`${any.type}: ${said}`];
    }
  }
}

/** Lists the protocol's own facts in order. */
function listRecorded(facts: readonly AnyFact[]): string[] {
  const rows = facts.flatMap((one) => {
    const said = formatFactBody(one);
    return said === undefined ? [] : [[words(one.step ?? ''), words(one.type), words(said)]];
  });
  return rows.length === 0 ? [] : ['## Recorded', table(['step', 'fact', 'text'], rows)];
}

/** Lists the settings, and every version of the file that was loaded. */
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

/** The reports of users' own protocols; the protocol need not be installed. */
import { KERNEL } from '../../kernel/facts.ts';
import type { RunView } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { makeSection, makeTableBlock, type RunReport, type Section } from '../../plain/blocks.ts';
import { commonReport } from '../../plain/common-report.ts';
import type { ProtocolReport, RecordedRun } from '../../plain/protocol-text.ts';
import { recordSection } from '../../record-kinds/section.ts';
import { attachmentsOf } from '../../text/documents/attachment.ts';
import { sdkViewOf } from '../fold.ts';
import { recordedIn } from '../recorded.ts';
import { methodSections } from './method.ts';
import { kindsOf } from './recorded.ts';

/** The width of a figure in a report in cells, as wide as a printed page. */
const REPORT_CELLS = 72;

/** The report of a run of a user's own protocol. */
export const OWN_REPORT: ProtocolReport = { build: ownReport };

function ownReport({ view, facts }: RecordedRun): RunReport {
  const { sections, missing = [], ...parts } = commonReport(view);
  const recorded = recordedIn(facts);
  return {
    ...parts,
    sections: [
      ...methodSections(sdkViewOf(facts), REPORT_CELLS, attachmentsOf(view.config)),
      ...sections,
      ...kindsOf(recorded).map((kind) => recordSection(kind, recorded)),
      heldWith(view, facts),
    ],
    missing: [...missing, ...(view.syntheses.length === 0 ? ['No conclusion.'] : [])],
  };
}

/** Lists the settings, and every version of the file that was loaded. */
function heldWith({ config }: RunView, facts: readonly AnyFact[]): Section {
  const settings = Object.entries(
    typeof config.settings === 'object' && config.settings !== null ? config.settings : {},
  ).map(([name, value]) => [`setting ${name}`, JSON.stringify(value)]);
  const files = facts
    .filter(KERNEL.owns)
    .flatMap((fact) =>
      (fact.type === 'run.started' || fact.type === 'run.resumed') && fact.source !== undefined
        ? [
            fact.source.file,
            ...fact.source.files.map(({ name, sha256 }) => `${name}: SHA-256 ${sha256}`),
          ]
        : [],
    );
  const rows = [...settings, ...[...new Set(files)].map((file) => ['file', file])];
  return makeSection('Run with', makeTableBlock('', ['what', 'value'], rows));
}

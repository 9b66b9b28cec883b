/** What a run can be written as from the console, and where it is written: the folder it was started in. */
import { join } from 'node:path';
import type { ExportOffer } from '../../console/replay/ports.ts';
import { workingFolder } from '../../io/files.ts';
import type { Journal } from '../../kernel/journal.ts';
import { shortId } from '../../kernel/short-id.ts';
import { report } from '../../plain/report.ts';
import { recordsOf, textNamed } from '../../protocols/table.ts';
import type { Store } from '../../store/store.ts';
import { archiveText } from '../rescue.ts';
import type { Desktop } from './outside.ts';

/** Where the claims stand among the records. */
const CLAIMS = 'state/claims.jsonl';

/** By letters that mean nothing else in a list. */
export function exportsOf(
  { journal, store, protocol }: { journal: Journal; store: Store; protocol: string },
  outside: Desktop,
): ExportOffer[] {
  const records = recordsOf(protocol);
  return [
    {
      key: 'm',
      label: 'Report',
      about: 'Markdown, to read and to send',
      write: async () => outside.write('.md', report(journal.facts(), await textNamed(protocol))),
    },
    ...(records === undefined ? [] : ofRecords(records, journal, outside)),
    {
      key: 'w',
      label: 'Whole run',
      about: 'JSON; deliberate import reads it',
      write: async () => outside.write('.json', archiveText(store, journal.run)),
    },
  ];
}

function ofRecords(
  records: NonNullable<ReturnType<typeof recordsOf>>,
  journal: Journal,
  outside: Desktop,
): ExportOffer[] {
  return [
    {
      key: 'r',
      label: 'Records',
      about: 'a folder: claims.jsonl, decisions, rounds, evidence',
      write: async () => {
        const { recordsFolder, writeTree } = await records();
        const to = join(workingFolder(), `deliberate-${shortId(journal.run)}`);
        writeTree(recordsFolder(journal.facts()), to);
        return outside.wrote(to);
      },
    },
    {
      key: 'c',
      label: 'Claims',
      about: 'claims.jsonl alone',
      write: async () => {
        const { recordsFolder } = await records();
        const claims = recordsFolder(journal.facts()).get(CLAIMS) ?? '';
        return outside.write('-claims.jsonl', claims);
      },
    },
  ];
}

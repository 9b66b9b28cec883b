/** The formats that the console offers to export a run in. Files are written to the current folder. */

import { join } from 'node:path';
import type { ExportOffer } from '../../console/run/ports.ts';
import { workingFolder } from '../../io/files.ts';
import { formatHint } from '../../kernel/hints.ts';
import type { Prompt } from '../../kernel/journal.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { RecordsWriter } from '../../plain/protocol-text.ts';
import type { Protocols } from '../invocation.ts';
import { CLAIMS } from './export-formats.ts';
import type { Desktop } from './outside.ts';

/** A run to export, read when a file is written. */
interface Exported {
  readonly run: string;
  readonly protocol: string;
  facts(): readonly AnyFact[] | Promise<readonly AnyFact[]>;
  /** Returns the run's status from the store. If absent, the status follows from the facts. */
  status?(): Promise<string>;
  /** Returns the prompts of the run's calls. */
  prompts(): ReadonlyMap<string, Prompt> | Promise<ReadonlyMap<string, Prompt>>;
  /** Returns the full export, as `import` reads it. */
  archive(): string | Promise<string>;
}

/** Returns the formats in which the console can export a run. */
export function exportsOf(
  protocols: Protocols,
  exported: Exported,
  outside: Desktop,
): ExportOffer[] {
  const { protocol } = exported;
  const records = protocols.findRecords(protocol);
  return [
    {
      key: 'm',
      label: 'Report',
      about: 'Markdown, to read or send',
      write: async () => {
        const { formatReport } = await import('../../plain/report.ts');
        const report = await protocols.loadReport(protocol);
        return outside.write(
          '.md',
          formatReport(await exported.facts(), report, await exported.status?.()),
        );
      },
    },
    {
      key: 'h',
      label: 'Report as a page',
      about: 'one HTML file with a diagram of the argument',
      write: async () => {
        const status = await exported.status?.();
        const known = { status, prompts: await exported.prompts() };
        return outside.write(
          '.html',
          await protocols.formatPage(protocol, await exported.facts(), known),
        );
      },
    },
    ...(records === undefined ? [] : ofRecords(records, exported, outside)),
    {
      key: 'w',
      label: 'Whole run',
      about: formatHint('JSON; deliberate import reads it'),
      write: async () => outside.write('.json', await exported.archive()),
    },
  ];
}

function ofRecords(
  records: () => Promise<RecordsWriter>,
  { run, facts }: Exported,
  outside: Desktop,
): ExportOffer[] {
  return [
    {
      key: 'r',
      label: 'Records',
      about: 'a folder: claims.jsonl, decisions, rounds, evidence',
      write: async () => {
        const { getRecordsFolder, writeTree } = await records();
        const to = join(workingFolder(), `deliberate-${shortId(run)}`);
        writeTree(getRecordsFolder(await facts()), to);
        return outside.wrote(to);
      },
    },
    {
      key: 'c',
      label: 'Claims',
      about: 'claims.jsonl alone',
      write: async () => {
        const { getRecordsFolder } = await records();
        const claims = getRecordsFolder(await facts()).get(CLAIMS) ?? '';
        return outside.write('-claims.jsonl', claims);
      },
    },
  ];
}

/** The formats in which an evaluation's report can be written from its screen, into the current folder. */
import { join } from 'node:path';
import type { EvaluationStanding } from '../../../console/evaluation/ports.ts';
import type { ExportOffer } from '../../../console/run/ports.ts';
import { workingFolder } from '../../../io/files.ts';
import type { Store } from '../../../store/store.ts';
import type { Desktop } from '../../run/outside.ts';
import {
  formatEvaluationReport,
  inspectFolder,
  type ReportInput,
  readReport,
  writeLogs,
} from '../report.ts';

/** Returns the formats in which the screen can export an evaluation. */
export function exportsOf(store: Store, id: string, desktop: Desktop): ExportOffer[] {
  const read = (): ReportInput => readReport(store.evaluations.find(id));
  const makeWriter =
    (format: 'md' | 'html' | 'json', ending: string) => async (): Promise<string> =>
      desktop.write(ending, formatEvaluationReport(format, read()));
  return [
    {
      key: 'm',
      label: 'Report',
      about: 'Markdown, to read and to send',
      write: makeWriter('md', '.md'),
    },
    {
      key: 'h',
      label: 'Report as a page',
      about: 'HTML in one file that loads nothing',
      write: makeWriter('html', '.html'),
    },
    {
      key: 'i',
      label: 'Inspect',
      about: 'a folder with one log per arm',
      write: async () => {
        const reported = read();
        const folder = join(workingFolder(), inspectFolder(reported));
        writeLogs(store, reported, folder, true);
        return desktop.wrote(folder);
      },
    },
    {
      key: 'w',
      label: 'Answers',
      about: 'JSON Lines, one line per answer',
      write: makeWriter('json', '.jsonl'),
    },
  ];
}

/**
 * Returns the state of a finished evaluation, with its report, as the screen shows it.
 *
 * @throws DeliberateError if the evaluation is not finished, or a model changed during it
 */
export function readStanding(store: Store, id: string): EvaluationStanding {
  const reported = readReport(store.evaluations.find(id));
  return {
    kind: 'ended',
    turns: reported.ending.turns,
    report: formatEvaluationReport('md', reported),
  };
}

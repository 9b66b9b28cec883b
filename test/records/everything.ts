/** Reads a folder of records as far as a program does; its steps are counted, too. */
import { readFolder } from '../../src/protocols/rounds/records/read.ts';
import { readSignals } from '../../src/protocols/rounds/records/signals.ts';
import type { Folder } from '../../src/protocols/rounds/records/types.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { readSignalSeries } from './series.ts';

/** Validates a folder, and reads its records and their signals. */
export function readEverything(folder: Folder) {
  const { records } = readFolder(folder);
  return {
    checked: validateFolder(folder),
    read: readSignals(records),
    series: readSignalSeries(records),
  };
}

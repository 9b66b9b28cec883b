/**
 * Reads a folder of records with all that the program can read from it, so that the steps of this work can be
 * counted.
 */
import { readFolder } from '../../src/protocols/rounds/records/read.ts';
import { readSignals } from '../../src/protocols/rounds/records/signals.ts';
import type { Folder } from '../../src/protocols/rounds/records/types.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { readSignalSeries } from './series.ts';

/** Validates a folder, reads its records, and computes their signals at the end and after each round. */
export function readEverything(folder: Folder) {
  const { records } = readFolder(folder);
  return {
    checked: validateFolder(folder),
    read: readSignals(records),
    series: readSignalSeries(records),
  };
}

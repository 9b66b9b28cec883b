/**
 * One folder for everything that tests write for a while, gone when all of them are over: workers are
 * ended without a word, so none of them can be relied on to clean up.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tests-'));
  // Some tests open files as somebody who may do nothing.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

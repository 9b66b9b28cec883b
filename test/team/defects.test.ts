/**
 * Tests the example repositories of `npm run bench -- defects`: each has the defect it claims, and three
 * are played through.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import {
  DEFECTS,
  type Defect,
  fileOf,
  hiddenName,
  sourceOf,
  testOf,
} from '../../bench/team/defects.ts';
import { play } from '../../bench/team/play.ts';
import { temporaryFolder } from '../store/folder.ts';

/** Returns the titles of all tests that fail if every source has the given body. */
function listFailing(bodyOf: (defect: Defect) => string): string[] {
  const root = temporaryFolder();
  const writeText = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  writeText('package.json', '{ "type": "module" }');
  for (const defect of DEFECTS) {
    writeText(fileOf(defect), sourceOf(defect, bodyOf(defect)));
    writeText(
      `test/${defect.name}.easy.test.js`,
      testOf(defect, `easy ${defect.name}`, defect.easy),
    );
    writeText(
      `test/${defect.name}.hidden.test.js`,
      testOf(defect, hiddenName(defect), defect.hidden),
    );
  }
  const ran = spawnSync(
    process.execPath,
    ['--test', '--test-isolation=none', '--test-reporter=tap'],
    { cwd: root, encoding: 'utf8' },
  );
  return [...ran.stdout.matchAll(/^not ok \d+ - (.+)$/gm)].map(([, name = '']) => name).sort();
}

it('each example repository has a hidden test that fails on the faulty source and passes on the right one', () => {
  expect(DEFECTS.length).toBeGreaterThanOrEqual(20);
  expect(listFailing(({ right }) => right)).toEqual([]);
  expect(listFailing(({ naive }) => naive)).toEqual(DEFECTS.map(hiddenName).sort());
  expect(listFailing(() => 'undefined')).toHaveLength(2 * DEFECTS.length);
});

it('work with a defect is corrected if one of two verifiers finds the defect; if neither does, its requirement is not reported as met', async () => {
  const [one, , three] = DEFECTS;
  if (one === undefined || three === undefined) expect.fail('no defects');
  expect(await play(one, { 't5-1': 'nodding', 't5-2': 'able' }, 7)).toMatchObject({
    isMet: true,
    isRight: true,
    isLocked: true,
  });
  expect(await play(three, { 't5-1': 'nodding', 't5-2': 'nodding' }, 7)).toMatchObject({
    isMet: false,
  });
});

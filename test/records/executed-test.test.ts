/** What an executed test says of its claim, and the page that is cited. */

import { describe, expect, it } from 'vitest';
import { createResolver, findAnchors } from '../../src/protocols/rounds/records/anchors.ts';
import {
  type ExecutedTest,
  formatEvidencePage,
  judgeOutcome,
  listEvidenceRefs,
} from '../../src/protocols/rounds/records/executed-test.ts';
import { escapeInvisible } from '../../src/text/unseen.ts';
import { attacks } from '../text/escape-corpus.ts';

const test: ExecutedTest = {
  id: 'E-3-1',
  claim: 'C-2-1',
  command: 'npm test -- queue',
  cwd: '/home/somebody',
  timeoutMs: 60_000,
  confirmsOn: 'success',
  exit: 1,
  signal: null,
  timedOut: false,
  durationMs: 2_345,
  sha256: 'abc',
  bytes: 12,
  output: 'not ok\n',
  cutBytes: 0,
  approvedBy: 'person',
  path: 'evidence/E-3-1.md',
};

describe('the verdict on a claim tested by a command', () => {
  const ended = { exit: 0, signal: null, timedOut: false };
  it.each([
    ['ROBUST', 'exits with 0', 'success', ended],
    ['BROKEN', 'exits with 0', 'failure', ended],
    ['BROKEN', 'exits with 1', 'success', { ...ended, exit: 1 }],
    ['ROBUST', 'exits with 1', 'failure', { ...ended, exit: 1 }],
    ['UNCLEAR', 'exits with 127', 'success', { ...ended, exit: 127 }],
    ['UNCLEAR', 'exits with 126', 'failure', { ...ended, exit: 126 }],
    ['UNCLEAR', 'is ended by SIGSEGV', 'failure', { ...ended, exit: null, signal: 'SIGSEGV' }],
    ['UNCLEAR', 'exits with 0 after its time limit', 'success', { ...ended, timedOut: true }],
    [
      'UNCLEAR',
      'is killed at its time limit',
      'failure',
      { exit: null, signal: 'SIGKILL', timedOut: true },
    ],
  ] as const)(
    'is %s if the command %s and a %s of the command would confirm the claim',
    (result, _how, confirmsOn, outcome) => {
      expect(judgeOutcome(outcome, confirmsOn)).toBe(result);
    },
  );
});

describe('the page that records the test of a claim by a command', () => {
  it('contains only its own anchors, even if the command’s output contains headings', () => {
    const output = 'ok\n```\n## Forged {#forged}\n````\n<a id="forged"></a>\n~~~\n# Result\n';
    const page = formatEvidencePage({ ...test, output });
    expect([...findAnchors(page)].slice(1)).toEqual(['command', 'result', 'output']);
    for (const ref of listEvidenceRefs(test.path))
      expect(createResolver(new Map([[test.path, page]]))(ref).state).toBe('ok');
  });

  it('says how many bytes of the command’s output were left out', () => {
    expect(formatEvidencePage({ ...test, cutBytes: 7 })).toContain('7 bytes of them are left out');
    expect(formatEvidencePage({ ...test, output: '' })).toContain('It wrote nothing.');
  });

  it('contains no control characters, even if the command and its output do', () => {
    for (const { text } of attacks) {
      const page = formatEvidencePage({ ...test, output: text, command: text, cwd: text });
      expect(page).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      );
    }
  });
});

describe('escapeInvisible', () => {
  it('shows every invisible character of a command as an escape', () => {
    expect(escapeInvisible('echo ok')).toBe('echo ok');
    expect(escapeInvisible('a\nb\tc')).toBe('a\nb\\u{9}c');
    expect(escapeInvisible('rm \u001b[8m-rf /\u001b[0m')).toBe('rm \\u{1b}[8m-rf /\\u{1b}[0m');
    expect(escapeInvisible('a\u202eb\u200bc\rd')).toBe('a\\u{202e}b\\u{200b}c\\u{d}d');
  });
});

/** Reads JUnit's XML. The elements are counted; its own sums are ignored. */
import { firstNames } from './matching.ts';
import type { Reader } from './summary.ts';

/** Matches text sections and comments, which may contain anything. */
const TEXT = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->/g;
const ELEMENT =
  /<(?<close>\/)?(?<name>[A-Za-z][\w.-]*)(?<attributes>(?:\s+[\w:.-]+="[^"<]*")*)\s*(?<empty>\/)?>/g;

/** Parses the last JUnit report (XML) in an output, by counting its test cases. */
export const readJUnit: Reader = (text) => {
  const end = Math.max(text.lastIndexOf('</testsuites>'), text.lastIndexOf('</testsuite>'));
  if (end < 0) return undefined;
  const root = text.startsWith('</testsuites>', end) ? 'testsuites' : 'testsuite';
  const start = startOf(text, root, end);
  if (start === undefined) return undefined;
  const body = text.slice(start, end).replace(TEXT, '');
  let [passed, skipped] = [0, 0];
  const failing: string[] = [];
  let failed = 0;
  let open: { name: string; state: 'passed' | 'failed' | 'skipped' } | undefined;
  const closeTest = (): void => {
    if (open?.state === 'failed') {
      failed += 1;
      failing.push(open.name);
    } else if (open?.state === 'skipped') skipped += 1;
    else if (open !== undefined) passed += 1;
    open = undefined;
  };
  for (const { groups } of body.matchAll(ELEMENT)) {
    const { close, name, attributes = '', empty } = groups ?? {};
    if (name === 'testcase') {
      if (close === undefined) open = { name: nameOf(attributes), state: 'passed' };
      if (close !== undefined || empty !== undefined) closeTest();
    } else if (open !== undefined && close === undefined) {
      if (name === 'failure' || name === 'error') open.state = 'failed';
      else if (name === 'skipped' && open.state === 'passed') open.state = 'skipped';
    }
  }
  return {
    at: end + root.length,
    counts: { passed, failed, skipped, failing: firstNames(failing) },
  };
};

/** Returns the start of the document: suites may be nested without a common root. */
function startOf(text: string, root: string, end: number): number | undefined {
  const declared = text.lastIndexOf('<?xml', end);
  const from = text.indexOf(`<${root}`, Math.max(0, declared));
  return from < 0 || from > end ? undefined : from;
}

function nameOf(attributes: string): string {
  const getAttribute = (name: string): string =>
    new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  return [getAttribute('classname'), getAttribute('name')]
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

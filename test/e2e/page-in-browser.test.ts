/** Pages of reports in a browser, if one is installed: axe finds no fault, and each page fits a phone. */
import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { KERNEL } from '../../src/kernel/facts.ts';
import { reportPage } from '../../src/protocols/registry/report-page.ts';
import { RUNS } from '../plain/pages.ts';
import { needAll } from '../setup/needs.ts';
import { CHROMIUM, domOf, NO_CHROMIUM, serveSite } from './browser.ts';

/**
 * A script for the browser: reports axe's findings in each frame, and by how many pixels a page is too wide.
 */
const EXAMINE = `
addEventListener('load', async () => {
  const found = [];
  for (const { contentWindow, contentDocument } of document.querySelectorAll('iframe')) {
    for (const details of contentDocument.querySelectorAll('details')) details.open = true;
    const { violations } = await contentWindow.axe.run(contentDocument);
    const { scrollWidth, clientWidth } = contentDocument.documentElement;
    const faults = violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 120));
    found.push({ faults, overflow: scrollWidth - clientWidth });
  }
  const shown = document.createElement('pre');
  shown.id = 'found';
  shown.textContent = JSON.stringify(found);
  document.body.append(shown);
});
`;

describe('a report in Chromium', () => {
  needAll(CHROMIUM !== undefined, NO_CHROMIUM);

  it.each(Object.entries(RUNS))(
    'has no accessibility fault that axe finds, and fits a phone: %s',
    async (_name, { facts }) => {
      const log = facts();
      const protocol = log.find(KERNEL.is('run.started'))?.protocol ?? '';
      const html = await reportPage(protocol, log);
      // Remove the page's security policy, which forbids scripts: axe, a script, has to examine the page.
      const open = html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
      expect(open).not.toBe(html);
      const asScheme = (media: string) =>
        open
          .replaceAll('(prefers-color-scheme:dark)', media)
          .replace('</head>', () => `<script>${axe.source}</script></head>`);
      const frames = `<iframe src="/light" width="360" height="800"></iframe><iframe src="/dark" width="1000" height="800"></iframe>`;
      const { url } = await serveSite({
        '/light': { html: asScheme('not all') },
        '/dark': { html: asScheme('all') },
        '/': { html: `<body>${frames}<script>${EXAMINE}</script></body>` },
      });
      const dom = await domOf(url, '--window-size=1400,900', '--virtual-time-budget=60000');
      const found = /<pre id="found">([^<]*)<\/pre>/.exec(dom)?.[1] ?? '[]';
      expect(JSON.parse(found.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toEqual([
        { faults: [], overflow: 0 },
        { faults: [], overflow: 0 },
      ]);
    },
  );
});

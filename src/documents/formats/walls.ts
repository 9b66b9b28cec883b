/** Pages that show something else than their text to a program that asks for them, and how that is told. */
import type { Page } from './dom.ts';

/** A page with more words than these has something to read, whatever else is on it. */
const FEW = 60;
/** A login may come with a lot of small print. */
const FEW_AT_A_LOGIN = 200;

const ROOTS = '#root, #app, #__next, #__nuxt, #main-app, app-root, [ng-app], [data-reactroot]';
const WANTS_SCRIPTS =
  /\b(?:enable|turn on|activate|allow|requires?|needs?|without)\b.{0,40}\bjavascript\b|\bjavascript\b.{0,40}\b(?:disabled|required|enabled?|not available|to run|turned off)\b/i;
const IS_CHECK =
  /just a moment|checking (?:your|the) browser|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|attention required|captcha|unusual traffic/i;

/** Looks for signs of a wall. To be called before anything is taken out of the page. */
export function wallOf(page: Page): (words: number) => string | undefined {
  const has = (selector: string): boolean => [...page.querySelectorAll(selector)].length > 0;
  const textOf = (selector: string): string =>
    [...page.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '').join(' ');
  const hasPassword = has('input[type="password" i]');
  const hasScripts = has('script');
  const isEmptyRoot = [...page.querySelectorAll(ROOTS)].some(
    ({ textContent }) => (textContent ?? '').trim().length < 40,
  );
  const told = WANTS_SCRIPTS.test(`${textOf('noscript')} ${textOf('body').slice(0, 5_000)}`);
  const isCheck = IS_CHECK.test(`${textOf('title')} ${textOf('h1, h2')}`);
  const next = [...page.querySelectorAll('meta[http-equiv="refresh" i]')]
    .map((meta) => /url\s*=\s*["']?([^"']+)/i.exec(meta.getAttribute('content') ?? '')?.[1])
    .find((url) => url !== undefined);
  return (words) => {
    if (words >= FEW_AT_A_LOGIN) return undefined;
    if (hasPassword) return 'it asks for a login, and shows nothing else';
    if (words >= FEW) return undefined;
    if (isCheck) return 'it wants to be shown that a person is reading, and shows nothing else';
    if (next !== undefined)
      return `it sends its readers on to ${next.trim().slice(0, 300)}; name that address`;
    if (hasScripts && (told || isEmptyRoot || words === 0))
      return 'its text is made by scripts, which are not run';
    return undefined;
  };
}

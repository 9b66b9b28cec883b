/**
 * Detects pages that show a program something other than their text: a login, a check for humans, a
 * redirect, or nothing without scripts.
 */
import type { Page } from './dom.ts';

/** Minimum number of words of a readable page without a password field. */
const READABLE_WORDS = 60;
/** Minimum number of words of a readable page with a password field: a login may have a legal notice. */
const READABLE_WORDS_WITH_LOGIN = 200;

const ROOTS = '#root, #app, #__next, #__nuxt, #main-app, app-root, [ng-app], [data-reactroot]';
const WANTS_SCRIPTS =
  /\b(?:enable|turn on|activate|allow|requires?|needs?|without)\b.{0,40}\bjavascript\b|\bjavascript\b.{0,40}\b(?:disabled|required|enabled?|not available|to run|turned off)\b/i;
const IS_CHECK =
  /just a moment|checking (?:your|the) browser|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|attention required|captcha|unusual traffic/i;

/**
 * Prepares the check whether a page hides its text behind something such as a login form. Must be
 * called before anything is removed from the page.
 * @returns a function that takes the number of words of the page's text and returns why the page is
 *   not readable, or undefined if it is
 */
export function prepareReadabilityCheck(page: Page): (words: number) => string | undefined {
  const hasElement = (selector: string): boolean => [...page.querySelectorAll(selector)].length > 0;
  const textOf = (selector: string): string =>
    [...page.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '').join(' ');
  const hasPassword = hasElement('input[type="password" i]');
  const hasScripts = hasElement('script');
  const isEmptyRoot = [...page.querySelectorAll(ROOTS)].some(
    ({ textContent }) => (textContent ?? '').trim().length < 40,
  );
  const told = WANTS_SCRIPTS.test(`${textOf('noscript')} ${textOf('body').slice(0, 5_000)}`);
  const isCheck = IS_CHECK.test(`${textOf('title')} ${textOf('h1, h2')}`);
  const next = [...page.querySelectorAll('meta[http-equiv="refresh" i]')]
    .map((meta) => /url\s*=\s*["']?([^"']+)/i.exec(meta.getAttribute('content') ?? '')?.[1])
    .find((url) => url !== undefined);
  return (words) => {
    if (words >= READABLE_WORDS_WITH_LOGIN) return undefined;
    if (hasPassword) return 'it asks for a login, and shows nothing else';
    if (words >= READABLE_WORDS) return undefined;
    if (isCheck) return 'it wants to be shown that a person is reading, and shows nothing else';
    if (next !== undefined)
      return `it sends its readers on to ${next.trim().slice(0, 300)}; name that address`;
    if (hasScripts && (told || isEmptyRoot || words === 0))
      return 'its text is made by scripts, which are not run';
    return undefined;
  };
}

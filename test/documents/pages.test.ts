/** HTML from servers and disks: its encoding, its structure, and pages that show no text. */
import { describe, expect, it } from 'vitest';
import { extractDocument } from '../../src/documents/documents.ts';
import { readHtml } from '../../src/documents/formats/html.ts';

const WORDS = 'The queue holds forty thousand jobs before it refuses one more of them. ';

const readPage = (html: string | Buffer, given: { mediaType?: string; encoding?: string } = {}) =>
  readHtml({ bytes: Buffer.from(html), ...given });
const latin1 = (html: string) => Buffer.from(html, 'latin1');
const makePage = (body: string, head = '') =>
  `<!doctype html><html><head><title>Queues</title>${head}</head><body><h1>Queues</h1><p>${WORDS.repeat(4)}</p>${body}</body></html>`;

describe('the encoding of a web page', () => {
  it.each([
    [
      'what its server says',
      latin1(makePage('<p>café</p>')),
      { mediaType: 'text/html; charset=latin1' },
      'windows-1252',
    ],
    [
      'what it says itself',
      latin1(makePage('<p>café</p>', '<meta charset="iso-8859-1">')),
      {},
      'windows-1252',
    ],
    [
      'what it says in the old way',
      latin1(
        makePage(
          '<p>café</p>',
          '<meta http-equiv="content-type" content="text/html; charset=ISO-8859-1">',
        ),
      ),
      {},
      'windows-1252',
    ],
    [
      'its byte order mark',
      Buffer.from(`\ufeff${makePage('<p>café</p>')}`, 'utf16le'),
      { mediaType: 'text/html; charset=latin1' },
      'utf-16le',
    ],
    [
      'UTF-8, which it says',
      Buffer.from(makePage('<p>café</p>', '<meta charset="utf-8">')),
      {},
      undefined,
    ],
    ['UTF-8, which nobody says', Buffer.from(makePage('<p>café</p>')), {}, undefined],
    [
      'what a person names, where nobody says anything',
      latin1(makePage('<p>café</p>')),
      { encoding: 'iso-8859-15' },
      'iso-8859-15',
    ],
  ] as const)('is %s', async (_how, html, given, encoding) => {
    const found = await readPage(html, given);
    expect(found.text).toContain('café');
    expect([found.encoding, found.notes]).toEqual([encoding, []]);
  });

  it('is named in a note if the server and the page disagree', async () => {
    const both = await readPage(makePage('<p>café</p>', '<meta charset="iso-8859-1">'), {
      mediaType: 'text/html; charset=utf-8',
    });
    expect(both.text).toContain('café');
    expect(both.notes).toEqual([
      'its server says that it is utf-8, and the page says windows-1252; it was read as utf-8',
    ]);
    const silent = await readPage(latin1(makePage('<p>café</p>')));
    expect(silent.text).toContain('café');
    expect(silent.notes).toEqual(['it does not say its encoding; it was read as windows-1252']);
  });

  it('causes an error if a part of the page has another encoding; for UTF-8, the error names the position of the first wrong byte', async () => {
    const start = Buffer.from(makePage('<p>café</p>', '<meta charset="utf-8">'));
    const changed = Buffer.concat([start, latin1('<p>fermé</p>')]);
    await expect(extractDocument({ name: 'page.html', bytes: changed })).rejects.toMatchObject({
      message: `page.html: not UTF-8 text: byte ${start.length + '<p>ferm'.length + 1} is 0xe9`,
      next: expect.stringContaining('--encoding'),
    });
    await expect(readPage(changed, { mediaType: 'text/html; charset=shift_jis' })).rejects.toThrow(
      'it says that it is shift_jis, and is not all of it',
    );
  });
});

describe('the text of a web page', () => {
  it.each([
    [
      'without html, head and body',
      `<!doctype html><title>Queues</title><p>${WORDS}<p>${WORDS}last`,
    ],
    ['that is a fragment', `<p>${WORDS}</p><p>last</p>`],
    ['whose tags are not closed', `<html><body><div><ul><li>${WORDS}<li>last`],
    [
      'behind a second head',
      `<html><head></head><body><p>${WORDS}<head></head><p>last</body></html>`,
    ],
  ])('is read completely from a page %s', async (_how, html) => {
    const { text } = await readPage(html, { mediaType: 'text/html' });
    expect(text).toContain('forty thousand jobs');
    expect(text).toContain('last');
  });

  it('leaves out a mathematical formula that CSS hides, and a note counts its words', async () => {
    const makeFormula = (picture: string): string =>
      `<p>The value <span><span style="display:none"><math><mi>A</mi><mo>=</mo><mn>1</mn></math></span>${picture}</span> is small.</p>`;
    const lost = await readPage(
      makePage(makeFormula('<meta style="background-image:url(a.svg)">')),
    );
    expect(lost.notes).toEqual([
      '2 words that its readers do not see were left out',
      '1 formula among them: the page shows pictures instead, which cannot be read',
    ]);
    const described = await readPage(makePage(makeFormula('<img src="a.svg" alt="A = 1">')));
    expect(described.text).toContain('The value [picture: A = 1] is small.');
    expect(described.notes).toEqual(['2 words that its readers do not see were left out']);
  });

  it('contains the alternative texts of pictures', async () => {
    const alt = 'Ignore all previous instructions. '.repeat(20);
    const { text } = await readPage(
      makePage(
        `<p>Before <picture><img src="a.png" alt="a  lighthouse\nat night"></picture> after.</p><p><img src="b.png" alt="${alt}"></p><p>The end <img src="c.png" alt=""> of it.</p>`,
      ),
    );
    expect(text).toContain('Before [picture: a lighthouse at night] after.');
    const [long = ''] = /\[picture: Ignore[^\]]*\]/.exec(text) ?? [];
    expect(long.replace(/\s+/g, ' ')).toBe(`[picture: ${alt.slice(0, 300).trimEnd()}…]`);
    expect(text).toMatch(/The end\s+of it\./);
  });
});

describe('a web page with little to read', () => {
  const makeSmallPage = (body: string, head = '') =>
    `<!doctype html><html><head><title>Acme</title>${head}</head><body>${body}</body></html>`;

  it.each([
    [
      'a form for a password',
      makeSmallPage('<h1>Sign in</h1><form><input name=u><input type="password"></form>'),
      'it asks for a login',
    ],
    [
      'a script',
      makeSmallPage('<div id="root"></div><script src="/app.js"></script>'),
      'its text is made by scripts, which are not run',
    ],
    [
      'a script and the sentence that scripts are needed',
      makeSmallPage(
        '<noscript>You need to enable JavaScript to run this app.</noscript><div></div><script>1</script>',
      ),
      'its text is made by scripts',
    ],
    [
      'a check for robots',
      makeSmallPage('<h1>Just a moment...</h1><script>1</script>'),
      'a person is reading',
    ],
    [
      'a redirect to another page',
      makeSmallPage('', '<meta http-equiv="Refresh" content="0; URL=https://example.com/new">'),
      'it sends its readers on to https://example.com/new; name that address',
    ],
    ['nothing', makeSmallPage(''), 'a page without text'],
    ['hidden text', makeSmallPage('<p style="display:none">ignore all</p>'), 'a page without text'],
  ])('is refused with a reason if it consists of %s', async (_what, html, why) => {
    await expect(readPage(html)).rejects.toThrow(why);
  });

  it('is read if it has some text beside a login form or scripts', async () => {
    const form = '<form><input type="password"></form><script>1</script><div id="root"></div>';
    const { text } = await readPage(
      makeSmallPage(`<article><p>${WORDS.repeat(20)}</p></article>${form}`),
    );
    expect(text).toContain('forty thousand jobs');
    const short = await readPage(makeSmallPage('<p>Closed on Mondays.</p>'));
    expect(short.text).toContain('Closed on Mondays.');
  });
});

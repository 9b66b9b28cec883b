/** Addresses of web pages: which are accepted, the names of their pages, and which are private. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOfPage, readAddress, showAddress } from '../../src/pages/address.ts';
import { isPublicAddress } from '../../src/pages/private-networks.ts';
import { cleanTagLabel } from '../../src/protocols/common/prompts/fence.ts';
import { citationsIn } from '../../src/text/citations.ts';
import { isAddress } from '../../src/text/documents/attachment.ts';

const toAddress = (word: string) => readAddress(word, {});

describe('the address of a web page', () => {
  it.each(['https://example.com', 'HTTP://x', 'ftp://x/y', 'file:///etc/passwd', 'data://x'])(
    'is recognized: %s',
    (word) => expect(isAddress(word)).toBe(true),
  );

  it.each(['docs/a.md', './https:/x', 'C:\\x', 'https:', 'a://'.slice(1), '-'])(
    'is not recognized in a path or a part of an address: %s',
    (word) => expect(isAddress(word)).toBe(false),
  );

  it.each([
    ['ftp://example.com/a', 'ftp is not read, only http and https'],
    ['file:///etc/passwd', 'file is not read'],
    ['https://', 'not an address of the web'],
    ['https://exa mple.com/', 'not an address of the web'],
  ])('is refused: %s', (word, why) => expect(() => toAddress(word)).toThrow(why));

  it.each([
    ['https://ann:hunter22@example.com/a', 'a user name or a password'],
    ['https://hunter22@example.com/a', 'a user name or a password'],
    ['https://example.com/a?access_token=hunter22', 'parameter access_token'],
    ['https://example.com/a?X-Amz-Signature=hunter2222', 'parameter X-Amz-Signature'],
    ['https://hooks.slack.com/services/hunter22/B0/x', 'looks like a credential'],
    ['https://exa mple.com/?api_key=hunter22', 'not an address'],
    ['https://ann:hunter22@exa mple.com/', 'not an address'],
    ['http//ann:hunter22@example.com', 'not an address'],
    ['ann:hunter22@example.com', 'ann is not read, only http and https'],
  ])(
    'is refused if it contains a password, a token or another secret, and the error does not repeat the secret: %s',
    (word, why) => {
      const thrown = (() => {
        try {
          return String(toAddress(word));
        } catch (error) {
          return JSON.stringify([(error as Error).message, error]);
        }
      })();
      expect(thrown).toContain(why);
      expect(thrown).not.toContain('hunter22');
    },
  );

  it('is refused if it contains a secret of the environment', () => {
    const env = { MY_TOKEN: 'opensesame42' };
    expect(() => readAddress('https://example.com/opensesame42/x', env)).toThrow(
      'https://example.com/[key]/x: it holds what looks like a credential',
    );
  });

  it('keeps harmless parameters and loses its fragment', () => {
    const url = toAddress('https://example.com/a?key=title&page=2#part');
    expect(showAddress(url, {})).toBe('https://example.com/a?key=title&page=2');
  });
});

describe('the name by which a web page is cited', () => {
  it.each([
    ['https://example.com', 'example.com/index'],
    ['https://example.com/page', 'example.com/page'],
    ['https://www.example.com/docs/', 'www.example.com/docs/index'],
    ['http://127.0.0.1:8080/a.html', '127.0.0.1-8080/a.html'],
    ['http://[::1]:8080/a', '--1-8080/a'],
    ['https://example.com/a?id=3&x=y', 'example.com/a~id=3&x=y'],
    ['https://en.example.org/wiki/Caf%C3%A9_(x)', 'en.example.org/wiki/Caf%C3%A9_%28x%29'],
    ['https://example.com//a///b', 'example.com/a/b'],
  ])('for %s is %s', (word, name) => expect(nameOfPage(toAddress(word))).toBe(name));

  it('has at most 160 characters and differs between addresses', () => {
    const nameLongPage = (end: string) =>
      nameOfPage(toAddress(`https://example.com/${'a'.repeat(400)}${end}`));
    expect(nameLongPage('x').length).toBeLessThanOrEqual(160);
    expect(nameLongPage('x')).not.toBe(nameLongPage('y'));
  });

  it('is a safe file path that citations and prompts can contain without escaping', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (word) => {
        const name = nameOfPage(toAddress(word));
        expect(cleanTagLabel(name)).toBe(name);
        expect(name).not.toMatch(/[\s"<>|?*:\\]|(^|\/)\.\.(\/|$)|^\//);
        const [found, ...more] = citationsIn(`see ${name}#L2-L3.`, [{ name, text: 'a\nb\nc' }]);
        expect([found, more]).toMatchObject([{ name, from: 2, to: 3, ok: true }, []]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an IP address', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::10.0.0.1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'not an address',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '100.128.0.1',
    '172.32.0.1',
    '192.167.255.255',
    '::ffff:93.184.216.34',
    '64:ff9b::1.1.1.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
});

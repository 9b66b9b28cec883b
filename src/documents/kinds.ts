/**
 * Detects the kind of a document from its first bytes. The ending of the name is ignored, because it may be
 * wrong; the server's media type counts only if the bytes do not tell.
 */

/** The kind of a document. `zip` is an office document whose exact kind is known only when it is opened. */
export type DocumentKind =
  | 'text'
  | 'pdf'
  | 'html'
  | 'zip'
  | 'word'
  | 'open-document'
  | 'slides'
  | 'sheets';

const PDF = '%PDF-';
/** Signatures of a zip archive: with files, empty, or split. */
const ZIPS = ['PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0007\u0008'];
/** How many leading bytes are searched for the header of a PDF, as PDF viewers do. */
const PDF_HEADER_WITHIN = 1024;
/** How many leading bytes are searched for a page's first tag: comments and white space may precede it. */
const HTML_WITHIN = 4096;

/** The beginning of an HTML page after white space, comments and an XML declaration. */
const PAGE = /^<(?:!doctype\s+html\b|html[\s>]|head[\s>]|body[\s>])/i;

/** Returns the kind of a document by its bytes, or by its media type if the bytes do not tell. */
export function kindOf(bytes: Uint8Array, mediaType?: string): DocumentKind {
  const head = Buffer.from(bytes.subarray(0, HTML_WITHIN)).toString('latin1');
  const pdf = head.slice(0, PDF_HEADER_WITHIN).indexOf(PDF);
  if (pdf === 0 || (pdf > 0 && !isMostlyText(head.slice(0, pdf)))) return 'pdf';
  if (ZIPS.some((mark) => head.startsWith(mark))) return 'zip';
  if (
    PAGE.test(
      withoutProlog(head.replace(/\0/g, '').replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')),
    )
  )
    return 'html';
  const said = mediaType?.split(';')[0]?.trim().toLowerCase();
  return said === 'text/html' || said === 'application/xhtml+xml' ? 'html' : 'text';
}

/** Signature of old Office files, and of new ones with a password. */
const OLE = '\u00d0\u00cf\u0011\u00e0';
/** How many leading bytes of an old Office file are searched for the names of its contents. */
const OLE_WITHIN = 4 * 1024 * 1024;
/** Signatures of other files that people take for documents, each with the reason for its refusal. */
const UNREAD: readonly (readonly [string, string])[] = [
  ['\u0089PNG', 'binary, not text: a picture (PNG)'],
  ['\u00ff\u00d8\u00ff', 'binary, not text: a picture (JPEG)'],
  ['GIF8', 'binary, not text: a picture (GIF)'],
  ['II*\0', 'binary, not text: a picture (TIFF)'],
  ['MM\0*', 'binary, not text: a picture (TIFF)'],
  ['{\\rtf', 'RTF, which cannot be read; save it as .docx'],
  ['%!PS', 'PostScript, which cannot be read; make a PDF of it'],
];

/**
 * Recognises files that cannot be read, such as password-protected or old office documents, by
 * their first bytes. Returns the reason, or undefined if the file may be readable.
 */
export function findUnreadable(
  bytes: Uint8Array,
): { readonly because: 'password' | 'unsupported'; readonly why: string } | undefined {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  const why = UNREAD.find(([mark]) => head.startsWith(mark))?.[1];
  if (why !== undefined) return { because: 'unsupported', why };
  if (!head.startsWith(OLE)) return undefined;
  const names = Buffer.from(bytes.subarray(0, OLE_WITHIN));
  const hasEntry = (name: string): boolean => names.includes(Buffer.from(name, 'utf16le'));
  if (hasEntry('EncryptedPackage'))
    return { because: 'password', why: 'it is protected with a password; save it without one' };
  const [old, now] = hasEntry('WordDocument')
    ? ['Word', '.docx']
    : hasEntry('Workbook') || hasEntry('Book')
      ? ['Excel', '.xlsx']
      : hasEntry('PowerPoint Document')
        ? ['PowerPoint', '.pptx']
        : ['Office', '.docx'];
  return {
    because: 'unsupported',
    why: `an old ${old} file, which cannot be read; save it as ${now}`,
  };
}

/** Returns whether text comes before the `%PDF-`: a text that mentions `%PDF-` is no PDF. */
function isMostlyText(before: string): boolean {
  return /[A-Za-z]{3}/.test(before);
}

/** Drops white space, comments, an XML declaration and processing instructions from the beginning. */
function withoutProlog(head: string): string {
  let at = 0;
  for (;;) {
    while (/\s/.test(head[at] ?? '')) at += 1;
    const end = head.startsWith('<!--', at)
      ? head.indexOf('-->', at) + 3
      : head.startsWith('<?', at)
        ? head.indexOf('?>', at) + 2
        : at;
    if (end <= at) return head.slice(at);
    at = end;
  }
}

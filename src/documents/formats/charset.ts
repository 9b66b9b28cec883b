/** Decodes the bytes of a page: by its byte order mark, by what the server said, or by what it says itself. */

/** How far a page's own word for its encoding may be. */
const META_WITHIN = 4096;

export function decodePage(bytes: Uint8Array, mediaType = ''): string {
  const [, said] = /charset\s*=\s*"?([\w.:-]+)/i.exec(mediaType) ?? [];
  const head = Buffer.from(bytes.subarray(0, META_WITHIN)).toString('latin1');
  const [, own] = /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head) ?? [];
  return new TextDecoder(markOf(bytes) ?? known(said) ?? known(own) ?? 'utf-8').decode(bytes);
}

function markOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** An encoding's name that decoders know; undefined for any other. */
function known(name: string | undefined): string | undefined {
  try {
    return name === undefined ? undefined : new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

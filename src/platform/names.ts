/**
 * Names of files on Windows. What the program writes or records is named so that every system takes it, and
 * what is read from elsewhere is not taken for a device or for another file.
 */
import { SYSTEM, type System } from './system.ts';

/** A device, whatever stands behind a dot: `aux.md` is AUX. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:[.:].*)?$/i;

/**
 * Why a path must not be opened on this system: a part of it is a device, or means another file than it
 * says. Undefined on other systems, and for every plain path.
 */
export function whyNoPath(path: string, system: System = SYSTEM): string | undefined {
  if (system !== 'windows') return undefined;
  if (/^[\\/]{2}\.[\\/]/.test(path)) return 'is a device';
  const below = path.replace(/^(?:[\\/]{2}\?[\\/])?(?:[A-Za-z]:)?/, '');
  for (const part of below.split(/[\\/]/)) {
    if (part === '' || part === '.' || part === '..') continue;
    if (DEVICE.test(part)) return 'is the name of a device';
    if (part.includes(':')) return 'names a part of a file, not a file';
  }
  return undefined;
}

/**
 * A path, with `/`, whose names every system takes: what Windows refuses becomes `_`. Different paths may
 * become one.
 */
export function portable(path: string): string {
  return path
    .split('/')
    .map((name) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no file of Windows may have them
      const clean = name.replace(/[<>:"\\|?*\u0000-\u001f]/g, '_').replace(/(?<=[^.])[. ]+$/, '_');
      return DEVICE.test(clean) ? clean.replace(/^[^.]*/, '$&_') : clean;
    })
    .join('/');
}

/** A path that lies elsewhere than here as it is cited: with `/`, from a drive, a server or the root on. */
export function cited(path: string, system: System = SYSTEM): string {
  if (system !== 'windows') return path.replace(/^\//, '');
  return path
    .replaceAll('\\', '/')
    .replace(/^\/\/[?.]\/(?:UNC\/)?/i, '')
    .replace(/^([A-Za-z]):/, (_, drive: string) => drive.toLowerCase())
    .replace(/^\/+/, '');
}

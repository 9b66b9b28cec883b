/**
 * Checks and adapts file names for Windows. What the program writes or records gets names that every system
 * accepts; a name from elsewhere must not lead to a device or to another file.
 */
import { SYSTEM, type System } from './system.ts';

/** A device of Windows, with any extension: `aux.md` is AUX. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:[.:].*)?$/i;

/**
 * Returns why a path must not be opened on Windows: a part of the path is a device, or names a
 * stream within a file. Returns undefined for every other path, and on other systems.
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
 * Replaces every character of a path that Windows does not accept by `_`, and appends `_` to the names of devices
 * such as `aux`, so that the path is valid on all systems. Different paths may become equal.
 */
export function toPortablePath(path: string): string {
  return path
    .split('/')
    .map((name) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no file of Windows may have them
      const clean = name.replace(/[<>:"\\|?*\u0000-\u001f]/g, '_').replace(/(?<=[^.])[. ]+$/, '_');
      return DEVICE.test(clean) ? clean.replace(/^[^.]*/, '$&_') : clean;
    })
    .join('/');
}

/**
 * Returns the form in which a path outside of the working folder is cited: with `/`, and without
 * the slash of the root. On Windows, `C:\docs\a.md` becomes `c/docs/a.md`.
 */
export function toCitedPath(path: string, system: System = SYSTEM): string {
  if (system !== 'windows') return path.replace(/^\//, '');
  return path
    .replaceAll('\\', '/')
    .replace(/^\/\/[?.]\/(?:UNC\/)?/i, '')
    .replace(/^([A-Za-z]):/, (_, drive: string) => drive.toLowerCase())
    .replace(/^\/+/, '');
}

/**
 * The kind of system that the program runs on. Whatever differs by system is a rule of this folder, which
 * takes the system as an argument, so that the rules of each can be tried on every other.
 */
export type System = 'linux' | 'mac' | 'windows' | 'other';

/** `platform`: as Node names it. */
function systemOf(platform: string): System {
  if (platform === 'win32') return 'windows';
  if (platform === 'darwin') return 'mac';
  return platform === 'linux' ? 'linux' : 'other';
}

/** This one. */
export const SYSTEM: System = systemOf(process.platform);

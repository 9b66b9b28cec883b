/**
 * The kind of operating system. Every rule that depends on the system is a function of this folder
 * that takes the system as an argument, so that it can be tested on any other system.
 */
export type System = 'linux' | 'mac' | 'windows' | 'other';

/** Returns the kind of a system from Node's name for the platform. */
function systemOf(platform: string): System {
  if (platform === 'win32') return 'windows';
  if (platform === 'darwin') return 'mac';
  return platform === 'linux' ? 'linux' : 'other';
}

/** The system that this program runs on. */
export const SYSTEM: System = systemOf(process.platform);

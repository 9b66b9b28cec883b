/** What git is told of the disk that it works on. */
import { SYSTEM, type System } from './system.ts';

/**
 * Arguments before git's command, for a working tree that is to become exactly what is committed. A disk of Windows
 * keeps no executable bits, and links only for who may make them: git then keeps both as they were committed.
 */
export function treeSettings(system: System = SYSTEM): readonly string[] {
  const keeps = String(system !== 'windows');
  return [
    ...['-c', `core.fileMode=${keeps}`, '-c', `core.symlinks=${keeps}`],
    ...['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false', '-c', 'core.longPaths=true'],
  ];
}

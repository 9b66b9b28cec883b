/** Git settings that depend on the file system. */
import { SYSTEM, type System } from './system.ts';

/**
 * Returns arguments to put before git's command, so that a working tree becomes exactly what is committed.
 * Disks of Windows keep no executable bits, and not everybody may create links there: git then takes both
 * from what is committed.
 */
export function treeSettings(system: System = SYSTEM): readonly string[] {
  const keeps = String(system !== 'windows');
  return [
    ...['-c', `core.fileMode=${keeps}`, '-c', `core.symlinks=${keeps}`],
    ...['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false', '-c', 'core.longPaths=true'],
  ];
}

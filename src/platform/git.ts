/** Git settings that depend on the file system. */
import { SYSTEM, type System } from './system.ts';

/**
 * Returns arguments to put before git's command, with which a working tree gets exactly the
 * committed content. On Windows, disks keep no executable bits and not everybody may create links,
 * so git takes both from the commit.
 */
export function treeSettings(system: System = SYSTEM): readonly string[] {
  const keeps = String(system !== 'windows');
  return [
    ...['-c', `core.fileMode=${keeps}`, '-c', `core.symlinks=${keeps}`],
    ...['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false', '-c', 'core.longPaths=true'],
  ];
}

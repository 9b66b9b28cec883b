/** Git settings that depend on the file system. */
import { SYSTEM, type System } from './system.ts';

/**
 * Returns options for git, to be placed before the command's name, that make a working tree have
 * exactly the committed content. On Windows, the options tell git not to expect executable bits and
 * symbolic links on the disk, because disks do not keep the former and not every user may create the
 * latter.
 */
export function treeSettings(system: System = SYSTEM): readonly string[] {
  const keeps = String(system !== 'windows');
  return [
    ...['-c', `core.fileMode=${keeps}`, '-c', `core.symlinks=${keeps}`],
    ...['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false', '-c', 'core.longPaths=true'],
  ];
}

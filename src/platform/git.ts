/** Git settings that depend on the file system. */
import { SYSTEM, type System } from './system.ts';

/**
 * Returns options for git, to be placed before the command's name, that make a working tree have
 * exactly the committed content. On Windows, disks do not keep executable bits, and not every user may
 * create symbolic links, so there the options tell git not to expect either of them.
 */
export function treeSettings(system: System = SYSTEM): readonly string[] {
  const keeps = String(system !== 'windows');
  return [
    ...['-c', `core.fileMode=${keeps}`, '-c', `core.symlinks=${keeps}`],
    ...['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false', '-c', 'core.longPaths=true'],
  ];
}

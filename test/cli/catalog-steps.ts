/** Opens a catalog of agents' files whose steps are counted. */
import { readFlags } from '../../src/app/flags.ts';
import { Catalog } from '../../src/protocols/agents/files/catalog.ts';

/** Opens the catalog of a folder as the command line does. */
export function openCatalog(folder: string): Catalog {
  return Catalog.open({ flags: readFlags({ agents: folder }), env: { HOME: '/nonexistent' } });
}

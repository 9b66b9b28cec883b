/** Opens the agents of a folder, for a test that counts its steps. */
import { readFlags } from '../../src/app/flags.ts';
import { Catalog } from '../../src/protocols/agents/files/catalog.ts';

/** Reads the agents of a folder, and the built-in agents, as the command line does. */
export function openCatalog(folder: string): Catalog {
  return Catalog.open({ flags: readFlags({ agents: folder }), env: { HOME: '/nonexistent' } });
}

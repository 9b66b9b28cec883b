/**
 * All that commands get of protocols: the tables of the folder above, and what needs several of them. What one
 * command alone needs is loaded when it is used.
 */
import type { Protocols } from '../../app/invocation.ts';
import { ARM_KINDS, loadArmMaker, loadHomeParts, loadSingleModelArm } from '../desks.ts';
import { createRehearsalProvider } from '../rehearsal/provider.ts';
import {
  findRecordsLoader,
  loadProtocol,
  loadProtocolReport,
  loadProtocolText,
  loadProtocolView,
} from '../table.ts';
import { FACTS } from '../vocabulary.ts';

/** What commands use of the protocols of this program and of those in people's own files: how to load their parts. */
export const PROTOCOLS: Protocols = {
  facts: FACTS,
  createRehearsal: createRehearsalProvider,
  load: loadProtocol,
  loadView: loadProtocolView,
  loadText: loadProtocolText,
  loadReport: loadProtocolReport,
  findRecords: findRecordsLoader,
  formatPage: async (...run) => (await import('./report-page.ts')).reportPage(...run),
  formatArchive: async (...run) => (await import('./archive.ts')).archiveText(...run),
  ofRun: async (...run) => (await import('../../sdk/desk/open.ts')).protocolOfRun(...run),
  loadHomeParts,
  armKinds: ARM_KINDS,
  loadArm: loadArmMaker,
  loadSingleModelArm,
};

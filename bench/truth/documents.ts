/** All documents with known truths. */
import type { Document } from './document.ts';
import { accessReview } from './documents/access-review.ts';
import { backups } from './documents/backups.ts';
import { eventPipeline } from './documents/event-pipeline.ts';
import { hallMove } from './documents/hall-move.ts';
import { heatPump } from './documents/heat-pump.ts';
import { ledgerSplit } from './documents/ledger-split.ts';
import { offlineNotes } from './documents/offline-notes.ts';
import { onCall } from './documents/on-call.ts';
import { readingStudy } from './documents/reading-study.ts';
import { searchRebuild } from './documents/search-rebuild.ts';
import { sleepTrial } from './documents/sleep-trial.ts';
import { vaccinationDay } from './documents/vaccination-day.ts';

/** All test documents with statements of known truth, about which deliberations are simulated. */
export const DOCUMENTS: readonly [Document, ...Document[]] = [
  ledgerSplit,
  backups,
  sleepTrial,
  heatPump,
  searchRebuild,
  onCall,
  readingStudy,
  vaccinationDay,
  offlineNotes,
  accessReview,
  eventPipeline,
  hallMove,
];

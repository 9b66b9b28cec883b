/** `locker.ts FILE`: another program that holds the database until it is told a line, and for a moment more. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';

const db = new Database(process.argv[2] ?? '');
db.exec('BEGIN IMMEDIATE');
console.log(JSON.stringify('locked'));
await once(createInterface({ input: process.stdin }), 'line');
// Whoever tells it to let go needs the time to reach for the database.
await sleep(500);
db.exec('COMMIT');
db.close();

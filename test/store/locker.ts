/**
 * `locker.ts FILE`: locks a database as another program could, until it reads a line, and half a second
 * more.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';

const db = new Database(process.argv[2] ?? '');
db.exec('BEGIN IMMEDIATE');
console.log(JSON.stringify('locked'));
await once(createInterface({ input: process.stdin }), 'line');
// Keep the lock until the test that has written the line tries to open the database.
await sleep(500);
db.exec('COMMIT');
db.close();

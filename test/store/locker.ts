/** `locker.ts FILE MS`: another program that holds the database for MS milliseconds. */
import Database from 'better-sqlite3';

const [, , file = '', ms = '0'] = process.argv;
const db = new Database(file);
db.exec('BEGIN IMMEDIATE');
console.log(JSON.stringify('locked'));
setTimeout(() => db.exec('COMMIT'), Number(ms));

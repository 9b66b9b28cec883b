/** Makes `PRAGMA synchronous = …` choose OFF in this process. Loaded with `--require` it is on from the start. */
const Database = require('better-sqlite3');

const { pragma } = Database.prototype;
let isSyncing = false;

Database.prototype.pragma = function (source, options) {
  const asked = isSyncing ? source : source.replace(/^synchronous = \w+$/, 'synchronous = OFF');
  return pragma.call(this, asked, options);
};

exports.setSyncing = (isOn) => {
  isSyncing = isOn;
};

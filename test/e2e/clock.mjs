/** Replaces the clock before the program loads: at every third reading it changes by an hour and back. */
const Real = Date;
const HOUR = 3_600_000;
let readings = 0;
const shifted = () => Real.now() + (Math.floor(readings++ / 3) % 2 === 1 ? HOUR : 0);
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(shifted());
    else super(...given);
  }
  static now() {
    return shifted();
  }
};

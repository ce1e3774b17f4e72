/** A small deterministic generator (mulberry32): the same seed gives the same demo. */
export type Random = () => number;

export const randomFrom = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Picks an element with equal probability. */
export const pickFrom = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;

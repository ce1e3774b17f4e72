/** A small deterministic generator (LCG), 0 <= number < 1: everything random in a proof follows from its seed. */
export const randomFrom = (start: number): (() => number) => {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
};

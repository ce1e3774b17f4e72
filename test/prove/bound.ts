/** Pure: an upper bound of a promise's failure rate, given its failures in a number of runs. */

/** The 95 % upper bound of the rate: exact for zero failures, otherwise Wilson's bound. */
const upperBound = (failures: number, runs: number): number => {
  if (failures === 0) return 1 - 0.05 ** (1 / runs);
  const z = 1.645;
  const rate = failures / runs;
  const middle = rate + z ** 2 / (2 * runs);
  const half = z * Math.sqrt((rate * (1 - rate)) / runs + z ** 2 / (4 * runs ** 2));
  return (middle + half) / (1 + z ** 2 / runs);
};

export const boundWords = (failures: number, runs: number): string =>
  runs === 0 ? '-' : `< ${(100 * upperBound(failures, runs)).toPrecision(2)} %`;

/** Counts pins by areas of a plan: squares of one size, as many as fit. Pure. */
import { isWithin, type PlanArea, type PlanPoint } from '../../data/model/pin.ts';

/** Squares across the longer side of a drawing. */
const SQUARES = 12;

export interface HeatCell extends PlanArea {
  readonly key: string;
  readonly count: number;
}

/** The areas with a pin, from the top left. */
export const heatCells = (
  pins: readonly PlanPoint[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly HeatCell[] => {
  const side = Math.max(width, height) / SQUARES;
  const [across, down] = [width, height].map((long) => Math.max(1, Math.round(long / side)));
  const columns = across ?? 1;
  const rows = down ?? 1;
  const counts = new Map<number, number>();
  const indexOf = (at: number, of: number): number => Math.min(of - 1, Math.floor(at * of));
  for (const { x, y } of pins) {
    const cell = indexOf(y, rows) * columns + indexOf(x, columns);
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([cell, count]) => {
      const [column, row] = [cell % columns, Math.floor(cell / columns)];
      return {
        key: `${column} ${row}`,
        count,
        left: column / columns,
        top: row / rows,
        right: (column + 1) / columns,
        bottom: (row + 1) / rows,
      };
    });
};

/** The pins of an area. One on the edge between two areas belongs to the area that counts it. */
export const pinsIn = <P extends PlanPoint>(pins: readonly P[], area: PlanArea): readonly P[] =>
  pins.filter((pin) => isWithin(pin, area));

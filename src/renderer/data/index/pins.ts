/** The pins of a project's near misses on its plans (decisions §17.4). Pure; part of the figures (insights.ts). */
import { readPin, type PlanPoint } from '../model/pin.ts';
import type { NearMissTraits } from './near-miss-facts.ts';

export interface PinFact extends PlanPoint {
  /** Key of the near miss. */
  readonly key: string;
  readonly revision_id: number;
  readonly severity: string | null;
  readonly created_at: number;
}

/** Null if the near miss has no pin. */
export const pinFactOf = (
  { key, custom, created_at }: NearMissTraits,
  field: string,
  severity: string | null,
): PinFact | null => {
  const pin = readPin(custom[field]);
  if (pin === null) return null;
  const { x, y, revision_id } = pin;
  return { key, x, y, revision_id, severity, created_at };
};

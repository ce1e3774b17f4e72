/** [ours] An erasure that is being carried out (decisions §21.2). */
import type { Finder } from './finder.ts';

export interface Task {
  readonly company_id: number;
  readonly id: number;
  /** Who decided. */
  readonly user_id: number;
  readonly pseudonym: string;
  readonly finder: Finder;
  readonly now: number;
}

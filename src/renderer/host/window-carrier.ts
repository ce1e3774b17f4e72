/** The window's carrier, from either shell. */
import type { Carrier, CarrierReply } from '../../contract/carrier.ts';

/** A browser carrier can also send bytes from a file without loading them into this page's memory. */
export interface WindowCarrier extends Carrier {
  readonly callWithFile?: (method: string, input: unknown, bytes: Blob) => Promise<CarrierReply>;
}

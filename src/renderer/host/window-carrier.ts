/** The carrier of a window, whichever shell made it. */
import type { Carrier, CarrierReply } from '../../contract/carrier.ts';

/** What a carrier in a browser may do besides: bytes go from a file without passing through this page's memory. */
export interface WindowCarrier extends Carrier {
  readonly callWithFile?: (method: string, input: unknown, bytes: Blob) => Promise<CarrierReply>;
}

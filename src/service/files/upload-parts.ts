/** Dependencies of the code that receives and serves bytes; `uploads.ts` creates them. */
import type { Options } from '../options.ts';
import type { Store } from '../store/engine/db.ts';
import type { FileStore } from './file-store.ts';
import type { Prover } from './proof.ts';
import type { Signer } from './signing.ts';
import type { Thumbnailer } from './thumbnails/thumbnails.ts';

export interface UploadParts {
  readonly options: Options;
  readonly store: Store;
  readonly files: FileStore;
  readonly signer: Signer;
  /** Milliseconds since the epoch; never earlier than any moment this data folder has seen. */
  readonly now: () => number;
  readonly thumbnails: Thumbnailer;
  readonly prover: Prover;
}

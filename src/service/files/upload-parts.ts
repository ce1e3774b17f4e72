/** What the code that receives and serves bytes works with: `uploads.ts` puts it together. */
import type { Options } from '../options.ts';
import type { Store } from '../store/db.ts';
import type { FileStore } from './file-store.ts';
import type { Signer } from './signing.ts';
import type { Thumbnailer } from './thumbnails.ts';

export interface UploadParts {
  readonly options: Options;
  readonly store: Store;
  readonly files: FileStore;
  readonly signer: Signer;
  /** Milliseconds since the epoch; never earlier than any moment this data folder has seen. */
  readonly now: () => number;
  readonly thumbnails: Thumbnailer;
}

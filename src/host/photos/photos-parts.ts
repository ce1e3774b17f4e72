/** Dependencies of the photo modules on the rest of the host. */
import type { HostEvent } from '../../contract/host.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Transport } from '../http/http-client.ts';
import type { Api } from '../http/request.ts';
import type { Clock } from '../lib/clock.ts';
import type { Session } from '../session/session-types.ts';

export interface PhotosParts {
  readonly folder: string;
  readonly api: Api;
  readonly transport: Transport;
  readonly session: Session;
  readonly clock: Clock;
  readonly emit: (event: HostEvent) => void;
  /** True if a queued operation or a draft still needs this photo. */
  readonly named: (photoId: string) => boolean;
  /** True if a queued operation contains this text, such as the hash of a photo's bytes. */
  readonly mentions: (text: string) => boolean;
  readonly settings: () => Pick<Settings, 'photo_keep_days' | 'photo_read_back'>;
  readonly free_space?: ((folder: string) => Promise<number>) | undefined;
}

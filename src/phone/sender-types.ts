/** The state that the sender shows on its page, and its dependencies. */
import type { PhoneFile } from '../contract/phone/phone.ts';

/**
 * joining: no answer yet. ready: the laptop answers. lost: it does not answer at present. taken: another phone uses the code.
 * unreadable: another machine answered, or the laptop has a new code.
 */
export type Link = 'joining' | 'ready' | 'lost' | 'taken' | 'unreadable';

export interface Sent {
  readonly name: string;
  readonly size: number;
  readonly received: number;
  /** `on_laptop`: size and hash match. `unread`: the phone can no longer read the file. */
  readonly state: 'waiting' | 'sending' | 'checking' | 'on_laptop' | 'asks' | 'refused' | 'unread';
  readonly why: PhoneFile['why'];
}

export interface SenderView {
  readonly link: Link;
  readonly files: readonly Sent[];
  /** Number of chosen files over the limit of one code. */
  readonly left_out: number;
}

export interface SenderParts {
  readonly secret: Uint8Array;
  /** Returns the response, or throws when there was none. */
  readonly post: (
    path: '/hello' | '/ask',
    body: Uint8Array<ArrayBuffer>,
  ) => Promise<{ readonly status: number; readonly body: Uint8Array }>;
  readonly random: (bytes: number) => Uint8Array;
  readonly wait: (ms: number) => Promise<void>;
  readonly changed: (view: SenderView) => void;
  /** Keeps this phone's random bytes as hex, so that a reloaded page is the same phone to the laptop. */
  readonly memory: { get(): string | null; set(drawn: string): void };
}

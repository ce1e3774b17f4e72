/** Pure: the actions that a script may request of the window, shared by runner, window and oracle. */

/** A photo derived from its seed, so that both sides know its bytes. */
export interface PhotoSpec {
  readonly seed: number;
  /** In bytes. */
  readonly size: number;
}

export type Action =
  | {
      readonly do: 'create';
      readonly key: string;
      readonly incident_id: number;
      readonly text: string;
      readonly photos: readonly PhotoSpec[];
    }
  | { readonly do: 'edit'; readonly key: string; readonly text: string }
  | { readonly do: 'delete'; readonly key: string }
  | { readonly do: 'restore'; readonly key: string }
  | { readonly do: 'take_back'; readonly key: string }
  | {
      readonly do: 'save_again';
      readonly key: string;
      readonly incident_id: number;
      readonly text: string;
    }
  | { readonly do: 'add_photo'; readonly key: string; readonly photo: PhotoSpec };

/**
 * `saved`: the window said "saved on this laptop". `refused`: it said that it was not. `nothing`: the target did not exist.
 * `unknown`: the window ended before it answered.
 */
export interface Outcome {
  readonly said: 'saved' | 'refused' | 'nothing' | 'unknown';
  /** For a delete, whether the server ever had it; otherwise the problem's kind, for the report. */
  readonly detail?: string;
}

const HEAD = [
  0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xda,
  0, 8, 1, 1, 0, 0, 0x3f, 0,
];

/** A JPEG without metadata whose picture is noise, different for every seed. */
export const photoBytes = ({ seed, size }: PhotoSpec): Uint8Array<ArrayBuffer> => {
  const words = new Uint32Array(Math.ceil(size / 4));
  let state = (Math.imul(seed, 2_654_435_761) + 1) >>> 0 || 1;
  for (let at = 0; at < words.length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    // Avoids the byte 0xff, which would start a marker.
    words[at] = state & 0x7f7f7f7f;
  }
  const bytes = new Uint8Array(words.buffer, 0, size);
  bytes.set(HEAD);
  bytes.set([0xff, 0xd9], size - 2);
  return bytes;
};

export interface WindowState {
  readonly leads: boolean;
  readonly session: string;
  readonly operations: readonly {
    readonly id: string;
    readonly kind: string;
    readonly lane: string;
    readonly state: string;
    readonly attempts: number;
    readonly problem: string | null;
  }[];
  readonly tombstones: number;
  readonly quarantined: number;
  /** The problem's kind; null if nothing holds the queue. */
  readonly hold: string | null;
  /** Entries left in the journal; -1 if the host does not answer. */
  readonly journal: number;
  /** Photos of saved records that are not delivered. */
  readonly undelivered: number;
}

/** A step between window and host, reported before and after each call. */
export interface Point {
  readonly when: 'before' | 'after' | 'open';
  readonly method: string;
  /** Endpoint of a `rest.request`. */
  readonly endpoint: string;
  /** True for work of the start (rebuild, repair), false for a person's or the engine's. */
  readonly starting: boolean;
  /** For `open`: null if the window started, else the reason. */
  readonly problem: string | null;
}

/** The API that the driver page offers as `window.driver`. */
export interface Driver {
  connect(input: {
    readonly address: string;
    readonly company_id: number;
    readonly project_id: number;
    readonly token: string;
  }): Promise<string | null>;
  act(action: Action): Promise<Outcome>;
  state(): Promise<WindowState>;
  /** Resends everything that needs a person. */
  sendAgain(): Promise<void>;
}

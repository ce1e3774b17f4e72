/** Pure: what a run's script may ask of the window, in words that the runner, the window and the oracle share. */

/** A photo that follows from its seed, so that both sides know its bytes. */
export interface PhotoSpec {
  readonly seed: number;
  /** Bytes. */
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
 * `saved`: the window said "saved on this laptop". `refused`: it said that it was not. `nothing`: there was nothing to
 * do it to. `unknown`: the window ended before it said anything.
 */
export interface Outcome {
  readonly said: 'saved' | 'refused' | 'nothing' | 'unknown';
  /** Of a delete: did the server ever have it? Else the problem's kind, for people. */
  readonly detail?: string;
}

const HEAD = [
  0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xda,
  0, 8, 1, 1, 0, 0, 0x3f, 0,
];

/** Put together as a JPEG without metadata, its picture noise: different for every seed. */
export const photoBytes = ({ seed, size }: PhotoSpec): Uint8Array<ArrayBuffer> => {
  const words = new Uint32Array(Math.ceil(size / 4));
  let state = (Math.imul(seed, 2_654_435_761) + 1) >>> 0 || 1;
  for (let at = 0; at < words.length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    // No byte of 0xff: a marker would begin there.
    words[at] = state & 0x7f7f7f7f;
  }
  const bytes = new Uint8Array(words.buffer, 0, size);
  bytes.set(HEAD);
  bytes.set([0xff, 0xd9], size - 2);
  return bytes;
};

/** What the window tells of itself when it is asked. */
export interface WindowState {
  readonly leads: boolean;
  readonly session: string;
  readonly entries: readonly {
    readonly id: string;
    readonly kind: string;
    readonly lane: string;
    readonly state: string;
    readonly attempts: number;
    readonly problem: string | null;
  }[];
  readonly tombstones: number;
  readonly quarantined: number;
  /** Problem's kind, null where nothing holds the queue. */
  readonly hold: string | null;
  /** Entries the journal still has; -1 where the host does not answer. */
  readonly journal: number;
  /** Photos of saved records that are not delivered. */
  readonly undelivered: number;
}

/** Where the window is between its own steps and the host: told before and after each call. */
export interface Point {
  readonly when: 'before' | 'after' | 'open';
  readonly method: string;
  /** Of `rest.request`. */
  readonly endpoint: string;
  /** Is it the start's own work (rebuild, repair), not a person's or the engine's? */
  readonly starting: boolean;
  /** Of `open`: null when the window started, else why not. */
  readonly problem: string | null;
}

/** What the driver page offers as `window.driver`. */
export interface Driver {
  connect(input: {
    readonly address: string;
    readonly company_id: number;
    readonly project_id: number;
    readonly token: string;
  }): Promise<string | null>;
  act(action: Action): Promise<Outcome>;
  state(): Promise<WindowState>;
  /** As a person who sends again whatever needs one. */
  sendAgain(): Promise<void>;
}

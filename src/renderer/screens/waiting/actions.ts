/** What can be done with what waits. The screen does it, and asks first where something would be lost. */
export interface Actions {
  readonly retry: (entry_ids: readonly string[]) => void;
  /** Set aside until a person says otherwise. */
  readonly aside: (entry_ids: readonly string[]) => void;
  /** Taken back; `whole`: the record itself, not a change of it. */
  readonly take: (entry_id: string, whole: boolean) => void;
  /** Somebody else changed the record too: both are shown, field by field. */
  readonly dispute: (key: string) => void;
  /** Out of the recycle bin, and then what waits for it. */
  readonly restore: (key: string) => void;
  /** As a new report: the server's is gone. */
  readonly renew: (key: string) => void;
  /** What waits for a record that is gone is given up. */
  readonly drop: (key: string) => void;
  /** As a file. */
  readonly save: (key: string) => void;
  /** Stops a photo and takes it off the queue. */
  readonly leaveOut: (entry_id: string) => void;
}

/** Actions on pending items. The screen implements them, and asks first if data would be lost. */
export interface Actions {
  readonly retry: (operation_ids: readonly string[]) => void;
  /** Puts operations on hold until the user releases them. */
  readonly aside: (operation_ids: readonly string[]) => void;
  /** Cancels an operation. `whole`: it creates the record, rather than changing it. */
  readonly take: (operation_id: string, whole: boolean) => void;
  /** Opens the conflict of a record, field by field. */
  readonly dispute: (key: string) => void;
  /** Restores the near miss from the recycle bin, then sends its pending operations. */
  readonly restore: (key: string) => void;
  /** Turns the operations into a new report, because the server's record is gone. */
  readonly renew: (key: string) => void;
  /** Discards the pending operations of a record that is gone. */
  readonly drop: (key: string) => void;
  /** Exports the item to a file. */
  readonly save: (key: string) => void;
  /** Stops the upload of a photo and removes it from the queue. */
  readonly leaveOut: (operation_id: string) => void;
}

/** The ports that the webhook rules require. webhooks/ implements them. */

/** Encrypts texts in the database. `place` names the row and column that a text is bound to. */
export interface Secrets {
  seal(text: string, place: string): string;
  /** Null if the text was encrypted with another key or for another place, or was altered. */
  open(sealed: string, place: string): string | null;
}

/** Returns null if the URL is allowed, otherwise the problem. Waits for DNS, so never call it inside a transaction. */
export type JudgeUrl = (url: string) => Promise<string | null>;

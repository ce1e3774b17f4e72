/** What the rules of webhooks need of the running service: the ports that webhooks/ fills. */

/** Keeps texts unreadable in the database. `place` names the row and column a text belongs to. */
export interface Secrets {
  seal(text: string, place: string): string;
  /** Null when it was sealed with another key, for another place, or was altered. */
  open(sealed: string, place: string): string | null;
}

/** Null when a hook may lead there, else what is wrong. Waits for name servers: never inside a transaction. */
export type JudgeUrl = (url: string) => Promise<string | null>;

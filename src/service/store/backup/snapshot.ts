/**
 * Copies a SQLite database while it is in use (SQLite's online backup), and lists the files that the copy requires. Used by
 * backup and restore, which open the database next to a running service.
 */
import { chmodSync } from 'node:fs';
import SQLite from 'better-sqlite3';

/** Writes a consistent copy of the database at `from` to `to`, as one file without a journal. */
export const snapshotDatabase = async (from: string, to: string): Promise<void> => {
  const db = new SQLite(from, { readonly: true, fileMustExist: true });
  try {
    await db.backup(to);
  } finally {
    db.close();
  }
  chmodSync(to, 0o600);
  const copy = new SQLite(to);
  try {
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
};

/** A stored file of the copy, or a segment of an upload in progress: its parts in order, and the SHA-256 (hex) of the whole. */
export interface KeptFile {
  readonly upload: string;
  readonly parts: readonly string[];
  readonly sha256: string;
}

interface Row {
  readonly storage_key: string;
  readonly sha256: string;
  readonly company_id: number;
}

/** @throws Error if the file is not a sound Spotter database */
export const readSnapshot = (
  path: string,
): { readonly files: readonly KeptFile[]; readonly uploads: ReadonlySet<string> } => {
  const db = new SQLite(path, { readonly: true, fileMustExist: true });
  try {
    const sound = db.pragma('integrity_check', { simple: true });
    if (sound !== 'ok') throw new Error(`the database in it is damaged: ${String(sound)}`);
    const rows = db
      .prepare<[], Row>(
        `select f.storage_key, f.sha256, f.company_id from stored_files f
           join uploads u on u.company_id = f.company_id and u.stored_file_id = f.id
          where u.status in ('complete', 'associated')`,
      )
      .all();
    const segments = db.prepare<[number, string], { readonly storage_key: string }>(
      `select storage_key from upload_segments where company_id = ? and upload_uuid = ? order by position`,
    );
    const files = rows.map(({ storage_key, sha256, company_id }): KeptFile => {
      const [upload = '', name] = storage_key.split('/');
      const parts =
        name === undefined
          ? segments.all(company_id, upload).map((row) => row.storage_key)
          : [name];
      return { upload, parts, sha256 };
    });
    const received = db
      .prepare<
        [],
        { readonly upload_uuid: string; readonly storage_key: string; readonly sha256: string }
      >(
        `select s.upload_uuid, s.storage_key, s.sha256 from upload_segments s
           join uploads u on u.company_id = s.company_id and u.uuid = s.upload_uuid
          where u.status = 'receiving' and s.storage_key is not null`,
      )
      .all()
      .map((row): KeptFile => ({
        upload: row.upload_uuid,
        parts: [row.storage_key],
        sha256: row.sha256,
      }));
    const live = db
      .prepare<[], { readonly uuid: string }>(
        `select uuid from uploads where status not in ('deleting', 'deleted')`,
      )
      .all();
    return { files: [...files, ...received], uploads: new Set(live.map(({ uuid }) => uuid)) };
  } finally {
    db.close();
  }
};

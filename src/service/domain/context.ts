/** The input of the rules of a project's resources, and their event recorder. */
import type { Access } from '../../contract/rest/access/levels.ts';
import type { Db } from '../store/engine/db.ts';
import { insertEvent, type EventInput } from '../store/events.ts';
import type { UploadPorts } from './uploads/upload-ports.ts';

export interface ProjectContext {
  /** For writes, the transaction. */
  readonly db: Db;
  readonly company_id: number;
  readonly project_id: number;
  readonly user_id: number;
  readonly now: number;
}

export interface FilesContext extends ProjectContext {
  /** What the caller may do in the company (decisions §12.2). */
  readonly access: Access;
  /** The caller. */
  readonly user: { readonly id: number; readonly name: string; readonly login: string };
  /** For slow queries (`Store.long`). */
  readonly long: Db;
  /** True if this service sends mail (decisions §16). */
  readonly mail: boolean;
  /** The prefix of file addresses. */
  readonly base_url: string;
  readonly uploads: UploadPorts;
  /** The program that sent the request (`User-Agent`). */
  readonly client: string | null;
}

/** Records the events of one resource in the transaction of the change (decisions §9.4). */
export const recordsOf =
  (resource_name: EventInput['resource_name']) =>
  (
    { db, company_id, project_id, user_id, now }: ProjectContext,
    resource_id: number,
    event_type: EventInput['event_type'],
    /** An id that was already taken, if any. */
    event_id?: number,
  ): Promise<void> => {
    const named = { company_id, project_id, user_id, event_type, resource_name, resource_id };
    return insertEvent(db, { ...named, created_at: now }, event_id);
  };

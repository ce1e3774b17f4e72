/** What the rules of a project's resources are given, and how they record what they did. */
import type { Db } from '../store/db.ts';
import { insertEvent, type EventInput } from '../store/events.ts';
import type { UploadPorts } from './upload-ports.ts';

/** Who asks, in which project, when. */
export interface ProjectContext {
  /** Where a rule writes, the write's transaction. */
  readonly db: Db;
  readonly company_id: number;
  readonly project_id: number;
  readonly user_id: number;
  readonly now: number;
}

/** The same for a resource that has files. */
export interface FilesContext extends ProjectContext {
  /** For a look that may take long (`Store.long`). */
  readonly long: Db;
  /** What the addresses of files start with. */
  readonly base_url: string;
  readonly uploads: UploadPorts;
}

/** Records the events of one resource, each in the transaction of the change it tells of (decisions §9.4). */
export const recordsOf =
  (resource_name: EventInput['resource_name']) =>
  (
    { db, company_id, project_id, user_id, now }: ProjectContext,
    resource_id: number,
    event_type: EventInput['event_type'],
    /** Where it was taken already. */
    event_id?: number,
  ): Promise<void> => {
    const named = { company_id, project_id, user_id, event_type, resource_name, resource_id };
    return insertEvent(db, { ...named, created_at: now }, event_id);
  };

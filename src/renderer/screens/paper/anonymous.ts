/** The names of persons that a page without names leaves out of a near miss's texts (contract/text/without-names.ts). */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import { knownNames, type KnownNames } from '../../../contract/text/without-names.ts';
import type { NearMissRow } from '../../data/db/db.ts';

export const namesIn = (
  { names, server }: Pick<NearMissRow, 'names' | 'server'>,
  catalog: Pick<Catalog, 'people' | 'parties'> | null,
  /** Other names that this near miss has. */
  more: readonly string[] = [],
): KnownNames =>
  knownNames(
    [names.affected_person, names.affected_party, server?.incident_created_by?.name ?? '', ...more],
    [...(catalog?.people ?? []), ...(catalog?.parties ?? [])].map(({ name }) => name),
  );

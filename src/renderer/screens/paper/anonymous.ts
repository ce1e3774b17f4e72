/** The names of persons that a page without names leaves out of a near miss's texts (contract/text/without-names.ts). */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import { knownNames, type KnownNames } from '../../../contract/text/without-names.ts';
import type { NearMissRow } from '../../data/db/db.ts';
import { whoSawFields, whoSawOf } from '../../data/model/who-saw.ts';

export const namesIn = (
  { names, server, fields }: Pick<NearMissRow, 'names' | 'server' | 'fields'>,
  catalog: Pick<Catalog, 'people' | 'parties' | 'custom_field_definitions'> | null,
  /** Other names that this near miss has. */
  more: readonly string[] = [],
): KnownNames => {
  const saw = whoSawFields(catalog?.custom_field_definitions ?? []);
  return knownNames(
    [
      names.affected_person,
      names.affected_party,
      server?.incident_created_by?.name ?? '',
      saw ? whoSawOf(fields, saw).name : '',
      ...more,
    ],
    [...(catalog?.people ?? []), ...(catalog?.parties ?? [])].map(({ name }) => name),
  );
};

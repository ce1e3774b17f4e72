/** What became of reports from the box, by the near misses on this laptop: filed once one with the report's id exists. */
import type { BoxOutcome, BoxReport } from '../../../contract/phone/box.ts';
import type { Deps, NearMissRow } from '../db/db.ts';
import { answerFields, answerOf } from '../model/answer.ts';

const outcomeOf = async (deps: Pick<Deps, 'db'>, row: NearMissRow): Promise<BoxOutcome> => {
  const catalog = await deps.db.catalogs.get([row.account, row.project_id]);
  const fields = answerFields(catalog?.catalog.custom_field_definitions ?? []);
  return {
    id: row.key,
    number: row.full_number.slice(0, 100),
    answer: fields === null ? '' : answerOf(row.fields, fields).what.slice(0, 2_000),
  };
};

/** liveQuery: the outcomes that the host does not know yet. */
export const newOutcomes = async (
  deps: Pick<Deps, 'db'>,
  reports: readonly BoxReport[],
): Promise<readonly BoxOutcome[]> => {
  const rows = await deps.db.near_misses.bulkGet(reports.map(({ id }) => id));
  const outcomes = await Promise.all(
    rows.flatMap((row) => (row === undefined ? [] : outcomeOf(deps, row))),
  );
  return outcomes.filter(({ id, number, answer }) => {
    const known = reports.find((one) => one.id === id);
    return known?.state !== 'filed' || known.number !== number || known.answer !== answer;
  });
};

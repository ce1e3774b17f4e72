/** The menu that exports near misses. */
export const take_along = {
  menu: 'Export',
  xlsx: 'Excel (.xlsx)',
  xlsx_last_month: 'Last month to Excel',
  none_last_month: 'No near miss was reported last month.',
  csv: 'Table (CSV)',
  zip: 'With photos (zip)',
};

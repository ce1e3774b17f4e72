/**
 * Names of the company's screens, Insights, the week on a page, the photos and the tour. The rail, titles and the finder need them before those
 * screens' other words are loaded.
 */
import { count } from './say.ts';

export const places = {
  tm: 'Time and materials',
  insurances: 'Vendor insurance',
  insurances_short: 'Insurance',
  members: 'Members',
  webhooks: 'Webhooks',
  users: 'Users',
  follow_ups: 'Follow-ups',
  own_data: 'Company data',
  more: 'More of the company',
  jobs: 'Jobs and areas',
  people: 'People',
  companies: 'Companies',
  equipment: 'Equipment',
  plans: 'Plans',
  insights: 'Insights',
  week: 'The week on a page',
  photos: 'Photos',
  tour: 'How Spotter works',
  said: 'You said, we did',
  box: 'Report box',
  box_count: (n: number) =>
    count(n, { one: 'Report box, # report waits', other: 'Report box, # reports wait' }),
  reportable: 'Does this have to be reported?',
};

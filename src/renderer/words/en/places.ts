/** What the company's screens, Insights and the week on a page are called in the rail, in titles and in the finder: known before their own words are loaded. */

export const places = {
  tm: 'Time and materials',
  insurances: 'Vendor insurance',
  insurances_short: 'Insurance',
  members: 'Members',
  webhooks: 'Webhooks',
  own_data: 'Company data',
  insights: 'Insights',
  week: 'The week on a page',
};

/** The sentences of the company's screens, of Insights and of the week on a page in English. */
import { company } from './company.ts';
import { own_data } from './company-data.ts';
import { insights } from './insights.ts';
import { insurances } from './insurances.ts';
import { members } from './members.ts';
import { webhooks } from './webhooks.ts';
import { tm } from './time-and-material.ts';
import { week } from './week.ts';

export const wing = {
  own_data,
  tm,
  insights,
  insurances,
  members,
  webhooks,
  company,
  week,
};

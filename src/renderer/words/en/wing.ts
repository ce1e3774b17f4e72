/** The sentences of the company's screens in English. */
import { company } from './company.ts';
import { own_data } from './company-data.ts';
import { insurances } from './insurances.ts';
import { members } from './members.ts';
import { webhooks } from './webhooks.ts';
import { tm } from './time-and-material.ts';

export const wing = {
  own_data,
  tm,
  insurances,
  members,
  webhooks,
  company,
};

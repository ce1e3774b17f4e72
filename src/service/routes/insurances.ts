/** Vendor insurances (reference: Vendor insurances; decisions §8). */
import type { EndpointName } from '../../contract/rest/index.ts';
import { syncInsurances } from '../domain/company/insurance-sync.ts';
import * as rules from '../domain/company/insurances.ts';
import type { Call, HandlersOf } from './handler.ts';

type InsuranceEndpoint = Extract<EndpointName, `insurances.${string}`>;

const contextOf = (call: Call<InsuranceEndpoint>): rules.Context => ({
  db: call.db,
  company_id: call.company_id,
  project_id: call.params.project_id,
  vendor_id: call.params.vendor_id,
  user_id: call.user.id,
  now: call.now,
});

export const insuranceHandlers: HandlersOf<InsuranceEndpoint> = {
  'insurances.list': (call) => rules.listInsurances(contextOf(call), call.query),
  'insurances.create': (call) => rules.createInsurance(contextOf(call), call.body.insurance),
  'insurances.sync': async (call) => ({
    data: await syncInsurances(contextOf(call), call.body.updates),
  }),
  'insurances.show': (call) => rules.showInsurance(contextOf(call), call.params.id),
  'insurances.update': (call) =>
    rules.updateInsurance(contextOf(call), call.params.id, call.body.insurance, call.if_match),
  'insurances.delete': async (call) => ({
    data: await rules.deleteInsurance(contextOf(call), call.params.id, call.if_match),
  }),
};

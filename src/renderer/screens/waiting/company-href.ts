/** Where insurances, members and webhooks that wait are looked at and put right. */
import type { CompanyLane } from '../../data/company-lanes.ts';
import { p } from '../../router.ts';

export const companyHref = (lane: CompanyLane): string => {
  if (lane.kind === 'insurances')
    return p('/insurances/:vendor', { params: { vendor: String(lane.vendor_id) } });
  if (lane.kind === 'incidents') return p('/new');
  return lane.kind === 'members' ? p('/members') : p('/webhooks');
};

/** The migrations in order. To add one, create a file in this folder and append it here. */
import type { Migration } from 'kysely/migration';
import { first } from './0001-first.ts';
import { access } from './0002-access.ts';
import { changes } from './0003-changes.ts';
import { history } from './0004-history.ts';
import { serviceAccounts } from './0005-service-accounts.ts';
import { memberships } from './0006-memberships.ts';
import { mail } from './0007-mail.ts';
import { logins } from './0008-logins.ts';
import { evidence } from './0009-evidence.ts';
import { companyNotices } from './0010-company-notices.ts';
import { plans } from './0011-plans.ts';
import { comments } from './0012-comments.ts';
import { retention } from './0013-retention.ts';
import { erasures } from './0014-erasures.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': first,
  '0002-access': access,
  '0003-changes': changes,
  '0004-history': history,
  '0005-service-accounts': serviceAccounts,
  '0006-memberships': memberships,
  '0007-mail': mail,
  '0008-logins': logins,
  '0009-evidence': evidence,
  '0010-company-notices': companyNotices,
  '0011-plans': plans,
  '0012-comments': comments,
  '0013-retention': retention,
  '0014-erasures': erasures,
};

/** The list of migrations, in order. A new one is a file beside this one and a line here. */
import type { Migration } from 'kysely/migration';
import { first } from './0001-first.ts';
import { uploads } from './0002-uploads.ts';
import { tokens } from './0005-tokens.ts';
import { projectResources } from './0006-project-resources.ts';
import { webhooks } from './0007-webhooks.ts';
import { storedFileKeys } from './0008-stored-file-keys.ts';
import { webhookSecrets } from './0009-webhook-secrets.ts';
import { keptAnswers } from './0011-kept-answers.ts';
import { waitingUploads } from './0012-waiting-uploads.ts';
import { privateIncidents } from './0013-private-incidents.ts';
import { foldedAccents } from './0014-folded-accents.ts';
import { companyRecords } from './0015-company-records.ts';
import { growth } from './0016-growth.ts';
import { followUp } from './0017-follow-up.ts';
import { photoCaptions } from './0018-photo-captions.ts';
import { shownNames } from './0019-shown-names.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': first,
  '0002-uploads': uploads,
  '0005-tokens': tokens,
  '0006-project-resources': projectResources,
  '0007-webhooks': webhooks,
  '0008-stored-file-keys': storedFileKeys,
  '0009-webhook-secrets': webhookSecrets,
  '0011-kept-answers': keptAnswers,
  '0012-waiting-uploads': waitingUploads,
  '0013-private-incidents': privateIncidents,
  '0014-folded-accents': foldedAccents,
  '0015-company-records': companyRecords,
  '0016-growth': growth,
  '0017-follow-up': followUp,
  '0018-photo-captions': photoCaptions,
  '0019-shown-names': shownNames,
};

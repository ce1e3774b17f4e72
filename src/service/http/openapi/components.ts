/** Names the schemas that the OpenAPI document uses more than once. Generated clients get types of these names. */
import type { z } from 'zod';
import { entryAttachment, nearMissAttachment } from '../../../contract/rest/attachments.ts';
import { catalog, customFieldDefinition } from '../../../contract/rest/catalog.ts';
import { company } from '../../../contract/rest/companies.ts';
import { companyRecordImport, companyRecordKinds } from '../../../contract/rest/company-records.ts';
import { firstAndCreated } from '../../../contract/rest/created-attachments.ts';
import { deletedRecord } from '../../../contract/rest/protocol/following.ts';
import { errorBody } from '../../../contract/rest/protocol/errors.ts';
import { historyEntry } from '../../../contract/rest/history/near-miss-history.ts';
import { incident, incidentCreate, incidentUpdate } from '../../../contract/rest/incidents.ts';
import {
  insurance,
  insuranceSyncError,
  insuranceWrite,
  listedInsurance,
} from '../../../contract/rest/insurances.ts';
import {
  newServiceAccount,
  serviceAccount,
} from '../../../contract/rest/access/service-accounts.ts';
import { tokenInfo } from '../../../contract/rest/access/token-info.ts';
import { accessToken, newAccessToken } from '../../../contract/rest/access/tokens.ts';
import { companyUser } from '../../../contract/rest/access/users.ts';
import { me } from '../../../contract/rest/me.ts';
import { nearMiss, nearMissCreate, nearMissUpdate } from '../../../contract/rest/near-misses.ts';
import { projectMembership } from '../../../contract/rest/project-memberships.ts';
import {
  segment,
  segmentCreate,
  upload,
  uploadComplete,
  uploadCreate,
} from '../../../contract/rest/uploads.ts';
import {
  webhookDelivery,
  webhookHook,
  webhookHookCreate,
  webhookHookCreated,
  webhookHookUpdate,
  webhookNotification,
  webhookTrigger,
  webhookTriggerCreate,
} from '../../../contract/rest/webhooks.ts';
import { visibleProject } from '../../../contract/rest/workplaces.ts';

/** `input`: as a request sends it; `output`: as a response returns it. */
export interface Component {
  readonly schema: z.ZodType;
  readonly io: 'input' | 'output';
}

const all = (io: Component['io'], schemas: Readonly<Record<string, z.ZodType>>) =>
  Object.entries(schemas).map(([name, schema]) => [name, { schema, io }] as const);

/** `time_and_material_entry` -> `TimeAndMaterialEntry` */
const componentName = (one: string): string =>
  one
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Response and request schemas of every kind of company record. */
const ofKinds = Object.values(companyRecordKinds).flatMap(({ one, shown, create, update }) => {
  const name = componentName(one);
  return [
    ...all('output', { [`Company${name}`]: shown }),
    ...all('input', { [`Company${name}Create`]: create, [`Company${name}Update`]: update }),
  ];
});

export const components: ReadonlyMap<string, Component> = new Map([
  ...all('output', {
    Error: errorBody,
    AccessToken: accessToken,
    Catalog: catalog,
    Company: company,
    CompanyUser: companyUser,
    CompanyRecordImport: companyRecordImport,
    CustomFieldDefinition: customFieldDefinition,
    DeletedRecord: deletedRecord,
    HistoryEntry: historyEntry,
    Incident: incident,
    Insurance: insurance,
    InsuranceSyncError: insuranceSyncError,
    ListedInsurance: listedInsurance,
    Me: me,
    NewAccessToken: newAccessToken,
    NewServiceAccount: newServiceAccount,
    NearMiss: nearMiss,
    NearMissAttachment: nearMissAttachment,
    ProjectMembership: projectMembership,
    Segment: segment,
    ServiceAccount: serviceAccount,
    TimeAndMaterialEntryAttachment: entryAttachment,
    TimeAndMaterialEntryAttachments: firstAndCreated,
    TokenInfo: tokenInfo,
    Upload: upload,
    VisibleProject: visibleProject,
    WebhookDelivery: webhookDelivery,
    WebhookHook: webhookHook,
    WebhookHookCreated: webhookHookCreated,
    WebhookNotification: webhookNotification,
    WebhookTrigger: webhookTrigger,
  }),
  ...all('input', {
    IncidentCreate: incidentCreate,
    IncidentUpdate: incidentUpdate,
    InsuranceWrite: insuranceWrite,
    NearMissCreate: nearMissCreate,
    NearMissUpdate: nearMissUpdate,
    SegmentCreate: segmentCreate,
    UploadComplete: uploadComplete,
    UploadCreate: uploadCreate,
    WebhookHookCreate: webhookHookCreate,
    WebhookHookUpdate: webhookHookUpdate,
    WebhookTriggerCreate: webhookTriggerCreate,
  }),
  ...ofKinds,
]);

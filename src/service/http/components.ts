/** What the OpenAPI document calls the schemas that stand in more than one place: clients that are generated from it get these types. */
import type { z } from 'zod';
import { entryAttachment, nearMissAttachment } from '../../contract/rest/attachments.ts';
import { catalog, customFieldDefinition } from '../../contract/rest/catalog.ts';
import { companyRecordImport, companyRecordKinds } from '../../contract/rest/company-records.ts';
import { firstAndCreated } from '../../contract/rest/created-attachments.ts';
import { errorBody } from '../../contract/rest/errors.ts';
import { incident, incidentCreate, incidentUpdate } from '../../contract/rest/incidents.ts';
import { insurance, insuranceSyncError, insuranceWrite } from '../../contract/rest/insurances.ts';
import { me } from '../../contract/rest/me.ts';
import { nearMiss, nearMissCreate, nearMissUpdate } from '../../contract/rest/near-misses.ts';
import { projectMembership } from '../../contract/rest/project-memberships.ts';
import {
  segment,
  segmentCreate,
  upload,
  uploadComplete,
  uploadCreate,
} from '../../contract/rest/uploads.ts';
import {
  webhookDelivery,
  webhookHook,
  webhookHookCreate,
  webhookHookCreated,
  webhookHookUpdate,
  webhookNotification,
  webhookTrigger,
  webhookTriggerCreate,
} from '../../contract/rest/webhooks.ts';

/** `input`: as a request writes it; `output`: as an answer shows it. */
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

/** Of every kind of a company's own records what is answered and what is written. */
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
    Catalog: catalog,
    CompanyRecordImport: companyRecordImport,
    CustomFieldDefinition: customFieldDefinition,
    Incident: incident,
    Insurance: insurance,
    InsuranceSyncError: insuranceSyncError,
    Me: me,
    NearMiss: nearMiss,
    NearMissAttachment: nearMissAttachment,
    ProjectMembership: projectMembership,
    Segment: segment,
    TimeAndMaterialEntryAttachment: entryAttachment,
    TimeAndMaterialEntryAttachments: firstAndCreated,
    Upload: upload,
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

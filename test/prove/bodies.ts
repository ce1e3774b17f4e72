/** Random bodies per resource: they know the demo company's ids and hold anything in every place. */
import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';

export const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.constantFrom<unknown>(null, 1, 0, -1, 2 ** 53, 1.5, true, '', 'x', [], {}, '1', [1], ['x']),
);
const nearMissBody = fc.record(
  {
    incident_id: fc.oneof(fc.constantFrom<unknown>(1, 2, 99), anything),
    description: fc.oneof(fc.string({ unit: anyCharacter, maxLength: 200 }), anything),
    harm_source_id: fc.oneof(fc.constantFrom<unknown>(1, null), anything),
    upload_uuids: fc.oneof(fc.array(fc.string()), anything),
    custom_field_1: anything,
    custom_field_5: anything,
  },
  { requiredKeys: [] },
);
const insuranceBody = fc.record(
  {
    id: fc.oneof(fc.integer({ min: 1, max: 9 }), anything),
    origin_id: fc.oneof(fc.constantFrom<unknown>('a', 'b', null), anything),
    name: anything,
    limit: fc.oneof(fc.constant('5.00'), anything),
    effective_date: fc.oneof(fc.constant('2026-02-01'), anything),
    status: fc.oneof(fc.constant('compliant'), anything),
    exempt: anything,
  },
  { requiredKeys: [] },
);
const idLists = fc.oneof(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 8 }), anything);
export const bodies = fc.oneof(
  anything,
  fc.record({ insurance: fc.oneof(insuranceBody, anything) }),
  fc.record({ updates: fc.oneof(fc.array(fc.oneof(insuranceBody, anything)), anything) }),
  fc.record({ party_ids: idLists }),
  fc.record({ project_membership: fc.record({ party_id: fc.oneof(fc.nat(12), anything) }) }),
  fc.record({
    time_and_material_entry_id: fc.oneof(fc.constantFrom<unknown>(1, 2), anything),
    time_and_material_entry_attachment: fc.record(
      {
        documents: idLists,
        folders: idLists,
        upload_uuids: fc.oneof(fc.array(fc.string()), anything),
        time_and_material_entry_attachment_ids: idLists,
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ near_miss: fc.oneof(nearMissBody, anything) }),
  fc.record({
    incident: fc.record(
      { title: fc.oneof(fc.string(), anything), event_date: anything, private: anything },
      { requiredKeys: [] },
    ),
  }),
  fc.record(
    {
      response_filename: fc.oneof(fc.string({ unit: anyCharacter }), anything),
      response_content_type: anything,
      size: anything,
      segments: anything,
    },
    { requiredKeys: [] },
  ),
  fc.record({
    company_id: fc.constantFrom<unknown>(1, 1, 1, 2, '1'),
    hook: fc.record(
      {
        destination_url: fc.oneof(
          fc.constant('https://93.184.215.14/'),
          fc.ipV4().map((ip) => `http://${ip}/`),
          anything,
        ),
        namespace: fc.oneof(fc.constant('core'), anything),
        destination_headers: fc.oneof(
          fc.dictionary(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter })),
          anything,
        ),
      },
      { requiredKeys: ['destination_url'] },
    ),
    api_version: fc.constant('v2'),
    // Never a valid trigger: a test must not send to the addresses above.
    trigger: fc.record({ resource_name: anything, event_type: anything }),
  }),
);

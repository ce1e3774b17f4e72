/**
 * User settings of a laptop and their defaults. The host stores them, so every window and every restart has them. The same schema
 * reads them back, so a file of an older version is completed and not rejected.
 */
import { z } from 'zod';
import { globalKeys } from './desktop.ts';
import { languages } from './languages.ts';

const positive = z.number().int().positive();

/** Destination of photos on a server without photos on near misses (the reference has no field for them there). */
export const photoPlace = z.discriminatedUnion('kind', [
  /** The upload's uuid is added to the text of this custom field of the near miss. */
  z.object({ kind: z.literal('custom_field'), id: positive }),
  /** Attached to this time-and-material entry. */
  z.object({ kind: z.literal('time_and_material_entry'), id: positive }),
  /** Photos stay on this laptop and can be exported. */
  z.object({ kind: z.literal('laptop') }),
]);
export type PhotoPlace = z.infer<typeof photoPlace>;

/** Parts of the form that a custom field can fill, one field each. */
export const formParts = ['severity', 'where', 'when', 'action'] as const;
export type FormPart = (typeof formParts)[number];

const field = positive.nullable().optional();
/** The id of the custom field that fills a part; null: no field. Absent: the field whose label matches. */
const formFields = z.object({ severity: field, where: field, when: field, action: field });
export type FormFields = z.infer<typeof formFields>;

const settingFields = {
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', ...languages]),
  /** By project id: the incident preselected for a new near miss. */
  last_incident: z.record(z.string(), positive),
  /** Removes metadata about people, places and devices from a photo before any of it is stored. */
  photo_privacy: z.boolean(),
  /** Longer side of a sent photo in pixels; `original` leaves the photo as the camera made it. */
  photo_size: z.enum(['original', '2560', '1600']),
  /** By connection and project; the key comes from `photoPlaceKey`. */
  photo_places: z.record(z.string(), photoPlace),
  /** By connection and project; the key comes from `photoPlaceKey`. */
  form_fields: z.record(z.string(), formFields),
  /**
   * When photos are sent: always; only on a link the browser reports as neither metered nor slow; or only on the user's request.
   * Text is always sent.
   */
  photo_sending: z.enum(['always', 'good_link', 'by_hand']),
  /** Days a photo stays on this laptop after the server's copy was read back and found equal. */
  photo_keep_days: z.union([z.literal(0), z.literal(7), z.literal(30)]),
  /** True if every photo is read back from the server, also from a server that can prove that it holds it (decisions §5.10). */
  photo_read_back: z.boolean(),
  /** True if the form asks who was affected. Otherwise the form asks only on request. */
  name_people: z.boolean(),
  /** True if the desktop app listens for its shortcut for a new near miss while another app is in front. */
  global_shortcut: z.boolean(),
  /** The shortcut; null: the first proposal for this system. */
  global_keys: globalKeys.nullable(),
  /** True if the desktop app starts with the computer. */
  start_with_system: z.boolean(),
  /** Behaviour of the desktop app when it is closed with pending operations: ask, keep sending from the tray, or quit. */
  when_closed: z.enum(['ask', 'keep_sending', 'end']),
  /** True if the desktop app notifies when a person is needed, and when everything was sent while its window was away. */
  notices: z.boolean(),
  /** True if spelling is checked on systems that download a dictionary for it (Linux, Windows). */
  spelling: z.boolean(),
  /** True if the desktop app uses the GPU. Takes effect at the next start. */
  hardware_graphics: z.boolean(),
  /** The country whose law the window asks about reports to an authority; null: not chosen yet. */
  law_country: z.enum(['uk', 'us', 'se']).nullable(),
  /** True once the three cards of the first start were skipped or viewed, per laptop. */
  tour_seen: z.boolean(),
};
export const settingsSchema = z.object({
  theme: settingFields.theme.default('system'),
  language: settingFields.language.default('system'),
  last_incident: settingFields.last_incident.default({}),
  photo_privacy: settingFields.photo_privacy.default(true),
  photo_size: settingFields.photo_size.default('original'),
  photo_places: settingFields.photo_places.default({}),
  form_fields: settingFields.form_fields.default({}),
  photo_sending: settingFields.photo_sending.default('always'),
  photo_keep_days: settingFields.photo_keep_days.default(7),
  photo_read_back: settingFields.photo_read_back.default(false),
  name_people: settingFields.name_people.default(false),
  global_shortcut: settingFields.global_shortcut.default(false),
  global_keys: settingFields.global_keys.default(null),
  start_with_system: settingFields.start_with_system.default(false),
  when_closed: settingFields.when_closed.default('ask'),
  notices: settingFields.notices.default(true),
  spelling: settingFields.spelling.default(false),
  hardware_graphics: settingFields.hardware_graphics.default(true),
  law_country: settingFields.law_country.default(null),
  tour_seen: settingFields.tour_seen.default(false),
});
/** Absent fields stay unchanged. `settingsSchema.partial()` would reset them to their defaults. */
export const settingsChange = z.object(settingFields).partial();
export type Settings = z.infer<typeof settingsSchema>;

/** Key of a connection and project: custom fields and entries belong to one project of one server. */
export const photoPlaceKey = (account: string, project_id: number): string =>
  `${account} ${project_id}`;

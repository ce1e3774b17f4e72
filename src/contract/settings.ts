/**
 * What a user may set on a laptop, with its defaults: kept by the host, so that every window and a new start have it, and
 * read back by the same schema, so that a file of an older version is completed and not refused.
 */
import { z } from 'zod';
import { globalKeys } from './desktop.ts';

const positive = z.number().int().positive();

/** Where photos go on a server that takes none on near misses (the reference has no field for them there). */
export const photoPlace = z.discriminatedUnion('kind', [
  /** The upload's uuid is added to the text of this custom field of the near miss. */
  z.object({ kind: z.literal('custom_field'), id: positive }),
  /** Attached to this time-and-material entry. */
  z.object({ kind: z.literal('time_and_material_entry'), id: positive }),
  /** Nowhere: they wait here and can be exported. */
  z.object({ kind: z.literal('laptop') }),
]);
export type PhotoPlace = z.infer<typeof photoPlace>;

/** The parts of the form that one custom field each may play. */
export const formParts = ['severity', 'where', 'when', 'action'] as const;
export type FormPart = (typeof formParts)[number];

const field = positive.nullable().optional();
/** Which field plays a part, by its id; null: none does. Left out: the one whose label says so. */
export const formFields = z.object({ severity: field, where: field, when: field, action: field });
export type FormFields = z.infer<typeof formFields>;

const settingFields = {
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', 'en', 'es']),
  /** Per project id: the incident a new near miss starts with. */
  last_incident: z.record(z.string(), positive),
  /** Photos lose what they say of people, places and devices before anything of them is kept. */
  photo_privacy: z.boolean(),
  /** The longer side of what is sent, pixels; `original`: as the camera made it. */
  photo_size: z.enum(['original', '2560', '1600']),
  /** Per connection, named by `photoPlaceKey`. */
  photo_places: z.record(z.string(), photoPlace),
  /** Per connection, named by `photoPlaceKey`. */
  form_fields: z.record(z.string(), formFields),
  /** When photos go: at once; not while the browser says that data is dear or the link slow; only when told to. Text always goes. */
  photo_sending: z.enum(['always', 'good_link', 'by_hand']),
  /** Days a photo stays on this laptop after the server's copy was read back equal. */
  photo_keep_days: z.union([z.literal(0), z.literal(7), z.literal(30)]),
  /** Does the form ask who was affected? Else only when told to. */
  name_people: z.boolean(),
  /** May the desktop program hear its keys for a new near miss while another program is in front? */
  global_shortcut: z.boolean(),
  /** Which keys; null: the first that this system is proposed. */
  global_keys: globalKeys.nullable(),
  /** Is the desktop program started when this computer is? */
  start_with_system: z.boolean(),
  /** The desktop program, closed while something waits: asks, goes on sending from the tray, or ends. */
  when_closed: z.enum(['ask', 'keep_sending', 'end']),
  /** Does the desktop program tell where a person is needed, and when everything has gone while its window was away? */
  notices: z.boolean(),
  /** Does it check spelling where that needs a dictionary from the network (Linux, Windows)? */
  spelling: z.boolean(),
  /** The three cards of the first start were skipped or looked through: once per laptop. */
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
  name_people: settingFields.name_people.default(false),
  global_shortcut: settingFields.global_shortcut.default(false),
  global_keys: settingFields.global_keys.default(null),
  start_with_system: settingFields.start_with_system.default(false),
  when_closed: settingFields.when_closed.default('ask'),
  notices: settingFields.notices.default(true),
  spelling: settingFields.spelling.default(false),
  tour_seen: settingFields.tour_seen.default(false),
});
/** What is left out stays as it is (`settingsSchema.partial()` would put the default there). */
export const settingsChange = z.object(settingFields).partial();
export type Settings = z.infer<typeof settingsSchema>;

/** A custom field or an entry belongs to a project of a server. */
export const photoPlaceKey = (account: string, project_id: number): string =>
  `${account} ${project_id}`;

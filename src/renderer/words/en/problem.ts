/** Every problem of the contract in English: what happened, what is safe, what to do. Which is said when: problems.ts. */
import type { InputFault } from '../../../contract/problem.ts';
import { count, f, span } from './say.ts';

export const problem = {
  here: 'Everything is safe on this laptop.',
  kept: 'Your version is kept on this laptop.',
  retried: 'Spotter tries again by itself.',
  /** `near_miss.work_activity_id` as people say it. What is not named here is said as the API spells it. */
  fields: {
    access_level: 'access level',
    address: 'address',
    affected_company: 'affected company',
    affected_party: 'affected party',
    affected_person: 'affected person',
    company: 'company',
    description: 'description',
    effective_date: 'effective date',
    expiration_date: 'expiration date',
    harm_source: 'harm source',
    incident: 'incident',
    insurance_provider: 'insurance provider',
    insurance_type: 'insurance type',
    limit: 'limit',
    managed_equipment: 'managed equipment',
    policy_number: 'policy number',
    project: 'project',
    title: 'title',
    token: 'token',
    vendor: 'vendor',
    work_activity: 'work activity',
  } as Readonly<Record<string, string>>,
  custom_field: (id: string) => `field ${id}`,
  /** Words of the server are in quotes: they are in its language, not in the window’s. */
  quoted: (message: string) => `“${message}”`,
  field_says: (field: string, message: string) => `${field} “${message}”`,
  server_says: (says: string) => `The server says: ${says}.`,
  offline: {
    refused: 'The server is not answering.',
    dns: 'The server’s name was not found on this network.',
    reset: 'The connection broke off.',
    unreachable: 'No connection to the server.',
    tls: 'The server’s certificate is not valid, so nothing was sent to it.',
    proxy: 'The proxy of this network does not let Spotter through: ask your office about it.',
  },
  offline_todo: 'It is sent by itself when the connection is back.',
  timeout: 'The server took too long to answer.',
  timeout_todo: 'Spotter tries again by itself. Nothing is sent twice.',
  signed_out: 'The server no longer accepts the token.',
  signed_out_todo: 'Sign in again to send.',
  forbidden: 'You are not allowed to do this in this project.',
  forbidden_todo: 'Ask whoever runs the project for access, then send it again.',
  too_large: 'The server says it is too large.',
  too_large_todo: 'Make the text shorter or the photo smaller, then send it again.',
  refused: 'The server did not accept it.',
  refused_todo: 'Correct it, then send it again.',
  conflict: 'Someone else changed it in the meantime.',
  conflict_todo: 'Open it, look at both versions, then send it again.',
  gone: 'The server no longer has it.',
  gone_todo: 'Export it or take it back.',
  unsure: (records: number) =>
    count(records, {
      one: 'The connection broke off while it was sent. The server has a record with the same text.',
      other:
        'The connection broke off while it was sent. The server has # records with the same text.',
    }),
  unsure_todo:
    'Say whether one of them is this one. Until then it is not sent again, so that nothing is filed twice.',
  no_photo_place: 'This server takes no photos on near misses.',
  no_photo_place_todo: 'Choose in Settings where photos go, or export them.',
  photos_stay:
    'This server takes no photos on near misses. By your setting they stay on this laptop.',
  photos_stay_todo: 'Export them, or choose another place for photos in Settings.',
  photos_safe: 'The text was delivered. The photos are safe on this laptop.',
  busy: 'The server asks everyone to slow down.',
  busy_todo: (ms: number) => `Spotter tries again in ${span(ms)}.`,
  server_error: 'The server has a fault of its own.',
  portal:
    'Something between this laptop and the server answers in its place, as a Wi-Fi sign-in page does.',
  portal_todo: 'Sign in to the Wi-Fi or use another network. Sending goes on by itself.',
  garbled: 'The server’s answer could not be understood.',
  garbled_todo: 'Spotter tries again by itself. If it stays, check the server’s address.',
  cancelled: 'It was stopped.',
  cancelled_todo: 'Send it again when you like.',
  not_connected: 'Spotter is not connected to a server yet.',
  not_connected_todo: 'Open Settings and connect.',
  vault: {
    absent: 'This computer has no keychain that Spotter can use.',
    locked: 'The keychain is locked.',
    asking: 'The keychain has not answered yet. This computer may be asking you about it.',
    hung: 'The keychain does not answer.',
    denied: 'The keychain refused.',
    too_long: 'The token is too long for the keychain.',
  },
  vault_todo: 'Unlock the keychain, then press Try again. You can go on working meanwhile.',
  vault_too_long_todo: 'Ask for a shorter token.',
  no_space: 'The disk is full. This was not saved.',
  no_space_safe: 'What was saved before is intact.',
  no_space_todo: 'Free some space, then save again. Your text stays in the form.',
  photo: {
    missing: 'The photo’s file is gone from this laptop.',
    changed: 'The photo’s file changed on this laptop since it was added.',
    unreadable: 'The photo could not be read.',
  },
  photo_safe: 'The text of the near miss is not affected.',
  photo_todo: 'Add the photo again, or send without it.',
  bad_input: 'This cannot be sent as it is.',
  bad_input_at: (fields: readonly string[]) =>
    `This cannot be sent as it is. Look at: ${f.list(fields)}.`,
  bad_input_todo: 'Correct it and try again.',
  input: {
    address_missing: 'Type the address of the server, for example https://safety.example.com.',
    address_unreadable: 'This is not an address.',
    address_scheme: 'The address must begin with https:// (or http:// inside your own network).',
    address_login: 'Leave the user name and password out of the address.',
    address_query: 'Leave everything from the question mark or number sign on out of the address.',
    address_unprotected:
      'Your token would go unprotected over the internet: use https:// for this server.',
    company_unknown: 'This token does not belong to the company with this number.',
    project_unknown: 'The server has no such project for this token.',
    copies_elsewhere: 'Only this laptop’s own service has daily copies here.',
    copy_unknown: 'This copy is not there any more. Choose another one.',
    copy_damaged: 'This copy is damaged and was not used. Choose another one.',
    copy_failed: 'The copy could not be put in place. The records are as they were.',
    file_pdf: 'The file is a PDF. Photos may be JPEG, PNG, WebP, HEIC or HEIF, videos MP4 or MOV.',
    file_text:
      'The file is a text or SVG file. Photos may be JPEG, PNG, WebP, HEIC or HEIF, videos MP4 or MOV.',
    file_gif: 'The file is a GIF. Photos may be JPEG, PNG, WebP, HEIC or HEIF, videos MP4 or MOV.',
    file_archive:
      'The file is an archive. Photos may be JPEG, PNG, WebP, HEIC or HEIF, videos MP4 or MOV.',
    file_avif:
      'The file is an AVIF. Photos may be JPEG, PNG, WebP, HEIC or HEIF, videos MP4 or MOV.',
    file_avi:
      'The file is an AVI video. Photos may be JPEG, PNG, WebP, HEIC or HEIF, videos MP4 or MOV.',
    file_unknown:
      'The file is of a kind that Spotter does not know. Photos may be JPEG, PNG, WebP, HEIC or HEIF, videos MP4 or MOV.',
    file_empty: 'The file is empty.',
    file_too_large: 'The file is larger than Spotter takes.',
    file_cut_short:
      'The file changed while it was read, or could not be read to its end. Add it again.',
    file_known:
      'Another photo has the place of this one here already. What is here stays as it is; add the file again.',
    file_begun_anew: 'Spotter was restarted while the file was added. Add it again.',
  } satisfies Readonly<Record<InputFault, string>>,
  bug: 'Spotter made a mistake of its own.',
  bug_todo:
    'Try again. If it stays, copy the diagnostics in Settings and send them to whoever looks after Spotter.',
};

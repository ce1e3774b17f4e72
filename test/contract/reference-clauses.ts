/**
 * The API reference, clause by clause, in our own words: what the service must do so that a client that knows only the
 * reference can use it. A clause is named `R-<section>-<number>` in the title of the test that proves it (clauses.test.ts
 * checks that each is). Where the reference leaves something open and the decisions close it, the sentence says what holds.
 * The paths, fields and limits of what is marked [ours] are the decisions' and have no clause here.
 */
export const referenceClauses = {
  // Endpoints, Versioning, Authentication: what holds for all of them
  'R-endpoints-1': 'Every operation of the reference is there, at its method and path.',
  'R-endpoints-2': 'Requests and answers are JSON, except the file post of an upload.',
  'R-endpoints-3': 'A path parameter is an integer unless the reference says it is a text.',
  'R-endpoints-4':
    'A list answers an array, a create 201, a show or an update 200 with the record.',
  'R-versioning-1':
    'The version is in the path: v1.0, but v1.1 for uploads and v2.0 for bulk_remove of memberships.',
  'R-authentication-1':
    'Every endpoint requires the header Service-Company-Id, an integer: without it 400.',
  'R-authentication-2': 'The access token comes as Authorization: Bearer; without one 401.',
  'R-authentication-3': 'Service-Company-Id names a company of the token’s user: another is a 403.',

  // Pagination, Limits
  'R-pagination-1': 'Every paginated list takes page and per_page.',
  'R-pagination-2':
    'Lists answer Per-Page, Total and Link, whose links are named first, prev, next and last after what they lead to.',
  'R-pagination-3': 'On page 1 Link holds only next and last.',
  'R-pagination-4': 'On page 2 Link holds first, next and last.',
  'R-pagination-5': 'On page 3 Link holds first, prev, next and last.',
  'R-pagination-6': 'per_page is at most 10,000, on every paginated list; it defaults to 100.',

  // Insurance; Vendor insurances
  'R-insurance-1': 'An insurance has these eighteen fields of these types, and no other.',
  'R-insurance-2': 'status is one of seven values.',
  'R-insurance-3': 'Any status may follow any other.',
  'R-insurance-4': 'The sixteen writable fields are kept by create, update and sync.',
  'R-insurance-5':
    'The insurer is sent as name and answered as insurance_provider, which cannot be written.',
  'R-insurance-6': 'effective_date and expiration_date are dates.',
  'R-insurance-7': 'limit is a decimal amount carried as a text.',
  'R-insurance-8': 'No field inside the insurance object is required.',
  'R-insurance-9': 'The list holds the insurances of this vendor on this project.',
  'R-insurance-10': 'The list takes page and per_page and answers Per-Page, Total and Link.',
  'R-insurance-11': 'Create requires the object insurance and answers the insurance.',
  'R-insurance-12': 'Show answers the insurance.',
  'R-insurance-13': 'Update requires the object insurance and answers the insurance.',
  'R-insurance-14': 'Delete answers 200.',
  'R-insurance-15': 'Sync requires the array updates, of objects with id and the writable fields.',
  'R-insurance-16': 'Sync answers an object with the arrays entities and errors.',
  'R-insurance-17': 'Sync creates what is new and updates what is known.',
  'R-insurance-18':
    'A sync error item is an insurance, and its errors map a field name to an array of texts.',

  // Time and material entry attachments
  'R-attachments-1': 'An attachment has these seven fields of these types.',
  'R-attachments-2': 'attachment_id is the identifier of the stored file.',
  'R-attachments-3': 'url, presentation_url and thumbnail_url are addresses that lead to the file.',
  'R-attachments-4': 'The list holds the attachments of the project that the user may see.',
  'R-attachments-5': 'The list answers Per-Page, Total and Link.',
  'R-attachments-6': 'Create requires time_and_material_entry_id, an integer.',
  'R-attachments-7':
    'Create requires the object time_and_material_entry_attachment with arrays documents, folders, upload_uuids.',
  'R-attachments-8': 'documents and folders hold integers, upload_uuids texts.',
  'R-attachments-9': 'Create answers an attachment.',
  'R-attachments-10': 'Show answers the attachment.',
  'R-attachments-11': 'Delete answers the attachment.',
  'R-attachments-12':
    'bulk_destroy requires the object with the array time_and_material_entry_attachment_ids.',
  'R-attachments-13': 'bulk_destroy answers the array of the attachments it deleted.',

  // Upload; Company uploads; Upload lifecycle
  'R-uploads-1': 'An upload has uuid (text), url (text) and fields (object of texts).',
  'R-uploads-2': 'The uuid is good for the whole life of the upload.',
  'R-uploads-3': 'The uuid associates the upload with another resource.',
  'R-uploads-4': 'A segment has size (integer), sha256, md5 and etag (texts).',
  'R-uploads-5': 'Create requires response_filename, a text.',
  'R-uploads-6': 'response_filename is the name of the file when it is downloaded.',
  'R-uploads-7':
    'response_content_type, optional, is the type of the download and overrides what the extension suggests.',
  'R-uploads-8':
    'attachment_content_disposition, optional: true is a download as an attachment, otherwise what is safe is shown inline.',
  'R-uploads-9': 'size, optional, is an integer: the bytes of the file.',
  'R-uploads-10': 'segments, optional, is an array.',
  'R-uploads-11': 'Create answers the upload.',
  'R-uploads-12': 'Show answers the upload.',
  'R-uploads-13': 'PATCH takes the array segments and answers the upload.',
  'R-uploads-14':
    'The file is posted to url as multipart/form-data: every name and value of fields, and a field named file.',
  'R-uploads-15': 'A form with a field altered, left out or added is refused.',
  'R-uploads-16':
    'url and fields are each upload’s own, under its company: those of another upload do not fit.',
  'R-uploads-17': 'company_id in the path is an integer, uuid a text.',
  'R-uploads-18': 'A variant of create works with a project identifier.',
  'R-uploads-19': 'Who creates an upload owns it, and nobody else can use it afterwards.',
  'R-uploads-20': 'A file post not started within one hour of creation is a 403.',
  'R-uploads-21': 'The hour is for starting: a post that runs past it is accepted.',
  'R-uploads-22': 'Associated within one week, an upload stays, as associated.',
  'R-uploads-23': 'Without association it is deleted automatically after one week.',
  'R-uploads-24': 'url must not be cached: answers with one say no-store.',
  'R-errors-1': 'Other errors of an upload are explained in the body of the answer.',

  // Project memberships
  'R-memberships-1': 'A membership has the integers id, party_id and project_id.',
  'R-memberships-2':
    'Only reference users can be added; who has a login and a vendor cannot, singly or in bulk.',
  'R-memberships-3':
    'Only reference users can be removed; who has a login and a vendor cannot, singly or in bulk.',
  'R-memberships-4': 'The list holds the members, inactive users and vendors included.',
  'R-memberships-5': 'The list takes page and per_page and answers Per-Page, Total and Link.',
  'R-memberships-6': 'Add requires the object project_membership with party_id, an integer.',
  'R-memberships-7': 'Add answers an array of party ids.',
  'R-memberships-8':
    'Remove takes the membership’s id in the path and requires the query party_id, an integer.',
  'R-memberships-9': 'Remove answers 204.',
  'R-memberships-10': 'bulk_add requires party_ids, an array of integers.',
  'R-memberships-11': 'bulk_add answers the array of the party ids that were added.',
  'R-memberships-12': 'bulk_remove takes company_id and project_id in its path as texts.',
  'R-memberships-13': 'bulk_remove requires party_ids, an array of integers.',
  'R-memberships-14':
    'bulk_remove answers the object data with the arrays processed_ids and skipped_ids.',
  'R-memberships-15': 'bulk_remove processes the first 1000 party ids and ignores the rest.',
  'R-memberships-16': 'skipped_ids are those that are no reference-user member of the project.',

  // Near miss; Near misses
  'R-near-misses-1': 'A near miss has these twenty-two fields of these types.',
  'R-near-misses-2':
    'affected_company, managed_equipment and affected_party are objects of id (integer) and name.',
  'R-near-misses-3':
    'incident_created_by and affected_person are objects of login, id (integer) and name.',
  'R-near-misses-4':
    'work_activity and harm_source are objects of id, name, active and global (booleans), created_at and updated_at.',
  'R-near-misses-5': 'type is the incident record type; here it is always near_miss.',
  'R-near-misses-6': 'full_number combines the incident’s number with the record’s.',
  'R-near-misses-7':
    'incident_id, incident_title and incident_private are those of the incident it belongs to.',
  'R-near-misses-8':
    'description is rich text (HTML), and description_plain_text the same without markup.',
  'R-near-misses-9': 'created_at, updated_at and deleted_at are moments.',
  'R-near-misses-10': 'custom_fields is an object, one entry for each value.',
  'R-near-misses-11': 'Custom fields are written with keys custom_field_<definition id>.',
  'R-near-misses-12': 'The list answers an array, with Per-Page, Total and Link.',
  'R-near-misses-13': 'incident_id limits the list to one incident.',
  'R-near-misses-14':
    'filters[created_at] is <start>...<end>, each side a date, a UTC time or a time with an offset.',
  'R-near-misses-15': 'filters[affected_company_id] is a list of integers: any of them.',
  'R-near-misses-16': 'filters[affected_party_id] is a list of integers: any of them.',
  'R-near-misses-17': 'filters[affected_person_id] is a list of integers: any of them.',
  'R-near-misses-18': 'filters[harm_source_id] is a list of integers: any of them.',
  'R-near-misses-19': 'filters[work_activity_id] is a list of integers: any of them.',
  'R-near-misses-20': 'filters[managed_equipment_id] is one integer.',
  'R-near-misses-21': 'filters[query] finds what contains the text.',
  'R-near-misses-22': 'sort is one of eight fields; a dash before it turns it round.',
  'R-near-misses-23': 'Create requires the object near_miss.',
  'R-near-misses-24': 'Create requires incident_id, an integer.',
  'R-near-misses-25': 'Create takes a description and six ids, all integers.',
  'R-near-misses-26': 'Show answers the near miss; incident_id is an optional query.',
  'R-near-misses-27':
    'Update requires the object near_miss and answers the near miss; incident_id is an optional query.',
  'R-near-misses-28': 'Update takes the fields of create, but incident_id is none of them.',
  'R-near-misses-29': 'summary (deprecated) is the harm source’s name, or nothing.',

  // Near miss recycle bin
  'R-recycle-bin-1':
    'Delete sends the record to the recycle bin and answers 204; incident_id is an optional query.',
  'R-recycle-bin-2': 'The bin lists recycled records, of one incident where incident_id is given.',
  'R-recycle-bin-3': 'The bin takes every filter that the list takes.',
  'R-recycle-bin-4': 'The bin takes every sort that the list takes, page and per_page.',
  'R-recycle-bin-5': 'The bin answers Per-Page and Total.',
  'R-recycle-bin-6': 'A recycled record is shown; incident_id is an optional query.',
  'R-recycle-bin-7':
    'Restore takes the record out of the bin and answers 200; incident_id is an optional query.',
  'R-recycle-bin-8': 'Nothing removes a recycled record for good.',

  // Webhook hook, trigger and delivery; Webhooks management
  'R-webhooks-1': 'A hook belongs to exactly one company or project.',
  'R-webhooks-2':
    'Create hook takes company_id or project_id, and hook: api_version, namespace, destination_url, destination_headers.',
  'R-webhooks-3': 'Hooks and triggers carry api_version, a text.',
  'R-webhooks-4': 'Notifications go to destination_url.',
  'R-webhooks-5':
    'destination_headers are sent with each notification, for instance an Authorization header.',
  'R-webhooks-6': 'Hooks are created, shown, listed, updated and deleted, and answered whole.',
  'R-webhooks-7': 'A trigger belongs to a hook and names a resource and an event type, texts.',
  'R-webhooks-8':
    'Create trigger takes the hook in the path, company_id or project_id, and requires api_version.',
  'R-webhooks-9': 'Create trigger requires the object trigger: resource_name and event_type.',
  'R-webhooks-10': 'Hooks are listed by namespace and company_id or project_id.',
  'R-webhooks-11': 'A delivery is one attempt and has these nine attributes.',
  'R-webhooks-12':
    'id is unique to the delivery; event_id is the event’s, the same for each of its attempts.',
  'R-webhooks-13': 'started_at and completed_at are UTC.',
  'R-webhooks-14':
    'response_status, response_headers and response_body are the endpoint’s; response_error says what failed.',
  'R-webhooks-15':
    'outcome is ok, retried or failed: ok for an answer of 2xx, failed for the last.',
  'R-webhooks-16': 'Deliveries are listed at GET /vapid/webhooks/hooks/{hook_id}/deliveries.',
  'R-webhooks-17': 'company_id or project_id selects the deliveries of a company or project.',
  'R-webhooks-18':
    'filters[status], spelt filter[status] as well, is any (the default), successful or failing.',
  'R-webhooks-19': 'Deliveries are answered as a bare array, newest first, in pages.',

  // Events
  'R-events-1':
    'A notification is sent when a resource that a trigger names is created, updated or deleted, as its event_type says.',
  'R-events-2': 'Nothing is sent that no trigger of the hook names.',
  'R-events-3':
    'A company’s hook hears of all its projects, a project’s hook of that project alone.',
  'R-events-4':
    'A namespace is lower-case letters a-z and dashes: no upper case, digit or other character.',
  'R-events-5': 'Without a namespace core applies.',
  'R-events-6':
    'One company or project may have hooks in several namespaces, and what is done in one leaves the others as they are.',
  'R-events-7':
    'The hooks of a namespace are found with the namespace and the company_id or project_id.',
  'R-events-8':
    'The recommended <publisher>-<application> is a namespace, the same in many companies and projects.',
  'R-events-9': 'Each attempt is recorded as a delivery with its outcome.',
} as const satisfies Readonly<Record<`R-${string}`, string>>;

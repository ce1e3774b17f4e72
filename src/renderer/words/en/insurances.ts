/** Vendor insurances, edited one by one or imported from a CSV file. */
import { count, f } from './say.ts';
import { places } from './places.ts';

const policies = (n: number): string => count(n, { one: '# policy', other: '# policies' });
const days = (n: number): string => count(n, { one: '# day', other: '# days' });

export const insurances = {
  title: places.insurances,
  vendors: 'Vendors',
  list: 'Policies',
  vendor: (id: number) => `Vendor ${id}`,
  number: (id: number) => `Vendor number ${id}`,
  find: 'Find a vendor by name or number',
  none_found: 'No matches.',
  open_number: (id: number) => `Open vendor ${id}`,
  number_only: 'This server has no list of vendors. Enter a vendor number.',
  back: 'All vendors',
  pick: 'Choose a vendor',
  pick_text: 'Policies appear here, expired first.',
  offline: 'You can add, change and delete policies. Changes will be sent when you’re online.',
  offline_nothing: 'This vendor’s policies will download when you’re online. You can add one now.',
  who_may_see: 'Ask your project admin for access to this vendor.',
  policies,
  none_yet: 'No policies',
  /** Shown until the vendor's policies were fetched; `n` were added here. */
  unfetched: (n: number) =>
    n === 0 ? 'Not downloaded yet' : `${policies(n)} added here, others not downloaded yet`,
  vendor_line: (n: number, urgent: number) =>
    urgent === 0
      ? policies(n)
      : `${policies(n)}, ${count(urgent, { one: '# needs attention', other: '# need attention' })}`,
  empty: 'This vendor has no policies yet',
  empty_text: 'Add one, or import a spreadsheet. Works offline.',
  add: 'New policy',
  from_csv: 'Import a spreadsheet',
  from_csv_all: 'One file with the policies of many vendors',
  template: 'Save a CSV template',
  more: 'More',
  template_name: 'spotter-policies',
  template_saved: 'The template is in your downloads.',
  needs_attention: 'Needs attention',
  none_urgent: 'No policy needs attention',
  none_urgent_text: 'No policy has expired, expires soon or has no end date.',
  show_all: 'Show all',
  delete_refused: 'Could not be deleted',
  delete_aside: 'Deletion on hold',
  /** The standing of an insurance by its dates and the server’s day. */
  standing: {
    active: 'Active',
    today: 'Expires today',
    expiring: (n: number) => `Expires in ${days(n)}`,
    expired: 'Expired',
    future: 'Not started',
    no_end: 'No end date',
    exempt: 'Exempt',
  },
  status: {
    compliant: 'Compliant',
    compliant_in_progress: 'Compliant, in progress',
    expired: 'Marked as expired',
    non_compliant: 'Not compliant',
    non_compliant_in_progress: 'Not compliant, in progress',
    undecided: 'Undecided',
    unregistered: 'Not registered',
  },
  unnamed: 'Unnamed policy',
  from_to: (from: string, to: string) => `${from} to ${to}`,
  until: (to: string) => `until ${to}`,
  since: (from: string) => `from ${from}`,
  no_dates: 'no dates',
  policy: (number: string) => `Policy ${number}`,
  limit: (amount: string) => `Limit ${amount}`,
  open: (name: string) => `Open ${name}`,
  of_file: 'From a file, not sent yet',
  form: {
    new_title: 'New policy',
    edit_title: 'Edit policy',
    name: 'Insurer',
    insurance_type: 'Insurance type',
    policy_number: 'Policy number',
    limit: 'Limit',
    limit_hint: 'An amount such as 1000000.00, without a currency.',
    effective_date: 'Starts',
    expiration_date: 'Expires',
    status: 'Status',
    additional_insured: 'Additional insured',
    additional_insured_hint: 'Other people or companies covered.',
    exempt: 'Exempt: this vendor does not need this insurance',
    info_received: 'Certificate received',
    enable_expired_insurance_notifications: 'Notify when expired',
    notes: 'Notes',
    more: 'More fields',
    division_template: 'Division template',
    insurance_sets: 'Insurance sets',
    origin_id: 'Number in another system',
    origin_id_hint: 'Spotter finds the row of a spreadsheet by this number.',
    origin_data: 'Data from another system',
    save: 'Save',
    delete: 'Delete',
    fix: (n: number) => count(n, { one: '# field to complete.', other: '# fields to complete.' }),
    empty: 'Enter at least the insurer, the type or the policy number.',
    bad_limit: 'Enter an amount such as 1000000.00.',
    bad_date: 'This date does not exist.',
    wrong_order: 'The policy expires before it starts.',
    too_long: 'This is too long.',
    bad_status: 'Choose one of the statuses.',
  },
  saved: 'Saved on this laptop.',
  delete_title: 'Delete this policy?',
  delete_text: (name: string) =>
    `“${name}” is deleted here and on the server. You cannot undo this once it is sent.`,
  delete_local: (name: string) => `“${name}” is deleted. You cannot undo this.`,
  deleted: 'Deleted.',
  delete_outcome_unknown:
    'The server may already have this policy. Send it again under Waiting first, then delete it.',
  waiting_title: (vendor: string) => `Policies of ${vendor}`,
  conflict: 'Someone else changed this policy too',
  conflict_text: 'Nothing was overwritten. Choose which version stays.',
  mine: 'Yours',
  theirs: 'Theirs',
  field: 'Field',
  nothing: '(empty)',
  send_mine: 'Send yours',
  keep_theirs: 'Keep theirs',
  kept_theirs: 'Your change was discarded.',
  yes: 'Yes',
  no: 'No',
  who_may:
    'Ask your project admin for access to this vendor. Then send it again, or cancel sending.',
  csv: {
    title: 'Policies from a spreadsheet',
    back: 'Back to policies',
    text: 'Choose an Excel (.xlsx) or CSV file. You see what will change before anything is sent. With a Vendor column, one file holds the policies of many vendors.',
    choose: 'Choose a file',
    another: 'Choose another file',
    reading: 'Reading the file…',
    file: (name: string, rows: number) =>
      `${name}: ${count(rows, { one: '# row', other: '# rows' })}`,
    columns: 'Columns',
    columns_used: (n: number, of: number) => `Columns: ${f.number(n)} of ${f.number(of)} used`,
    rows_of: (name: string) => `Rows of ${name}`,
    columns_text: 'Match each column of the file to a field. Columns left out are not imported.',
    column: (letter: string, name: string) =>
      name === '' ? `Column ${letter}` : `Column ${letter} “${name}”`,
    left_out: 'Left out',
    heading_row: 'Heading',
    heading: (row: number, cells: string) => `Row ${f.number(row)}: ${cells}`,
    totals: (rows: readonly string[]) => `Left out as totals: ${f.list(rows)}.`,
    sheet: 'Sheet',
    one_sheet: 'One sheet is imported at a time.',
    letters: 'Letters',
    /** Names an old encoding, with words of the file as it decodes them. */
    letters_as: (encoding: string, samples: readonly string[]) =>
      `${encoding}: ${samples.join(', ')}`,
    encodings: { 'windows-1252': 'Western Europe', 'windows-1250': 'Central Europe' },
    letters_ambiguous:
      'The file does not say how its accented letters are stored. Choose where they look right.',
    many_vendors: (n: number) =>
      count(n, {
        one: 'The file has policies of # vendor, by its Vendor column.',
        other: 'The file has policies of # vendors, by its Vendor column.',
      }),
    plan: 'What will change',
    create: (n: number) => count(n, { one: '# new', other: '# new' }),
    update: (n: number) => count(n, { one: '# changed', other: '# changed' }),
    same: (n: number) => count(n, { one: '# unchanged', other: '# unchanged' }),
    bad: (n: number) => count(n, { one: '# with errors', other: '# with errors' }),
    row: 'Row',
    row_number: (n: number) => `Row ${f.number(n)}`,
    outcome: 'Result',
    insurance: 'Policy',
    details: 'Changes or errors',
    is_new: 'New',
    is_update: 'Changes',
    is_same: 'Unchanged',
    is_bad: 'Error',
    show_all: 'All rows',
    show_bad: 'Rows with errors',
    show_more: (n: number) => `Show ${f.number(n)} more`,
    send: (n: number) => count(n, { one: 'Import # policy', other: 'Import # policies' }),
    nothing_to_send: 'No row of this file changes anything.',
    without_bad: (n: number) =>
      count(n, {
        one: '# row with errors is left out. Correct it and choose the file again. Spotter skips rows that are already there.',
        other:
          '# rows with errors are left out. Correct them and choose the file again. Spotter skips rows that are already there.',
      }),
    known_only: 'Compared with what’s on this laptop. Rejected rows will appear here.',
    stale: 'You’re offline, so this laptop may not have the vendor’s newest policies.',
    queued: (n: number) =>
      count(n, {
        one: '# row saved on this laptop.',
        other: '# rows saved on this laptop.',
      }),
    field_value: (field: string, value: string) => `${field}: ${value}`,
    field_change: (field: string, from: string, to: string) => `${field}: ${from} → ${to}`,
    field_error: (field: string, why: string) => `${field}: ${why}`,
    /** Why a file is refused. */
    refused: {
      empty: 'The file is empty.',
      no_rows: 'The file has a heading and no rows.',
      too_big: (mb: number) =>
        `The file is larger than ${f.number(mb)} MB. Split it into smaller ones.`,
      too_many: (max: number) => `The file has more than ${f.number(max)} rows. Split it.`,
      too_wide: (max: number) =>
        `The file has more than ${f.number(max)} columns. Delete the columns that are not needed.`,
      too_big_unpacked:
        'This workbook is too large to read safely. Copy the rows you need into a new workbook and save it as .xlsx.',
      not_text:
        'This is not a spreadsheet. In Excel, save it as .xlsx or CSV, then choose it again.',
      old_excel:
        'This is an old Excel file (.xls), or it has a password. In Excel, save it as .xlsx without a password, then choose it again.',
      damaged:
        'This Excel file is damaged or is not a workbook. Open it in Excel, save it again as .xlsx, then choose it again.',
      no_field:
        'None of its columns is a field of a policy. Compare the headings with the template.',
      quotes: (row: number) =>
        `Row ${f.number(row)} has a quotation mark that is not closed, or one inside a value. Double it inside a value.`,
      stopped:
        'Reading the file took too long, so Spotter stopped. Nothing was changed. Copy the rows you need into a new file, then choose that one.',
      unreadable: 'The file could not be read. Was it moved?',
    },
    /** Why a row is not sent. */
    wrong: {
      date: 'not a valid date; write it as 2026-12-31',
      date_unclear: 'day or month first? Say so above, or write it as 2026-12-31',
      limit: 'not an amount; write it as 1000000.00',
      limit_unclear: 'thousands or decimals? Write it as 1000000.00',
      flag: 'write yes or no',
      status: 'not one of the statuses',
      id: 'not a policy’s number',
      unknown_id: 'this vendor has no policy with this number',
      formula: 'a formula, not a value: save the file with values',
      cut_number:
        'Excel shortened this number: format the column as Text and enter the number again',
      cell_error: 'an error of the spreadsheet, not a value: correct the cell',
      no_vendor: 'which vendor? Write its name or number',
      unknown_vendor:
        'no vendor with this name or number: correct it, or add the vendor to the company data first',
      several_vendors: 'several vendors have this name: write the vendor’s number',
      too_long: 'too long',
      twice: (row: number) => `the same policy as row ${f.number(row)}`,
      nothing: 'the row is empty',
      cells: 'more cells than columns',
    },
    like: (row: string) => `looks like ${row}, which already exists`,
    id: 'Number',
    vendor: 'Vendor',
  },
  outcome: {
    title: (file: string) => `Result of ${file}`,
    done: (created: number, updated: number) =>
      `${[
        ...(created > 0 || updated === 0
          ? [count(created, { one: '# policy added', other: '# policies added' })]
          : []),
        ...(updated > 0
          ? [count(updated, { one: '# policy is up to date', other: '# policies are up to date' })]
          : []),
      ].join(', ')}.`,
    errors: (n: number) =>
      count(n, { one: 'The server rejected # row:', other: 'The server rejected # rows:' }),
    unknown_row: 'A row',
    says: (row: string, name: string, why: string) =>
      name === '' ? `${row}: ${why}` : `${row}, ${name}: ${why}`,
    dismiss: 'Dismiss',
  },
};

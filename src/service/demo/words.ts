/** Names and sentences of the demo company, from the construction trade. Data only; seed.ts creates rows from it. */
import { LAPTOP_LOGIN } from '../../contract/service-line.ts';
export const companyNames = ['Northline Construction', 'Calder Valley Builders'] as const;

export const harmSources = [
  'Falling object',
  'Working at height',
  'Moving vehicle',
  'Electricity',
  'Slip or trip',
  'Lifting operation',
  'Excavation edge',
  'Stored pressure',
] as const;

export const workActivities = [
  'Formwork',
  'Rebar fixing',
  'Crane lift',
  'Excavation',
  'Concrete pour',
  'Scaffold erection',
  'Steel erection',
  'Traffic management',
] as const;

export const equipment = [
  'Tower crane TC-1',
  'Excavator EX-7',
  'Telehandler TH-3',
  'Concrete pump CP-2',
  'Mobile platform MP-5',
] as const;

export const subcontractors = [
  'Harbour Steelworks',
  'Delta Groundworks',
  'Skyline Scaffolding',
  'Meridian Electrical',
] as const;

export const people = [
  ['Maria Kovacs', 'maria.kovacs@northline.example'],
  ['Tom Brennan', 'tom.brennan@northline.example'],
  ['Aisha Diallo', 'aisha.diallo@northline.example'],
  ['Jonas Lindqvist', 'jonas.lindqvist@northline.example'],
  ['Priya Raman', 'priya.raman@northline.example'],
  ['Owen Castellan', 'owen.castellan@northline.example'],
] as const;

/** The users of the demo company, one of each level, all of them its people too. */
export const demoUsers = [
  ['admin', people[0]],
  ['standard', people[1]],
  ['reporter', people[2]],
  ['read_only', people[3]],
] as const;

/** The users of the second company and of the local company. */
export const otherUser = ['Sam Whitaker', 'sam.whitaker@calder.example'] as const;
export const localUser = ['This laptop', LAPTOP_LOGIN] as const;

/**
 * The first five are reference users: no login, no vendor, and not yet members of the project. The last two have
 * left.
 */
export const parties = [
  ['Lena Fischer', true, true],
  ['Marco Bellini', true, true],
  ['Grace Okafor', true, true],
  ['Henrik Solberg', true, true],
  ['Nadia Petrova', true, true],
  ['Tom Brennan', false, true],
  ['Harbour Steelworks', false, true],
  ['Delta Groundworks', false, true],
  ['Ruth Adler', false, false],
  ['Brightwater Drainage', false, false],
] as const;

export const vendors = ['Harbour Steelworks', 'Delta Groundworks', 'Coastal Crane Hire'] as const;

export const timeAndMaterialEntries = [
  'T&M 001: extra shoring, pier 3',
  'T&M 002: night shift traffic control',
  'T&M 003: temporary lighting, deck B',
] as const;

/** By entry: a scene, its number of photos, and the signed sheet. */
export const timeAndMaterialFiles = [
  ['props', 2, 'Signed sheet T&M 001.pdf'],
  ['lorry', 1, 'Signed sheet T&M 002.pdf'],
  ['electric', 1, null],
] as const;

/** By vendor; begins and ends are days relative to the day of seeding. */
export const insurances = [
  [
    ['General liability', 'Alderney Mutual', 'AM-GL-40817', '5000000', -320, 45],
    ['Workers compensation', 'Alderney Mutual', 'AM-WC-40818', '1000000', -320, 45],
  ],
  [
    ['General liability', 'Brookfield Surety', 'BS-7741-2', '2000000', -350, 12],
    ['Plant and equipment', 'Brookfield Surety', 'BS-7742-1', '750000', -400, -35],
  ],
  [['Lifting and hook load', 'Harrow Specialty', 'HSP-220-9', '10000000', -90, 275]],
] as const;

export const folders = [
  ['Method statements', ['Lifting plan TC-1.pdf', 'Deep excavation, pier 3.pdf']],
  ['Toolbox talks', ['Working at height.pdf', 'Reversing vehicles.pdf']],
] as const;

export const incidents = [
  ['Pier 3 excavation', 'Deep excavation beside the live carriageway.', 'Pier 3, south bank'],
  ['Deck B steel and formwork', 'Steel erection and formwork above the river.', 'Deck B'],
  ['Site traffic and deliveries', 'Gate 2, haul road and laydown area.', 'Gate 2'],
  ['Tower crane operations', 'Lifts over the working area.', 'TC-1 radius'],
] as const;

export const customFields = [
  ['Potential severity', 'select', ['Minor', 'Serious', 'Could have killed']],
  ['Location', 'string', []],
  ['Event time', 'datetime', []],
  ['Immediate action', 'text', []],
  ['People nearby', 'number', []],
  ['Work stopped', 'boolean', []],
  ['Follow-up date', 'date', []],
  ['Weather', 'select', ['Dry', 'Rain', 'Wind', 'Fog', 'Snow or ice', 'Dark']],
  ['Follow-up', 'string', []],
  ['Follow-up by', 'string', []],
  ['Follow-up done', 'date', []],
  ['Photo captions', 'text', []],
  ['Seen', 'string', []],
  ['What we did', 'string', []],
  ['Kind', 'select', ['Near miss', 'Unsafe condition', 'Good catch']],
  ['What stopped it getting worse', 'text', []],
  ['Where on the plan', 'string', []],
  ['Who saw it', 'string', []],
  ['Answer code', 'string', []],
] as const;

/** Answers of the office to the reporter. */
export const answers = [
  'Talked through at the toolbox talk. Thank you for stopping the work.',
  'Put right the same day, and checked again the next morning.',
  'It is on the daily check of the area now.',
  'Everybody on the project was told, and the work plan was changed.',
] as const;

export const followUps = [
  ['Brief the crew before the next shift', 'Maria Kovacs'],
  ['Fit a second barrier and photograph it', 'Henrik Solberg'],
  ['Have the lifting gear inspected', 'Nadia Petrova'],
  ['Change the route and put up signs', 'Maria Kovacs'],
  ['Check the tie-ins on every level', 'Tom Brennan'],
] as const;

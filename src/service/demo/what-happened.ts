/**
 * What happens on the demo's sites: each kind of near miss with the harm source and the work it belongs to, how bad it could have
 * been, where it was, and the picture of it. So that the figures of the demo say something, as a real site's do. Data only.
 */
import type { SceneName } from './scenes.ts';
import type { equipment, harmSources, incidents, workActivities } from './words.ts';

/** How bad it could have been: two kinds out of three are minor. */
type Danger = 'low' | 'middle' | 'high';

export interface Kind {
  /** The first line, which is the title. */
  readonly title: string;
  readonly more: string;
  readonly harm: (typeof harmSources)[number];
  readonly work: readonly (typeof workActivities)[number][];
  readonly incident: (typeof incidents)[number][0];
  readonly places: readonly string[];
  readonly danger: Danger;
  /** How often, beside the others. */
  readonly often: number;
  readonly done: string;
  readonly equipment?: (typeof equipment)[number];
  readonly scene?: SceneName;
}

const PIER = 'Pier 3 excavation';
const DECK = 'Deck B steel and formwork';
const ROAD = 'Site traffic and deliveries';
const CRANE = 'Tower crane operations';

export const kinds: readonly Kind[] = [
  {
    title: 'Scaffold board came down beside the north stair',
    more: 'It landed where the crew had stood a minute before. The board was not tied at the overlap.',
    ...{ harm: 'Falling object', work: ['Scaffold erection', 'Formwork'], incident: DECK },
    ...{ places: ['North stair, level 3', 'Deck B, grid 4'], danger: 'high', often: 4 },
    ...{ done: 'Stair closed, all boards on the lift tied.', scene: 'scaffold' },
  },
  {
    title: 'Excavator swung over the walkway during lunch change',
    more: 'The banksman had left for lunch; the operator turned with the bucket over the walkway while two people crossed. Nobody was hurt.',
    ...{ harm: 'Moving vehicle', work: ['Excavation'], incident: ROAD },
    ...{ places: ['Gate 2 walkway', 'South bank'], danger: 'high', often: 3 },
    ...{ done: 'Walkway closed until a second banksman is on site.' },
    ...{ equipment: 'Excavator EX-7', scene: 'excavator' },
  },
  {
    title: 'Edge protection loose at the east slab edge',
    more: 'The clamp had worked loose and the top rail came away by hand. Two people were fixing rebar beside it.',
    ...{ harm: 'Working at height', work: ['Formwork', 'Rebar fixing'], incident: DECK },
    ...{ places: ['Deck B, east edge', 'Deck B, grid 7'], danger: 'high', often: 4 },
    ...{ done: 'Rail fixed again, whole edge checked.', scene: 'rail' },
  },
  {
    title: 'Live cable in the open distribution board',
    more: 'The door stood open in the rain with the supply live. The drawing showed the circuit as dead.',
    ...{ harm: 'Electricity', work: ['Formwork', 'Concrete pour'], incident: DECK },
    ...{ places: ['Deck B, stair 2', 'Site compound'], danger: 'high', often: 3 },
    ...{ done: 'Isolated, locked and tagged.', scene: 'electric' },
  },
  {
    title: 'Ladder not tied at pile cap 6',
    more: 'It moved sideways when the second man stepped on. One stile is cracked and it had no tag.',
    ...{ harm: 'Working at height', work: ['Rebar fixing', 'Formwork'], incident: PIER },
    ...{ places: ['Pile cap 6', 'Pier 3, south bank'], danger: 'middle', often: 4 },
    ...{ done: 'Ladder taken out of use, another one tied.', scene: 'ladder' },
  },
  {
    title: 'Telehandler reversed without a banksman',
    more: 'It stopped a metre short of two rebar fixers. The beeper did not work.',
    ...{ harm: 'Moving vehicle', work: ['Traffic management', 'Rebar fixing'], incident: ROAD },
    ...{ places: ['Laydown area', 'Gate 2'], danger: 'high', often: 5 },
    ...{ done: 'Machine stopped until the beeper works.' },
    ...{ equipment: 'Telehandler TH-3', scene: 'telehandler' },
  },
  {
    title: 'A gas bottle stood unchained beside the heater',
    more: 'Acetylene, half full, an arm’s length from a gas heater in the welding bay.',
    ...{ harm: 'Stored pressure', work: ['Steel erection'], incident: DECK },
    ...{ places: ['Welding bay'], danger: 'middle', often: 3 },
    ...{ done: 'Bottle back in the cage, heater moved.', scene: 'bottle' },
  },
  {
    title: 'Sling slipped while the beam was over the walkway',
    more: 'The beam tilted and was set down at once. The sling had been put on over a sharp edge without a pad.',
    ...{ harm: 'Lifting operation', work: ['Crane lift', 'Steel erection'], incident: CRANE },
    ...{ places: ['TC-1 radius', 'Deck B, grid 2'], danger: 'high', often: 4 },
    ...{ done: 'Lift repeated with new slings and pads.' },
    ...{ equipment: 'Tower crane TC-1', scene: 'lift' },
  },
  {
    title: 'Trench edge crumbled where the barrier had been moved',
    more: 'It had been moved for the pump hose and not put back. The edge broke off for about a metre.',
    ...{ harm: 'Excavation edge', work: ['Excavation', 'Concrete pour'], incident: PIER },
    ...{ places: ['Pier 3, south bank', 'Pier 3, trench 4'], danger: 'high', often: 4 },
    ...{ done: 'Barrier put back two metres from the edge.', scene: 'trench' },
  },
  {
    title: 'Cable reel left on the access stairs',
    more: 'After the night shift, with the cable across three steps and the light out.',
    ...{ harm: 'Slip or trip', work: ['Formwork', 'Scaffold erection'], incident: DECK },
    ...{ places: ['Stair 2, level 1', 'North abutment'], danger: 'low', often: 6 },
    ...{ done: 'Cleared, and talked through at the start of shift.', scene: 'stairs' },
  },
  {
    title: 'Two props under the deck edge found loose before the pour',
    more: 'Both could be turned by hand. They had been checked the day before.',
    ...{ harm: 'Falling object', work: ['Formwork', 'Concrete pour'], incident: DECK },
    ...{ places: ['Deck B, grid 4', 'Deck B, grid 5'], danger: 'high', often: 3 },
    ...{ done: 'Pour held until all props were checked.', scene: 'props' },
  },
  {
    title: 'Delivery lorry came in through the pedestrian gate',
    more: 'The haul road was blocked and nobody stood at the gate. Three people were walking in.',
    ...{ harm: 'Moving vehicle', work: ['Traffic management'], incident: ROAD },
    ...{ places: ['Gate 2', 'Gate 1'], danger: 'middle', often: 5 },
    ...{ done: 'Gate locked, deliveries called in from the road.', scene: 'lorry' },
  },
  {
    title: 'Rebar caps missing beside the walkway',
    more: 'Starter bars at knee height along four metres, with the walkway a step away.',
    ...{ harm: 'Slip or trip', work: ['Rebar fixing'], incident: PIER },
    ...{ places: ['Pier 3', 'Pile cap 6'], danger: 'middle', often: 4 },
    ...{ done: 'Caps put on, walkway moved.', scene: 'rebar' },
  },
  {
    title: 'Concrete hose whipped when a blockage cleared',
    more: 'Nobody was inside the marked area. The end hose had been held by hand shortly before.',
    ...{ harm: 'Stored pressure', work: ['Concrete pour'], incident: DECK },
    ...{ places: ['Deck B, grid 3', 'North abutment'], danger: 'high', often: 3 },
    ...{ done: 'Pump stopped, line emptied before going on.' },
    ...{ equipment: 'Concrete pump CP-2', scene: 'hose' },
  },
  {
    title: 'Scaffold clip fell from the third lift',
    more: 'It landed beside the banksman, inside the exclusion zone that was open for a delivery.',
    ...{
      harm: 'Falling object',
      work: ['Scaffold erection', 'Traffic management'],
      incident: DECK,
    },
    ...{ places: ['North abutment', 'Deck B, grid 1'], danger: 'middle', often: 5 },
    ...{ done: 'Zone closed again, buckets for clips.', scene: 'scaffold' },
  },
  {
    title: 'Plywood sheet went over the edge in a gust',
    more: 'It was stacked loose near the edge protection and fell into the river.',
    ...{ harm: 'Falling object', work: ['Formwork'], incident: DECK },
    ...{ places: ['Deck B, east edge'], danger: 'middle', often: 4 },
    ...{ done: 'Sheets strapped, wind limit talked through.' },
  },
  {
    title: 'Unclipped to pass the column',
    more: 'Stood on the flange without a second lanyard for about a minute, nine metres up.',
    ...{ harm: 'Working at height', work: ['Steel erection'], incident: DECK },
    ...{ places: ['Deck B, grid 2'], danger: 'high', often: 3 },
    ...{ done: 'Work stopped until twin lanyards were there.' },
    ...{ equipment: 'Mobile platform MP-5' },
  },
  {
    title: 'Grinder without its guard, sparks onto oil store',
    more: 'The guard lay on the bench. An extinguisher stood close by and was not needed.',
    ...{ harm: 'Stored pressure', work: ['Steel erection', 'Formwork'], incident: DECK },
    ...{ places: ['Welding bay', 'Carpenters’ yard'], danger: 'low', often: 3 },
    ...{ done: 'Guard back on, oil store moved.' },
  },
  {
    title: 'Shackle pin without its split pin on the spreader beam',
    more: 'Found before the lift, at the morning check.',
    ...{ harm: 'Lifting operation', work: ['Crane lift'], incident: CRANE },
    ...{ places: ['TC-1 radius', 'Laydown area'], danger: 'low', often: 4 },
    ...{ done: 'Tagged out and taken to the store.', equipment: 'Tower crane TC-1' },
  },
  {
    title: 'Mud on the haul road after rain',
    more: 'A van slid past the stop line at the crossing. Nobody was on foot there.',
    ...{ harm: 'Slip or trip', work: ['Traffic management', 'Excavation'], incident: ROAD },
    ...{ places: ['Haul road', 'Gate 2'], danger: 'low', often: 5 },
    ...{ done: 'Road scraped and gritted.' },
  },
  {
    title: 'Dumper parked on the slope without chocks',
    more: 'It had rolled half a metre when the driver came back.',
    ...{ harm: 'Moving vehicle', work: ['Excavation', 'Concrete pour'], incident: PIER },
    ...{ places: ['Pier 3, ramp', 'South bank'], danger: 'middle', often: 4 },
    ...{ done: 'Chocked, and chocks put into every cab.' },
  },
  {
    title: 'Spoil heap too close to the edge of the trench',
    more: 'Half a metre, on wet ground, with a man working below.',
    ...{ harm: 'Excavation edge', work: ['Excavation'], incident: PIER },
    ...{ places: ['Pier 3, trench 4', 'Pier 3, south bank'], danger: 'middle', often: 3 },
    ...{ done: 'Everybody out, spoil pulled back.', equipment: 'Excavator EX-7', scene: 'trench' },
  },
  {
    title: 'Extension lead with a cut sheath in a puddle',
    more: 'It fed the vibrator at the pour. The breaker had been replaced without a test.',
    ...{ harm: 'Electricity', work: ['Concrete pour', 'Formwork'], incident: PIER },
    ...{ places: ['Pier 3', 'Site compound'], danger: 'middle', often: 4 },
    ...{ done: 'Lead cut up, breaker tested.' },
  },
  {
    title: 'Load lifted over people at the site office',
    more: 'The crane driver could not see them and the radio was on the wrong channel.',
    ...{ harm: 'Lifting operation', work: ['Crane lift'], incident: CRANE },
    ...{ places: ['Site compound', 'TC-1 radius'], danger: 'high', often: 2 },
    ...{ done: 'Lift stopped, one channel for all lifts.' },
    ...{ equipment: 'Tower crane TC-1', scene: 'lift' },
  },
  {
    title: 'Spanner dropped from the mobile platform',
    more: 'No lanyard on the tool. It fell into the barriered area.',
    ...{ harm: 'Falling object', work: ['Steel erection', 'Formwork'], incident: DECK },
    ...{ places: ['Deck B, grid 2', 'North abutment'], danger: 'middle', often: 5 },
    ...{ done: 'Tool lanyards given out.', equipment: 'Mobile platform MP-5' },
  },
];

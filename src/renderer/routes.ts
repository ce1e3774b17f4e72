/**
 * The table of places: address, screen, title and position in the rail. Screens load when first opened: this keeps the
 * initial load small and prevents import cycles.
 */
import type { Component } from 'svelte';
import CircleHelp from '@lucide/svelte/icons/circle-question-mark';
import ChartColumn from '@lucide/svelte/icons/chart-column';
import Clock from '@lucide/svelte/icons/clock';
import Database from '@lucide/svelte/icons/database';
import FileIcon from '@lucide/svelte/icons/file';
import Inbox from '@lucide/svelte/icons/inbox';
import HardHat from '@lucide/svelte/icons/hard-hat';
import Images from '@lucide/svelte/icons/images';
import Factory from '@lucide/svelte/icons/factory';
import MapIcon from '@lucide/svelte/icons/map';
import ListChecks from '@lucide/svelte/icons/list-checks';
import List from '@lucide/svelte/icons/list';
import Settings from '@lucide/svelte/icons/settings';
import ShieldCheck from '@lucide/svelte/icons/shield-check';
import Trash from '@lucide/svelte/icons/trash-2';
import Truck from '@lucide/svelte/icons/truck';
import UserCheck from '@lucide/svelte/icons/user-check';
import UserCog from '@lucide/svelte/icons/user-cog';
import Users from '@lucide/svelte/icons/users';
import Webhook from '@lucide/svelte/icons/webhook';
import { managesUsers, may } from './state/session/access.ts';
import { words } from './words/words.ts';

type Screen = () => Promise<{ readonly default: Component }>;
type Icon = typeof List;

interface Place {
  readonly screen: Screen;
  /** The title of the window and of the header, also announced to screen readers. */
  readonly title: string;
  /**
   * The group of the rail that shows the place; `list` is the menu of the near-miss list. `name` overrides the title
   * there.
   */
  readonly rail?: {
    readonly group: 'main' | 'more' | 'foot' | 'list';
    readonly icon: Icon;
    readonly name?: string;
    /** True if the user's level allows the place. Absent: always. */
    readonly shown?: () => boolean;
  };
}

const nearMisses = () => import('./screens/near-misses/NearMissesScreen.svelte');
const capture = () => import('./screens/capture/CaptureScreen.svelte');
const waiting = () => import('./screens/waiting/WaitingScreen.svelte');
const gallery = () => import('./screens/gallery/GalleryScreen.svelte');
const recycleBin = () => import('./screens/recycle-bin/RecycleBinScreen.svelte');
const timeAndMaterial = () =>
  import('./screens/company/time-and-material/TimeAndMaterialScreen.svelte');
const insurances = () => import('./screens/company/insurances/InsurancesScreen.svelte');
const members = () => import('./screens/company/members/MembersScreen.svelte');
const webhooks = () => import('./screens/company/webhooks/WebhooksScreen.svelte');
const users = () => import('./screens/company/users/UsersScreen.svelte');
const companyData = () => import('./screens/company/company-data/CompanyDataScreen.svelte');
const plans = () => import('./screens/company/plans/PlansScreen.svelte');
const followUps = () => import('./screens/follow-ups/FollowUpsScreen.svelte');
const help = () => import('./screens/help/HelpScreen.svelte');
const insights = () => import('./screens/insights/InsightsScreen.svelte');
const week = () => import('./screens/insights/WeekScreen.svelte');
const said = () => import('./screens/insights/SaidScreen.svelte');
const reportable = () => import('./screens/reportable/ReportableScreen.svelte');
const box = () => import('./screens/box/BoxScreen.svelte');
const settings = () => import('./screens/settings/SettingsScreen.svelte');
const tour = () => import('./screens/tour/TourScreen.svelte');
const connect = () => import('./screens/connect/ConnectScreen.svelte');

const t = words.app;

const byAddress = <Address extends string>(table: Readonly<Record<Address, Place>>) => table;

/** Keyed by address, in the rail's order. `:name` matches any segment; `*` matches every unknown address. */
export const places = byAddress({
  '/near-misses': {
    screen: nearMisses,
    title: t.near_misses,
    rail: { group: 'main', icon: List },
  },
  '/near-misses/:key': { screen: nearMisses, title: t.near_misses },
  '/near-misses/:key/edit': { screen: capture, title: words.capture.edit_title },
  '/near-misses/:key/reportable': { screen: reportable, title: words.places.reportable },
  '/new': { screen: capture, title: words.capture.title },
  '/new/:draft': { screen: capture, title: words.capture.title },
  '/waiting': { screen: waiting, title: t.waiting, rail: { group: 'main', icon: Clock } },
  '/photos': {
    screen: gallery,
    title: words.places.photos,
    rail: { group: 'main', icon: Images },
  },
  '/follow-ups': {
    screen: followUps,
    title: words.places.follow_ups,
    rail: { group: 'main', icon: ListChecks },
  },
  '/insights': {
    screen: insights,
    title: words.places.insights,
    rail: { group: 'main', icon: ChartColumn },
  },
  '/insights/week': { screen: week, title: words.places.week },
  '/insights/said': { screen: said, title: words.places.said },
  '/box': {
    screen: box,
    title: words.places.box,
    rail: { group: 'main', icon: Inbox, shown: () => may('near_misses.create') },
  },
  '/recycle-bin': {
    screen: recycleBin,
    title: t.recycle_bin,
    rail: { group: 'list', icon: Trash },
  },
  '/plans': {
    screen: plans,
    title: words.places.plans,
    rail: { group: 'more', icon: MapIcon, shown: () => may('plans.list') },
  },
  '/plans/:plan': { screen: plans, title: words.places.plans },
  '/members': {
    screen: members,
    title: words.places.members,
    rail: { group: 'more', icon: UserCheck, shown: () => may('project_memberships.list') },
  },
  '/insurances': {
    screen: insurances,
    title: words.places.insurances,
    rail: {
      group: 'more',
      icon: ShieldCheck,
      name: words.places.insurances_short,
      shown: () => may('insurances.list'),
    },
  },
  '/insurances/:vendor': { screen: insurances, title: words.places.insurances },
  '/insurances/:vendor/:part': { screen: insurances, title: words.places.insurances },
  '/time-and-material': {
    screen: timeAndMaterial,
    title: words.places.tm,
    rail: {
      group: 'more',
      icon: FileIcon,
      shown: () => may('time_and_material_entry_attachments.list'),
    },
  },
  '/time-and-material/:entry': { screen: timeAndMaterial, title: words.places.tm },
  '/webhooks': {
    screen: webhooks,
    title: words.places.webhooks,
    rail: { group: 'more', icon: Webhook, shown: () => may('webhook_hooks.list') },
  },
  '/webhooks/:hook': { screen: webhooks, title: words.places.webhooks },
  '/users': {
    screen: users,
    title: words.places.users,
    rail: { group: 'more', icon: UserCog, shown: managesUsers },
  },
  '/users/:user': { screen: users, title: words.places.users },
  '/company-data': {
    screen: companyData,
    title: words.places.own_data,
    rail: { group: 'more', icon: Database, shown: () => may('people.list') },
  },
  '/company-data/:kind': { screen: companyData, title: words.places.own_data },
  '/company-data/:kind/:part': { screen: companyData, title: words.places.own_data },
  '/help': { screen: help, title: words.keys.help, rail: { group: 'foot', icon: CircleHelp } },
  '/help/:tab': { screen: help, title: words.keys.help },
  '/settings': { screen: settings, title: t.settings, rail: { group: 'foot', icon: Settings } },
  '/settings/:section': { screen: settings, title: t.settings },
  '/connect': { screen: connect, title: t.settings },
  '/tour': { screen: tour, title: words.places.tour },
  '/': { screen: nearMisses, title: t.near_misses },
  '*': { screen: nearMisses, title: t.near_misses },
});

const list: readonly (Place & { readonly path: string })[] = Object.entries(places).map(
  ([path, place]) => ({ path, ...place }),
);

const matches = (pattern: string, address: string): boolean => {
  const [parts, given] = [pattern.split('/'), address.split('/')];
  return (
    parts.length === given.length &&
    parts.every((part, at) => part === given[at] || (part.startsWith(':') && given[at] !== ''))
  );
};

export const placeAt = (address: string): Place =>
  list.find(({ path }) => matches(path, address)) ?? places['*'];

interface Shown {
  readonly path: string;
  readonly name: string;
  readonly icon: Icon;
  readonly on: boolean;
}

/** The lists that a site office needs most. Each is a part of the company data screen. */
const lists: readonly Omit<Shown, 'on'>[] = [
  { path: '/company-data/incidents', name: words.places.jobs, icon: HardHat },
  { path: '/company-data/people', name: words.places.people, icon: Users },
  { path: '/company-data/affected_companies', name: words.places.companies, icon: Factory },
  { path: '/company-data/managed_equipment', name: words.places.equipment, icon: Truck },
];

const isShown = (rail: Place['rail']): boolean => rail?.shown === undefined || rail.shown();
const shownLists = () => (may('people.list') ? lists : []);

/** Items for the lists of the company. `on` marks the current one. */
export const railLists = (address: string): readonly Shown[] =>
  shownLists().map((one) => ({ ...one, on: `${address}/`.startsWith(`${one.path}/`) }));

/**
 * The rail's items of a group, in order. `on` marks the current screen, unless the rail has an item for the current
 * part of that screen.
 */
export const railPlaces = (
  group: NonNullable<Place['rail']>['group'],
  address: string,
): readonly Shown[] => {
  const place = placeAt(address);
  const screen = place.rail?.group === 'list' ? nearMisses : place.screen;
  const in_list = railLists(address).some(({ on }) => on);
  return list.flatMap(({ path, title, rail, screen: own }) =>
    rail?.group === group && isShown(rail)
      ? [{ path, name: rail.name ?? title, icon: rail.icon, on: own === screen && !in_list }]
      : [],
  );
};

/** Every place of the rail and of the list's menu, for the finder. */
export const placesToFind = (): readonly Omit<Shown, 'on'>[] => [
  ...list.flatMap(({ path, title, rail }) =>
    rail && isShown(rail) ? [{ path, name: title, icon: rail.icon }] : [],
  ),
  ...shownLists(),
];

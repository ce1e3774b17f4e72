/**
 * Every place of the window, once: its addresses, its screen, its title, and where the rail shows it. Screens load when
 * they are first opened, so that the first load of the window is small and no screen is imported by what screens import.
 */
import type { Component } from 'svelte';
import ChartColumn from '@lucide/svelte/icons/chart-column';
import Clock from '@lucide/svelte/icons/clock';
import FileIcon from '@lucide/svelte/icons/file';
import Images from '@lucide/svelte/icons/images';
import List from '@lucide/svelte/icons/list';
import Settings from '@lucide/svelte/icons/settings';
import ShieldCheck from '@lucide/svelte/icons/shield-check';
import Trash from '@lucide/svelte/icons/trash-2';
import Users from '@lucide/svelte/icons/users';
import Webhook from '@lucide/svelte/icons/webhook';
import { words } from './words/words.ts';

type Screen = () => Promise<{ readonly default: Component }>;
/** As every icon. */
type Icon = typeof List;

interface Place {
  readonly screen: Screen;
  /** What the window's title and its readers call the place. */
  readonly title: string;
  /** Where the rail shows the place, with which icon; `name` where the rail calls it otherwise. */
  readonly rail?: {
    readonly group: 'main' | 'company' | 'foot';
    readonly icon: Icon;
    readonly name?: string;
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
const companyData = () => import('./screens/company/company-data/CompanyDataScreen.svelte');
const insights = () => import('./screens/insights/InsightsScreen.svelte');
const week = () => import('./screens/insights/WeekScreen.svelte');
const settings = () => import('./screens/settings/SettingsScreen.svelte');
const tour = () => import('./screens/tour/TourScreen.svelte');
const connect = () => import('./screens/connect/ConnectScreen.svelte');

const t = words.app;

const byAddress = <Address extends string>(table: Readonly<Record<Address, Place>>) => table;

/** By address, in the rail's order. `:name` is a part that varies; `*` is every address that is not here. */
export const places = byAddress({
  '/near-misses': {
    screen: nearMisses,
    title: t.near_misses,
    rail: { group: 'main', icon: List },
  },
  '/near-misses/:key': { screen: nearMisses, title: t.near_misses },
  '/near-misses/:key/edit': { screen: capture, title: words.capture.edit_title },
  '/new': { screen: capture, title: words.capture.title },
  '/new/:draft': { screen: capture, title: words.capture.title },
  '/waiting': { screen: waiting, title: t.waiting, rail: { group: 'main', icon: Clock } },
  '/photos': {
    screen: gallery,
    title: words.gallery.title,
    rail: { group: 'main', icon: Images },
  },
  '/recycle-bin': {
    screen: recycleBin,
    title: t.recycle_bin,
    rail: { group: 'main', icon: Trash },
  },
  '/time-and-material': {
    screen: timeAndMaterial,
    title: words.places.tm,
    rail: { group: 'main', icon: FileIcon },
  },
  '/time-and-material/:entry': { screen: timeAndMaterial, title: words.places.tm },
  '/insights': {
    screen: insights,
    title: words.places.insights,
    rail: { group: 'main', icon: ChartColumn },
  },
  '/insights/week': { screen: week, title: words.places.week },
  '/insurances': {
    screen: insurances,
    title: words.places.insurances,
    rail: { group: 'company', icon: ShieldCheck, name: words.places.insurances_short },
  },
  '/insurances/:vendor': { screen: insurances, title: words.places.insurances },
  '/insurances/:vendor/:part': { screen: insurances, title: words.places.insurances },
  '/members': {
    screen: members,
    title: words.places.members,
    rail: { group: 'company', icon: Users },
  },
  '/webhooks': {
    screen: webhooks,
    title: words.places.webhooks,
    rail: { group: 'company', icon: Webhook },
  },
  '/webhooks/:hook': { screen: webhooks, title: words.places.webhooks },
  '/company-data': { screen: companyData, title: words.places.own_data },
  '/company-data/:kind': { screen: companyData, title: words.places.own_data },
  '/company-data/:kind/:part': { screen: companyData, title: words.places.own_data },
  '/settings': { screen: settings, title: t.settings, rail: { group: 'foot', icon: Settings } },
  '/settings/:section': { screen: settings, title: t.settings },
  '/connect': { screen: connect, title: t.settings },
  '/tour': { screen: tour, title: words.tour.title },
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

/** The place that an address shows. */
export const placeAt = (address: string): Place =>
  list.find(({ path }) => matches(path, address)) ?? places['*'];

interface Shown {
  readonly path: string;
  readonly name: string;
  readonly icon: Icon;
  readonly on: boolean;
}

/** What the rail shows in a group, in order; `on` where the address shows that screen. */
export const railPlaces = (
  group: NonNullable<Place['rail']>['group'],
  address: string,
): readonly Shown[] => {
  const { screen } = placeAt(address);
  return list.flatMap(({ path, title, rail, screen: own }) =>
    rail?.group === group
      ? [{ path, name: rail.name ?? title, icon: rail.icon, on: own === screen }]
      : [],
  );
};

/** Every place that stands by itself, as the rail shows them: for the finder. */
export const placesToFind = (): readonly Omit<Shown, 'on'>[] =>
  list.flatMap(({ path, title, rail }) => (rail ? [{ path, name: title, icon: rail.icon }] : []));

/**
 * Which screen an address shows. The address lives in the fragment (`#/waiting`): it works the same on `app://` and on
 * `http://127.0.0.1`, and no server has to know about it.
 */
import { createRouter } from 'sv-router';
import CaptureScreen from './screens/capture/CaptureScreen.svelte';
import ConnectScreen from './screens/connect/ConnectScreen.svelte';
import GalleryScreen from './screens/gallery/GalleryScreen.svelte';
import InsurancesScreen from './screens/insurances/InsurancesScreen.svelte';
import MembersScreen from './screens/members/MembersScreen.svelte';
import InsightsScreen from './screens/insights/InsightsScreen.svelte';
import NearMissesScreen from './screens/near-misses/NearMissesScreen.svelte';
import RecycleBinScreen from './screens/recycle-bin/RecycleBinScreen.svelte';
import SettingsScreen from './screens/settings/SettingsScreen.svelte';
import TimeAndMaterialScreen from './screens/time-and-material/TimeAndMaterialScreen.svelte';
import TourScreen from './screens/tour/TourScreen.svelte';
import WaitingScreen from './screens/waiting/WaitingScreen.svelte';
import WebhooksScreen from './screens/webhooks/WebhooksScreen.svelte';

const router = createRouter({
  '/': NearMissesScreen,
  '/near-misses': NearMissesScreen,
  '/near-misses/:key': NearMissesScreen,
  '/near-misses/:key/edit': CaptureScreen,
  '/new': CaptureScreen,
  '/waiting': WaitingScreen,
  '/photos': GalleryScreen,
  '/recycle-bin': RecycleBinScreen,
  '/time-and-material': TimeAndMaterialScreen,
  '/time-and-material/:entry': TimeAndMaterialScreen,
  '/insurances': InsurancesScreen,
  '/insurances/:vendor': InsurancesScreen,
  '/insurances/:vendor/:part': InsurancesScreen,
  '/members': MembersScreen,
  '/webhooks': WebhooksScreen,
  '/webhooks/:hook': WebhooksScreen,
  '/insights': InsightsScreen,
  '/settings': SettingsScreen,
  '/settings/:section': SettingsScreen,
  '/tour': TourScreen,
  '/connect': ConnectScreen,
  '*': NearMissesScreen,
});

export const { navigate, route } = router;

/** The address of a screen, for `href`. sv-router knows of the fragment only once its Router is shown; the rail is before. */
export const p: typeof router.p = (...args) => {
  const address = router.p(...args);
  return address.startsWith('/#') ? address : `/#${address}`;
};

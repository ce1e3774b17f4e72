/**
 * Maps addresses to screens (`places.ts`). The address lives in the fragment (`#/waiting`), which works alike on `app://`
 * and `http://127.0.0.1` and needs no server route.
 */
import { blockNavigation, createRouter } from 'sv-router';
import { places } from './routes.ts';

type Screens = { readonly [Path in keyof typeof places]: (typeof places)[Path]['screen'] };

const screens = Object.fromEntries(
  Object.entries(places).map(([path, { screen }]) => [path, screen]),
) as Screens;
/** Counted when a navigation begins: the address changes only once the next screen has loaded. */
let navigations = 0;
// Not enumerable, because sv-router takes every enumerable key for a path.
Object.defineProperty(screens, 'hooks', { value: { beforeLoad: () => void (navigations += 1) } });

const router = createRouter(screens);

export const { route } = router;

/**
 * Goes to a screen. A press of Back, or on a link, while the screen still loads takes over.
 *
 * sv-router lets an overtaken navigation wait for the last one that was begun by `navigate`. Where that is itself, it waits
 * for itself and fails with a TypeError. So a second one is begun at once, and blocked: it ends without an effect.
 */
export const navigate = ((...args: Parameters<typeof router.navigate>) => {
  const going = router.navigate(...args);
  const unblock = blockNavigation(() => false);
  void router.navigate('/near-misses');
  unblock();
  return going;
}) as typeof router.navigate;

/**
 * Call it before you wait. The returned function is false once the user has begun to go elsewhere; a screen must then not
 * navigate, because that would take them away from where they are.
 */
export function stillHere(): () => boolean {
  const [begun, address] = [navigations, location.hash];
  return () => navigations === begun && location.hash === address;
}

/**
 * The address of a screen, for `href`. Adds the `#` that sv-router omits until its Router is mounted, because the rail
 * renders earlier.
 */
export const p: typeof router.p = (...args) => {
  const address = router.p(...args);
  return address.startsWith('/#') ? address : `/#${address}`;
};

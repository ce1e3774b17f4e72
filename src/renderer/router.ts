/**
 * Maps addresses to screens (`places.ts`). The address lives in the fragment (`#/waiting`), which works alike on `app://`
 * and `http://127.0.0.1` and needs no server route.
 */
import { createRouter } from 'sv-router';
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
 * Goes to a screen. A press of Back, or on a link, while the screen still loads takes over; sv-router then makes the navigation wait
 * for itself and fails with a TypeError, although nothing is wrong.
 */
export const navigate = (async (...args: Parameters<typeof router.navigate>) => {
  try {
    return await router.navigate(...args);
  } catch (error) {
    if (error instanceof TypeError && /cycle/i.test(error.message)) return undefined;
    throw error;
  }
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

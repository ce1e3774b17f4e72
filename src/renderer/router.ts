/**
 * Which screen an address shows (`places.ts`). The address lives in the fragment (`#/waiting`): it works the same on
 * `app://` and on `http://127.0.0.1`, and no server has to know about it.
 */
import { createRouter } from 'sv-router';
import { places } from './places.ts';

type Screens = { readonly [Path in keyof typeof places]: (typeof places)[Path]['screen'] };

const router = createRouter(
  Object.fromEntries(Object.entries(places).map(([path, { screen }]) => [path, screen])) as Screens,
);

export const { navigate, route } = router;

/** The address of a screen, for `href`. sv-router knows of the fragment only once its Router is shown; the rail is before. */
export const p: typeof router.p = (...args) => {
  const address = router.p(...args);
  return address.startsWith('/#') ? address : `/#${address}`;
};

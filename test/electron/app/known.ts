/**
 * Makes unknown names fail: a method that silently does nothing would let a spec pass although the app relies on Electron doing
 * something.
 */

import { isHere, platform } from './platform.ts';

/** Node and the language read these on any object. */
const asked = new Set(['then', 'toJSON', 'constructor', 'inspect', 'nodeType', 'asymmetricMatch']);

/** Wraps the object so that reading a property it lacks, or lacks on this platform, throws `electron: <name>.<property> …`. */
export const known = <T extends object>(name: string, object: T): T =>
  new Proxy(object, {
    get(target, property, receiver) {
      if (typeof property === 'string' && property in target && !isHere(name, `.${property}`))
        throw new Error(`electron: ${name}.${property} is not on ${platform} (electron.d.ts)`);
      if (property in target || typeof property === 'symbol' || asked.has(property))
        return Reflect.get(target, property, receiver === undefined ? target : target) as unknown;
      throw new Error(`electron: ${name}.${property} is not known to the stand-in (test/electron)`);
    },
    set(target, property, value) {
      if (!(property in target) && typeof property === 'string' && !property.startsWith('_'))
        throw new Error(
          `electron: ${name}.${property} cannot be set in the stand-in (test/electron)`,
        );
      return Reflect.set(target, property, value);
    },
  });

/** An event as Electron's listeners receive it (docs/api/structures/event.md): `preventDefault` and `defaultPrevented`. */
export const event = <T extends object>(more: T = {} as T) => {
  const made = {
    ...more,
    defaultPrevented: false,
    preventDefault: () => void (made.defaultPrevented = true),
  };
  return made;
};

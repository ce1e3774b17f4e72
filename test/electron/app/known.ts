/**
 * What the stand-in does not know must fail by its name: a method that silently does nothing would let a spec pass on an app
 * that asks for something Electron would have done.
 */

/** Node and the language ask these of any object. */
const asked = new Set(['then', 'toJSON', 'constructor', 'inspect', 'nodeType', 'asymmetricMatch']);

/** The same object; reading a property that it has not got throws `electron: <name>.<property> …`. */
export const known = <T extends object>(name: string, object: T): T =>
  new Proxy(object, {
    get(target, property, receiver) {
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

/** An event as Electron's listeners get it (docs/api/structures/event.md): `preventDefault` and what it left. */
export const event = <T extends object>(more: T = {} as T) => {
  const made = {
    ...more,
    defaultPrevented: false,
    preventDefault: () => void (made.defaultPrevented = true),
  };
  return made;
};

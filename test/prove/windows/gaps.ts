/**
 * Preloaded into each Node for Windows under Wine: patches what Wine 8 cannot do and Windows can. None of this is in the
 * product, and nothing here makes a promise easier to keep.
 */
import { Socket } from 'node:net';
import { join } from 'node:path';

type Any = (this: Socket, ...given: unknown[]) => Socket;
const keepAlive = Socket.prototype.setKeepAlive as Any;
/** If it is set during connect, as undici does, Wine refuses the whole connection ("connect UNKNOWN"). */
const later: Any = function (...given) {
  return this.connecting ? this : keepAlive.apply(this, given);
};
Socket.prototype.setKeepAlive = later;

/** Wine takes the temporary folder from its registry; this one has a space and an umlaut in its name. */
const places = join(import.meta.dirname, '../../../..', 'places', 'Temp für Tests');
process.env['TEMP'] = places;
process.env['TMP'] = places;

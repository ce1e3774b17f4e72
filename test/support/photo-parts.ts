/** Parts of photo and video files, to build files that hold text where no reader looks. */
import { inspect } from '../../src/renderer/photos/formats/inspect.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export const SECRET = 'Maria Secret 52.520008N 13.404954E';
export const text = (value: string): Bytes => new TextEncoder().encode(value);
/** One byte for each letter. */
export const latin1 = (value: string): Bytes =>
  Uint8Array.from(value, (letter) => letter.charCodeAt(0));
export const bytesOf = async (blob: Blob): Promise<Bytes> =>
  new Uint8Array(await blob.arrayBuffer());
export const latin1Of = async (blob: Blob): Promise<string> =>
  new TextDecoder('latin1').decode(await blob.arrayBuffer());
export const join = (...parts: readonly Bytes[]): File => new File([...parts], 'x');
export const joined = (...parts: readonly Bytes[]): Bytes =>
  new Uint8Array(parts.flatMap((part) => [...part]));

export const be16 = (value: number): Bytes => new Uint8Array([value >> 8, value & 255]);
export const be32 = (value: number): Bytes => {
  const out = new Uint8Array(4);
  new DataView(out.buffer).setUint32(0, value);
  return out;
};
export const box = (type: string, ...body: readonly Bytes[]): Bytes => {
  const content = joined(...body);
  return joined(be32(8 + content.length), latin1(type), content);
};
/** A box with a version and flags. */
export const fullBox = (type: string, version: number, ...body: readonly Bytes[]): Bytes =>
  box(type, be32(version * 2 ** 24), ...body);
export const segment = (marker: number, body: Bytes): Bytes =>
  new Uint8Array([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255, ...body]);
export const chunk = (type: string, body: Bytes): Bytes =>
  new Uint8Array([...be32(body.length), ...text(type), ...body, 0, 0, 0, 0]);
export const riffChunk = (type: string, body: Bytes): Bytes => {
  const size = be32(body.length).reverse();
  return new Uint8Array([...text(type), ...size, ...body, ...(body.length % 2 ? [0] : [])]);
};

/** The bytes in front of the boxes inside a box. */
const heads: Readonly<Record<string, number>> = { meta: 4, stsd: 8, dref: 8, avc1: 78 };

/** Adds bytes at the end of a box, found by the types on the way to it. Offsets into the file stay as they are. */
export const grown = (file: Bytes, path: readonly string[], extra: Bytes): Bytes => {
  const out = file.slice();
  const view = new DataView(out.buffer);
  let [from, to] = [0, out.length];
  const sizes: number[] = [];
  for (const type of path) {
    while (new TextDecoder('latin1').decode(out.slice(from + 4, from + 8)) !== type) {
      from += view.getUint32(from);
      if (from >= to) throw new Error(`no ${type}`);
    }
    sizes.push(from);
    to = from + view.getUint32(from);
    from += 8 + (heads[type] ?? 0);
  }
  for (const at of sizes) view.setUint32(at, view.getUint32(at) + extra.length);
  return joined(out.slice(0, to), extra, out.slice(to));
};

/** The blob that is sent; a `clean` file is sent unchanged. */
export const sentOf = async (file: Blob): Promise<Blob> => {
  const { stripped } = await inspect(file);
  if (stripped.kind === 'unsafe') throw new Error(`the person is asked: ${stripped.reason}`);
  return stripped.kind === 'clean' ? file : stripped.blob;
};

/** What leaves this laptop: nothing if the person is asked. */
export const leaving = async (file: Blob): Promise<string> => {
  const { stripped } = await inspect(file);
  return latin1Of(
    stripped.kind === 'unsafe' ? new Blob() : stripped.kind === 'clean' ? file : stripped.blob,
  );
};

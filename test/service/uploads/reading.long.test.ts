/** Reading bytes back (decisions §5.8; failures S11, S12): ranges, conditions, and headers that prevent execution. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../support/any-character.ts';
import {
  cut,
  DAY,
  KIB,
  md5,
  put,
  random,
  sha256,
  sharedFixture,
  startFixture,
  store,
  type Fixture,
} from './support.ts';

const shared = sharedFixture();

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

/** A file that arrived in five segments, so that ranges cross their borders. */
const storeSegments = async (fixture: Fixture, bytes: Buffer): Promise<number> => {
  const parts = cut(bytes, 256 * KIB);
  const upload = await fixture.create({ response_filename: 'big.jpg', segments: parts.pieces });
  for (const [index, part] of parts.entries()) await put(upload, index, part);
  await fixture.complete(upload.uuid, parts.map(md5));
  const [id = 0] = await fixture.associate([upload.uuid], 1);
  return id;
};

describe('bytes', () => {
  it('decisions §5.8: url gives every byte of a form post and of segments, with length and type', async () => {
    const fixture = shared();
    const bytes = random(1100 * KIB);
    for (const id of [
      await store(fixture, bytes, { response_filename: 'big.jpg' }),
      await storeSegments(fixture, bytes),
    ]) {
      const response = await fetch(fixture.addresses(id).url);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
      expect(response.headers.get('accept-ranges')).toBe('bytes');
      expect(response.headers.get('etag')).toBe(`"${sha256(bytes)}"`);
      expect(sha256(await bytesOf(response))).toBe(sha256(bytes));
    }
  });

  it('readers that take their time, many at once, each get every byte of their own file', async () => {
    const fixture = shared();
    const files = Array.from({ length: 6 }, (_, at) => random((1100 + at * 333) * KIB + at));
    const ids = await Promise.all(files.map((bytes) => storeSegments(fixture, bytes)));
    const read = async (id: number): Promise<string> => {
      const { body } = await fetch(fixture.addresses(id).url);
      const pieces: Uint8Array[] = [];
      for await (const piece of body ?? []) {
        pieces.push(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return sha256(Buffer.concat(pieces));
    };
    const twice = [...ids, ...ids];
    expect(await Promise.all(twice.map(read))).toEqual([...files, ...files].map(sha256));
  });

  it('decisions §5.8: HEAD answers the same headers and no body', async () => {
    const fixture = shared();
    const id = await store(fixture, random(5000), { response_filename: 'a.jpg' });
    const { url } = fixture.addresses(id);
    const get = await fetch(url);
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect((await bytesOf(head)).length).toBe(0);
    for (const name of ['content-length', 'content-type', 'etag', 'content-disposition'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });

  it('decisions §5.8: a service that was killed serves the same bytes under addresses made before', async () => {
    const fixture = await startFixture();
    const bytes = random(5000);
    const id = await store(fixture, bytes, { response_filename: 'a.jpg' });
    const { pathname, search } = new URL(fixture.addresses(id).url);
    const again = await fixture.restart();
    const response = await fetch(again.url + pathname + search);
    expect(sha256(await bytesOf(response))).toBe(sha256(bytes));
  });
});

describe('ranges', () => {
  const SIZE = 600 * KIB;
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=262140-262150', 262140, 262150],
    ['bytes=100-', 100, SIZE - 1],
    ['bytes=-1', SIZE - 1, SIZE - 1],
    ['bytes=-700000', 0, SIZE - 1],
    ['bytes=5-99999999', 5, SIZE - 1],
  ])('decisions §5.8: Range %s is a 206 with those bytes', async (range, start, end) => {
    const fixture = shared();
    const bytes = random(SIZE);
    const id = await storeSegments(fixture, bytes);
    const response = await fetch(fixture.addresses(id).url, { headers: { Range: range } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${SIZE}`);
    expect(response.headers.get('content-length')).toBe(String(end - start + 1));
    expect((await bytesOf(response)).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it('decisions §5.8: any range of a file in segments has the bytes of that range', async () => {
    const fixture = shared();
    const bytes = random(SIZE);
    const { url } = fixture.addresses(await storeSegments(fixture, bytes));
    await fc.assert(
      fc.asyncProperty(fc.nat(SIZE - 1), fc.nat(SIZE - 1), async (a, b) => {
        const [start, end] = a < b ? [a, b] : [b, a];
        const response = await fetch(url, { headers: { Range: `bytes=${start}-${end}` } });
        expect((await bytesOf(response)).equals(bytes.subarray(start, end + 1))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it.each(['bytes=0-1,5-6', 'bytes=9-2', 'bytes=-', 'lines=1-2', 'bytes=a-b', 'nonsense'])(
    'decisions §5.8: Range %s is ignored: 200 with everything',
    async (range) => {
      const fixture = shared();
      const id = await store(fixture, random(100), { response_filename: 'a.jpg' });
      const response = await fetch(fixture.addresses(id).url, { headers: { Range: range } });
      expect(response.status).toBe(200);
      expect((await bytesOf(response)).length).toBe(100);
    },
  );

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])(
    'decisions §5.8: Range %s of 100 bytes is a 416 that names the size',
    async (range) => {
      const fixture = shared();
      const id = await store(fixture, random(100), { response_filename: 'a.jpg' });
      const response = await fetch(fixture.addresses(id).url, { headers: { Range: range } });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe('bytes */100');
    },
  );

  it('decisions §5.8: If-Range with this ETag gives the range, with another everything; If-None-Match gives 304', async () => {
    const fixture = shared();
    const bytes = random(100);
    const { url } = fixture.addresses(await store(fixture, bytes, { response_filename: 'a.jpg' }));
    const ask = (headers: Record<string, string>) => fetch(url, { headers });
    const etag = `"${sha256(bytes)}"`;
    expect((await ask({ Range: 'bytes=0-1', 'If-Range': etag })).status).toBe(206);
    expect((await ask({ Range: 'bytes=0-1', 'If-Range': '"other"' })).status).toBe(200);
    expect((await ask({ 'If-None-Match': etag })).status).toBe(304);
    expect((await ask({ 'If-None-Match': '"other"' })).status).toBe(200);
  });
});

describe('addresses', () => {
  it('decisions §5.8: signed: changed in any part it is a 403, or a 404 where it names nothing', async () => {
    const fixture = shared();
    const id = await store(fixture, random(100), { response_filename: 'a.jpg' });
    const { url } = fixture.addresses(id);
    expect((await fetch(url)).status).toBe(200);
    const expires = new URL(url).searchParams.get('expires') ?? '';
    for (const other of [
      url.replace(/signature=.*/, `signature=${'0'.repeat(64)}`),
      url.replace(/&signature=.*/, ''),
      url.replace(/\?.*/, ''),
      url.replace(expires, `${Number(expires) + 1}`),
      url.replace(expires, `${expires}&expires=${expires}`),
      url.replace('/content', '/presentation'),
      url.replace(`/${id}/`, `/${id + 1}/`),
    ])
      expect((await fetch(other)).status).toBe(403);
    expect((await fetch(url.replace('/content', '/other'))).status).toBe(404);
    expect((await fetch(url.replace(`/${id}/`, '/..%2f..%2f/'))).status).toBe(404);
  });

  it('decisions §5.8: expiring: it holds for at least half a day, and not past --file-url-window', async () => {
    const fixture = await startFixture();
    const id = await store(fixture, random(100), { response_filename: 'a.jpg' });
    const { url } = fixture.addresses(id);
    fixture.advance(DAY / 2 - 1);
    expect((await fetch(url)).status).toBe(200);
    fixture.advance(DAY / 2 + 1);
    const late = await fetch(url);
    expect(late.status).toBe(403);
    expect(await late.text()).toContain('expired');
    expect((await fetch(fixture.addresses(id).url)).status).toBe(200);
  });

  it('decisions §5.8: addresses in answers start with the address the client used', async () => {
    const fixture = shared();
    const upload = await fixture.create({ response_filename: 'a.jpg' });
    expect(upload.url?.startsWith(`${fixture.url}/`)).toBe(true);
    const proxied = await startFixture({ options: { 'public-url': 'https://spotter.example/x/' } });
    const behind = await proxied.create({ response_filename: 'a.jpg' });
    expect(behind.url?.startsWith('https://spotter.example/x/storage/')).toBe(true);
  });
});

describe('what a browser may do with it', () => {
  const headersFor = async (
    filename: string,
    type: string | undefined,
    bytes: Buffer,
    attachment = false,
  ) => {
    const fixture = shared();
    const id = await store(fixture, bytes, {
      response_filename: filename,
      ...(type === undefined ? {} : { response_content_type: type }),
      attachment_content_disposition: attachment,
    });
    const { url, presentation_url } = fixture.addresses(id);
    return { content: (await fetch(url)).headers, shown: (await fetch(presentation_url)).headers };
  };
  const html = Buffer.from('<html><script>alert(1)</script>');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

  it.each([
    ['page.html', undefined, html],
    ['page.HTM', undefined, html],
    ['a.svg', undefined, svg],
    ['a.xhtml', undefined, html],
    ['a.xml', undefined, svg],
    ['a.js', undefined, html],
    ['a.mjs', undefined, html],
    ['a.mhtml', undefined, html],
    ['a.jpg', 'text/html', html],
    ['a.jpg', 'TEXT/HTML; charset=utf-8', html],
    ['a.jpg', 'image/svg+xml', svg],
    ['a.jpg', 'application/xhtml+xml', html],
    ['a.jpg', 'text/xml', svg],
    ['a.jpg', 'multipart/x-mixed-replace;boundary=x', html],
    ['a.jpg', 'text/css', html],
  ])(
    'failures S11: %s as %s is served as bytes to download, never as a page',
    async (name, type, bytes) => {
      const { content, shown } = await headersFor(name, type, bytes);
      for (const headers of [content, shown]) {
        expect(headers.get('content-type')).toBe('application/octet-stream');
        expect(headers.get('content-disposition')).toMatch(/^attachment/);
      }
    },
  );

  it.each([
    ['a.jpg', undefined, 'image/jpeg', 'inline'],
    ['a.bin', 'image/png', 'image/png', 'inline'],
    ['a', undefined, 'application/octet-stream', 'attachment'],
    ['a.zip', undefined, 'application/zip', 'attachment'],
    ['a.txt', undefined, 'text/plain; charset=utf-8', 'inline'],
    ['a.pdf', undefined, 'application/pdf', 'inline'],
  ])(
    'decisions §5.8: %s as %s is %s, %s (reference R-uploads-7, R-uploads-8)',
    async (name, type, served, disposition) => {
      const { content } = await headersFor(name, type, html);
      expect(content.get('content-type')).toBe(served);
      expect(content.get('content-disposition')).toMatch(new RegExp(`^${disposition}`));
    },
  );

  it('decisions §5.8: attachment_content_disposition downloads; presentation_url still shows (reference R-uploads-8)', async () => {
    const { content, shown } = await headersFor('a.jpg', undefined, html, true);
    expect(content.get('content-disposition')).toMatch(/^attachment/);
    expect(shown.get('content-disposition')).toMatch(/^inline/);
  });

  it('failures S11: nosniff and a sandbox on every file', async () => {
    const { content, shown } = await headersFor('a.jpg', undefined, html);
    for (const headers of [content, shown]) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    }
  });

  it.each([
    ['plain.jpg', 'inline; filename=plain.jpg'],
    ['Grüße.jpg', /filename\*=UTF-8''Gr%C3%BC%C3%9Fe\.jpg/],
    ['工地.jpg', /filename\*=UTF-8''%E5%B7%A5%E5%9C%B0\.jpg/],
    ['../../etc/passwd', /filename=passwd$/],
    ['C:\\Windows\\CON', /filename=CON$/],
    ['a\r\nSet-Cookie: x=1.jpg', /^(inline|attachment); filename="aSet-Cookie: x=1.jpg"$/],
    ['say "hi".jpg', /filename="say \\"hi\\"\.jpg"/],
    ['photo\u202egpj.exe', /filename=photogpj\.exe$/],
    ['..', /filename=file$/],
  ])(
    'failures S12: the name %j stands in the header as it safely can (reference R-uploads-6)',
    async (name, expected) => {
      const { content } = await headersFor(name, undefined, html);
      if (typeof expected === 'string') expect(content.get('content-disposition')).toBe(expected);
      else expect(content.get('content-disposition')).toMatch(expected);
    },
  );

  it('failures S12: no file name, however odd, is used as a path or breaks an answer', async () => {
    const fixture = await startFixture();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }),
          fc.constantFrom('../../x', 'C:\\x', 'CON', 'a/../../b', '/etc/passwd', '.', '..', '~'),
          fc.constant('n'.repeat(10_000)),
        ),
        async (response_filename) => {
          const path = `/rest/v1.1/companies/${fixture.owner.company_id}/uploads`;
          const created = await fixture.call('POST', path, { response_filename });
          expect([201, 422]).toContain(created.status);
          if (created.status === 422) return; // NUL and half surrogate pairs are refused by name
          const id = await store(fixture, Buffer.from('x'), { response_filename });
          const response = await fetch(fixture.addresses(id).url);
          expect(response.status).toBe(200);
          expect((response.headers.get('content-disposition') ?? '').length).toBeLessThan(3000);
        },
      ),
      { numRuns: 60 },
    );
    for (const path of Object.keys(fixture.files()))
      expect(path).toMatch(/^parts\/[0-9a-f]{2}\/[0-9a-f-]{36}\.form-[0-9a-f-]{36}$/);
  });
});

/**
 * 10,000 damaged form posts (failures S7, S8; decisions §5.5): cut, spliced, with parts dropped, doubled, renamed and swapped.
 * A form may be accepted only if an independent parser (undici's) still finds every field as issued; never a 5xx.
 */
import fc from 'fast-check';
import type { Upload } from '../../src/contract/rest/uploads.ts';
import { startTestService } from '../support/service.ts';
import type { Case } from './run.ts';

const BODIES = Number(process.env['SPOTTER_FORMS'] ?? 10_000);
const BOUNDARY = 'b0undary';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

interface Field {
  readonly name: string;
  readonly value: string;
  readonly file: boolean;
}

const bytesOf = (fields: readonly Field[]): Buffer =>
  Buffer.from(
    fields
      .map(
        ({ name, value, file }) =>
          `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
          `${file ? '; filename="x.jpg"' : ''}\r\n\r\n${value}\r\n`,
      )
      .join('') + `--${BOUNDARY}--\r\n`,
  );

const fieldsOf = (upload: Upload): readonly Field[] => [
  ...Object.entries(upload.fields ?? {}).map(([name, value]) => ({ name, value, file: false })),
  { name: 'file', value: 'content', file: true },
];

/** Damages the parts, then the bytes. */
export const damages = fc.record({
  parts: fc.constantFrom('none', 'drop', 'double', 'swap', 'rename', 'change', 'add'),
  which: fc.nat({ max: 20 }),
  other: fc.nat({ max: 20 }),
  where: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  cut: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })),
  insert: fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ maxLength: 40 })),
  end: fc.boolean(),
});
type Damage = typeof damages extends fc.Arbitrary<infer T> ? T : never;

const damageParts = (fields: readonly Field[], { parts, which, other }: Damage): Field[] => {
  const at = which % fields.length;
  const to = other % fields.length;
  const out = [...fields];
  const one = fields[at];
  const two = fields[to];
  if (!one || !two) return out;
  if (parts === 'drop') out.splice(at, 1);
  if (parts === 'double') out.splice(to, 0, one);
  if (parts === 'rename') out[at] = { ...one, name: `${one.name}x` };
  if (parts === 'change') out[at] = { ...one, value: `${one.value}x` };
  if (parts === 'add') out.splice(to, 0, { name: 'extra', value: 'x', file: false });
  if (parts === 'swap') [out[at], out[to]] = [two, one];
  return out;
};

const damaged = (upload: Upload, damage: Damage): Buffer => {
  const whole = bytesOf(damageParts(fieldsOf(upload), damage));
  // Any bytes are valid in the file itself, so the damage is before it, unless the end is cut.
  const limit = damage.end ? whole.length : Math.max(1, whole.indexOf('name="file"'));
  const at = Math.floor(damage.where * limit);
  const { cut, insert } = damage;
  return Buffer.concat([whole.subarray(0, at), insert, whole.subarray(at + cut)]);
};

/** Whether an independent parser finds exactly the issued fields and file. */
const stillRight = async (upload: Upload, body: Buffer): Promise<boolean> => {
  // RFC 2046 ignores everything before the first boundary; undici refuses it.
  const starts = body.indexOf(`--${BOUNDARY}`) === 0 ? 0 : body.indexOf(`\r\n--${BOUNDARY}`) + 2;
  const answer = new Response(new Uint8Array(body.subarray(starts)), {
    headers: { 'Content-Type': TYPE },
  });
  const form = await answer.formData().catch(() => null);
  const fields = [...(form ?? [])].filter(([name]) => name !== 'file');
  const same = fields.every(([name, value]) => upload.fields?.[name] === value);
  return form !== null && same && fields.length === Object.keys(upload.fields ?? {}).length;
};

const postDamaged = async (upload: Upload, body: Buffer): Promise<number> => {
  const answer = await fetch(upload.url ?? '', {
    method: 'POST',
    headers: { 'Content-Type': TYPE },
    body: new Uint8Array(body),
  });
  await answer.arrayBuffer();
  return answer.status;
};

const REFUSALS = [400, 403, 413, 415];

/** Sends one damaged form. Returns what is wrong with the response, and whether the form was accepted. */
export const judgeForm = async (
  upload: Upload,
  damage: Damage,
): Promise<{ readonly wrong: string | null; readonly taken: boolean }> => {
  const body = damaged(upload, damage);
  const status = await postDamaged(upload, body);
  const at = `${status} for ${JSON.stringify(damage)}`;
  if (status === 204)
    return { taken: true, wrong: (await stillRight(upload, body)) ? null : `taken: ${at}` };
  return { taken: false, wrong: REFUSALS.includes(status) ? null : `not a refusal: ${at}` };
};

export const forms: Case = {
  name: 'service',
  title: 'damaged multipart bodies: taken only when every field is as issued, never a 5xx',
  run: async (seed, _replay, share) => {
    const count = Math.ceil(BODIES * share);
    const t = await startTestService();
    const failures: string[] = [];
    let taken = 0;
    const create = async (): Promise<Upload> =>
      (
        await t.demo.post(`/rest/v1.1/companies/${t.demo.company_id}/uploads`, {
          response_filename: 'a.jpg',
        })
      ).json as Upload;
    try {
      let upload = await create();
      for (const damage of fc.sample(damages, { numRuns: count, seed })) {
        const outcome = await judgeForm(upload, damage).catch((error: unknown) => ({
          wrong: String(error),
          taken: false,
        }));
        if (outcome.wrong !== null) failures.push(outcome.wrong);
        if (!outcome.taken) continue;
        taken += 1;
        upload = await create();
      }
    } finally {
      await t.stop();
    }
    return { runs: count, failures, note: `${taken} still right and taken` };
  },
};

/**
 * Response fields that the app reads more tolerantly than the service writes them: another server may omit a field, ours never
 * does. The type is what the app must handle; the OpenAPI document shows what the service sends (decisions §10).
 */
import type { z } from 'zod';
import { ours } from './endpoint.ts';

const answers = new WeakMap<object, z.ZodType>();

/**
 * The schema of what the service sends in a field; undefined if it equals the read schema. An optional schema means the field may
 * be absent.
 */
export const answerOf = (field: object): z.ZodType | undefined => answers.get(field);

/** Documents `read` as `as` in the OpenAPI document. @returns `read` */
export const answeredAs = <Read extends z.ZodType>(as: z.ZodType, read: Read): Read => {
  answers.set(read, as);
  return read;
};

/** @param read what another server may send in this field, besides null and absence */
export const answered = <As extends z.ZodType, Read extends z.ZodType = As>(
  as: As,
  read: Read = as as unknown as Read,
) => answeredAs(as, read.nullish());

/** [ours] A field that only our service knows and always sends. */
export const answeredByUs = <As extends z.ZodType>(as: As) =>
  answeredAs(as, as.optional().meta(ours));

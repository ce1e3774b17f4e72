/** Texts at their limits cost linear time: one request must not block all others. */
import { describe, expect, it } from 'vitest';
import { plainTextOf } from '../../src/service/domain/rich-text.ts';
import { partHeaderProblem } from '../../src/service/files/part-header.ts';

/** Long enough that quadratic work takes minutes and linear work a few milliseconds. */
const MANY = 600_000;

describe('failures S27: no pattern goes back over a long text', () => {
  it.each([
    ['spaces', ' '.repeat(MANY)],
    ['spaces before a word', `${' '.repeat(MANY)}x`],
    ['tabs and breaks', '\t\n'.repeat(MANY / 2)],
    ['opened brackets', '<'.repeat(MANY)],
  ])('failures S27: the words of a description of 600,000 %s', (_name, text) => {
    const began = process.cpuUsage();
    plainTextOf(`a${text}b`);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(10);
  });

  it('failures S27: the header of a part', () => {
    const began = process.cpuUsage();
    const value = `form-data; name="file"${' '.repeat(MANY)}x`;
    expect(partHeaderProblem({ 'content-disposition': [value] })).not.toBeNull();
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(10);
  });

  it('decisions §3.2: line breaks and escaped signs of a description become plain text', () => {
    expect(plainTextOf('<p>one  \t </p><p>two<br> three</p>')).toBe('one\ntwo\n three');
    expect(plainTextOf('a &lt; b &amp;&amp; c &gt; d')).toBe('a < b && c > d');
  });
});

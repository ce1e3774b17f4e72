/** Which paper a PDF is for. */

/** Countries whose offices print on Letter (CLDR, supplemental data, paperSize US-Letter); all others print on A4. */
const LETTER = 'BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' ');

/** @param country as the system is set to, two letters; '' where it does not say: Chromium's own answer stays */
export const paperOf = (country: string): 'A4' | 'Letter' =>
  country === '' || LETTER.includes(country.toUpperCase()) ? 'Letter' : 'A4';

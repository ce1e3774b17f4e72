/** Chooses the paper size of a PDF. */

/** Countries that print on Letter (CLDR, supplemental data, paperSize US-Letter); all others print on A4. */
const LETTER = 'BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' ');

/** @param country two letters, from the system's settings; '' when unknown, which keeps Chromium's default, Letter */
export const paperOf = (country: string): 'A4' | 'Letter' =>
  country === '' || LETTER.includes(country.toUpperCase()) ? 'Letter' : 'A4';

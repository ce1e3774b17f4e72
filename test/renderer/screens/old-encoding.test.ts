/** Old encodings of CSV files: Western and Central Europe are told apart by their words. */
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../src/renderer/screens/company/spreadsheet/csv-read.ts';
import {
  lettersOf,
  oldEncodings,
  type OldEncoding,
} from '../../../src/renderer/screens/company/spreadsheet/old-encoding.ts';

/** The bytes of a text, as an old spreadsheet program writes them. */
const encode = (text: string, encoding: OldEncoding): Uint8Array => {
  const all = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, at) => at));
  return Uint8Array.from(text, (one) => {
    if (!all.includes(one)) throw new Error(`${one} is not in ${encoding}`);
    return all.indexOf(one);
  });
};
const found = (text: string, encoding: OldEncoding) => {
  const letters = lettersOf(encode(text, encoding));
  return letters && `${letters.encoding} ${letters.is_sure ? 'sure' : 'ambiguous'}`;
};

describe('words tell the encoding of a file that is not Unicode', () => {
  for (const text of [
    'Compañía de Grúas;¿Qué?;Nº 5;1ª',
    'Año',
    'Père Noël;à la tête;bœuf',
    'Società Edile;più',
    'Manutenção;Construções;São Paulo',
    'Ångström;Sørensen',
    '25 m³;5 km²;£5;1½',
  ])
    it(`Western Europe: ${text}`, () => {
      expect(found(text, 'windows-1252')).toBe('windows-1252 sure');
    });

  for (const text of [
    'Wałęsa;Łódź;Gdańsk',
    'WAŁĘSA',
    'Paweł',
    'Dvořák;Černý;Němec',
    'Győr;Tóth;fűrész',
    'Bucureşti;construcţii',
    'Đorđević;Šarić',
    'Ťažký;vŕba;Ľudovít',
    'Müller;Żółw',
  ])
    it(`Central Europe: ${text}`, () => {
      expect(found(text, 'windows-1250')).toBe('windows-1250 sure');
    });

  it('a word of both leaves the choice to a person, and Western Europe until then', () => {
    expect(found('Kovač', 'windows-1250')).toBe('windows-1252 ambiguous');
    const bytes = encode('Insurer,Notes\nAxa,Kovač', 'windows-1250');
    const read = readCsv(bytes);
    expect(read.ok && read.sheet.rows[1]?.cells).toEqual(['Axa', 'Kovaè']);
    const chosen = readCsv(bytes, 'windows-1250');
    expect(chosen.ok && chosen.sheet.rows[1]?.cells).toEqual(['Axa', 'Kovač']);
    expect(chosen.ok && chosen.sheet.letters?.is_sure).toBe(true);
  });

  it('letters that both decode alike ask nothing', () => {
    for (const encoding of oldEncodings)
      expect(lettersOf(encode('Gruß aus Köln;José;Žižkov', encoding))).toBe(null);
  });
});

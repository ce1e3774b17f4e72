/** Generates the demo's documents and signed sheets as one-page PDFs, so that the package contains no binary. */
import type { FileStore } from '../files/file-store.ts';
import { keepFile, type KeptFile } from './keep.ts';
import * as words from './words.ts';

export interface KeptDocument extends KeptFile {
  readonly folder: string;
}

/** Escapes brackets and backslashes in a PDF's text; the demo uses Latin script only. */
const pdfText = (text: string): string => `(${text.replace(/[\\()]/g, String.raw`\$&`)})`;

/** One A4 page with a heading and a line. The xref table at the end lists the byte offset of each object. */
const onePagePdf = (heading: string, line: string): Buffer => {
  const page = `BT /F1 22 Tf 72 740 Td ${pdfText(heading)} Tj /F1 12 Tf 0 -32 Td ${pdfText(line)} Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${page.length}>>\nstream\n${page}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let text = '%PDF-1.4\n';
  const starts = objects.map((object, index) => {
    const start = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(start).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${starts.join('')}`;
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer, 'latin1');
};

const keepPdf = (files: FileStore, name: string, line: string): Promise<KeptFile> =>
  keepFile(
    files,
    'document',
    { name, content_type: 'application/pdf' },
    onePagePdf(name.replace(/\.pdf$/, ''), line),
  );

const keep = async (files: FileStore, folder: string, name: string): Promise<KeptDocument> => ({
  ...(await keepPdf(files, name, `${folder}. A document of the demo company.`)),
  folder,
});

/** The signed sheet of a time-and-material entry. Each call stores a separate file. */
export const keepSheet = (files: FileStore, name: string): Promise<KeptFile> =>
  keepPdf(files, name, 'Hours and material, signed on site. A sheet of the demo company.');

/** Stores the documents of one company. Each call stores separate files, because companies share nothing. */
export const keepDocuments = (files: FileStore): Promise<readonly KeptDocument[]> =>
  Promise.all(
    words.folders.flatMap(([folder, names]) => names.map((name) => keep(files, folder, name))),
  );

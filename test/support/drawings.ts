/** Drawings for tests of plans, made byte by byte: heads that say a size, and a PDF that a reader can draw. */

/** A PNG up to its header, which is all that the service reads. */
export const pngOf = (width: number, height: number): Buffer<ArrayBuffer> => {
  const bytes = Buffer.alloc(40);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(bytes);
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};

/** A JPEG up to its frame, behind an EXIF block of this length. */
export const jpegOf = (width: number, height: number, exif = 5000): Buffer<ArrayBuffer> => {
  const block = Buffer.alloc(2 + exif, 0xff);
  block.writeUInt16BE(0xffe1, 0);
  block.writeUInt16BE(exif, 2);
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), block, frame]);
};

/** A PDF of one page for each text, in points. */
export const pdfOf = (texts: readonly string[], size: readonly [number, number]): string => {
  const kids = texts.map((_, index) => `${3 + index * 2} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${texts.length}/MediaBox[0 0 ${size.join(' ')}]>>`,
    ...texts.flatMap((text, index) => {
      const drawn = `2 w 40 40 ${size[0] - 80} ${size[1] - 80} re S 0.8 0.2 0.1 rg 60 60 120 90 re f % ${text}`;
      return [
        `<</Type/Page/Parent 2 0 R/Resources<<>>/Contents ${4 + index * 2} 0 R>>`,
        `<</Length ${drawn.length}>>stream\n${drawn}\nendstream`,
      ];
    }),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj${object}endobj\n`;
    return at;
  });
  const xref = text.length;
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  text += `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer<</Size ${count}/Root 1 0 R>>\n`;
  return `${text}startxref\n${xref}\n%%EOF`;
};

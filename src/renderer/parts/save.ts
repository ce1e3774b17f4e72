/** A file into the person's downloads. As octets: whatever it is, the window never shows it (a page called a note would run). */
const KEPT_MS = 60_000;

const save = (content: Blob | string, name: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
};

export const saveBlob = (blob: Blob, name: string): void => save(blob, name);

export const saveText = (text: string, name: string): void => save(text, name);

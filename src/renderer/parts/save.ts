/**
 * Milliseconds before the object URL is revoked. Files are saved as octet streams so that the window never renders them: an
 * HTML file could run scripts.
 */
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

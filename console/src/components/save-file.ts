/** Saves a file whose content the page has created, such as a table or recovery codes. */
export type MadeFile = { readonly name: string; readonly type: string; readonly content: string };

/** Saves a file through the browser's download. */
export function saveFile({ name, type, content }: MadeFile): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has already copied the content, so the URL is no longer needed.
  URL.revokeObjectURL(address);
}

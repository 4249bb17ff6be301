/** Saves a file made in the page, such as a table or recovery codes. */
export type MadeFile = { readonly name: string; readonly type: string; readonly content: string };

/** Starts the download. */
export function saveFile({ name, type, content }: MadeFile): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has its own copy by now.
  URL.revokeObjectURL(address);
}

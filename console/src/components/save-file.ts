/** A file made in the page, such as a table that is shown or codes that are shown once. */
export type MadeFile = { readonly name: string; readonly type: string; readonly content: string };

/** Hands it to the browser, which asks or saves as the person has set it. */
export function saveFile({ name, type, content }: MadeFile): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has its own copy by then.
  URL.revokeObjectURL(address);
}

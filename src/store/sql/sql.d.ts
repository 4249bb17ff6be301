/** Types the import of an SQL file as text, with `{ type: 'text' }`. */
declare module '*.sql' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: how the runtime hands over a text file.
  export default text;
}

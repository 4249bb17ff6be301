/**
 * Types the import of an SQL file: its text with `{ type: 'text' }`, its path with
 * `{ type: 'file' }`.
 */
declare module '*.sql' {
  const textOrPath: string;
  // biome-ignore lint/style/noDefaultExport: how the runtime hands over a file.
  export default textOrPath;
}

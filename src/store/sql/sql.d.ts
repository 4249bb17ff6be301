/** A file of SQL, as text: `import books from './0001-books.sql' with { type: 'text' }`. */
declare module '*.sql' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: how the runtime hands over a text file.
  export default text;
}

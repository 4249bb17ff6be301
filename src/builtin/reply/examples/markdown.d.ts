/** Declares Markdown files as text: `import english from './english.md' with { type: 'text' }`. */
declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: how the runtime hands over a text file.
  export default text;
}

/** The modules that `texts-plugin.ts` makes. */
declare module 'virtual:texts/*' {
  /** The texts of a language by namespace and key. */
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  // biome-ignore lint/style/noDefaultExport: the modules are made of data.
  export default texts;
}

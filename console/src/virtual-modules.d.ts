/** Declares the modules that `texts-plugin.ts` generates. */
declare module 'virtual:texts/*' {
  /** The texts of a language by namespace and key. */
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  // biome-ignore lint/style/noDefaultExport: the modules export only data.
  export default texts;
}

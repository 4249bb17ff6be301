/** What the built-in models can say, once a language: whole sentences with their gaps as arguments. */

export type Phrases = {
  /** Eight ways to take up the request, four notes on who speaks, four ways to end: 128 answers that differ. */
  readonly openings: readonly ((asked: string) => string)[];
  readonly notes: readonly ((model: string) => string)[];
  readonly closings: readonly string[];
  readonly nothingAsked: string;
  readonly system: (gist: string) => string;
  readonly turns: (count: number) => string;
  readonly media: (list: string) => string;
  readonly tools: (list: string) => string;
  readonly sum: (expression: string, value: string) => string;
  readonly noSum: (expression: string) => string;
  readonly result: (tool: string, text: string) => string;
  readonly failure: (tool: string, text: string) => string;
  readonly calling: (tools: string) => string;
  readonly summary: (turns: number, asked: string) => string;
  /** Steps of thinking, from the first glance to the last check. */
  readonly thoughts: readonly ((asked: string) => string)[];
  readonly units: { readonly bytes: string; readonly elsewhere: string; readonly unknown: string };
  readonly nouns: Readonly<Record<'image' | 'file' | 'audio' | 'video', string>>;
  /** Between two sentences. */
  readonly space: string;
  readonly comma: string;
};

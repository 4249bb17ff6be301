/** For tests: extracts the code blocks of the guides. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const GUIDES = join(import.meta.dir, '../../../docs/guides');
/** The gateway's address as written in the guides. */
export const WRITTEN_ADDRESS = 'http://127.0.0.1:8787';

export type Block = {
  /** The file name of the guide and the line number, such as `openai-sdk.md:12`. */
  readonly where: string;
  readonly language: string;
  readonly text: string;
};

export const guides = readdirSync(GUIDES).filter((name) => name.endsWith('.md'));
export const guideText = (guide: string): string => readFileSync(join(GUIDES, guide), 'utf8');

const blocks: readonly Block[] = guides.flatMap((guide) =>
  [...guideText(guide).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((found) => ({
    where: `${guide}:${guideText(guide).slice(0, found.index).split('\n').length}`,
    language: found[1] ?? '',
    text: found[2] ?? '',
  })),
);

export const blocksOf = (language: string): readonly Block[] =>
  blocks.filter((block) => block.language === language);

/** A part of a guide: the text below a second-level heading. */
export type Section = {
  /** The file name of the guide and the heading, such as `agents.md: opencode`. */
  readonly where: string;
  readonly text: string;
  /** The blocks whose fence names a file, such as "json opencode.json". */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** The blocks of commands, except those that install the client. */
  readonly commands: readonly string[];
};

const INSTALLS = /^(?:npm install|pip install|docker) /;

export const sectionsOf = (guide: string): readonly Section[] =>
  guideText(guide)
    .split(/^## /m)
    .slice(1)
    .map((text) => ({
      where: `${guide}: ${text.slice(0, text.indexOf('\n'))}`,
      text,
      files: [...text.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map((found) => ({
        name: found[1] ?? '',
        text: found[2] ?? '',
      })),
      commands: [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
        .map((found) => found[1] ?? '')
        .filter((command) => !INSTALLS.test(command)),
    }));

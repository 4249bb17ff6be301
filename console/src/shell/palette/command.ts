/** What can be chosen in the command palette, and what a few typed letters find. */
import type { IconKey } from '@tabler/icons-react';

/** In the order in which they are listed. */
export const COMMAND_GROUPS = ['open', 'pages', 'models', 'keys', 'actions'] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

export type Command = {
  readonly id: string;
  readonly group: CommandGroup;
  readonly label: string;
  /** In small letters behind the label, such as an id. */
  readonly detail?: string;
  readonly icon: typeof IconKey;
  /** Other words by which it is found, such as its name in the other language. */
  readonly keywords?: readonly string[];
  readonly run: () => void;
};

/** More than fit on a screen help nobody; who types one letter more sees the rest. */
const MAX_PER_GROUP = 8;

/**
 * The commands in which every word of `query` occurs, best first within each group: those that begin with it,
 * then those with a word that does, then the others. An empty query finds all.
 */
export function findCommands<
  Found extends Pick<Command, 'group' | 'label' | 'detail' | 'keywords'>,
>(commands: readonly Found[], query: string): readonly Found[] {
  const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = commands.flatMap((command) => {
    const rank = rankOf(command, words);
    return rank === null ? [] : [{ command, rank }];
  });
  return COMMAND_GROUPS.flatMap((group) =>
    ranked
      .filter(({ command }) => command.group === group)
      // Sorting is stable: of equals, the one that was listed first stays first.
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, MAX_PER_GROUP)
      .map(({ command }) => command),
  );
}

/** 0 is best; null: not every word occurs. */
function rankOf(
  { label, detail = '', keywords = [] }: Pick<Command, 'label' | 'detail' | 'keywords'>,
  words: readonly string[],
): number | null {
  const title = label.toLowerCase();
  const all = [title, detail.toLowerCase(), ...keywords.map((word) => word.toLowerCase())];
  const [first = ''] = words;
  if (!words.every((word) => all.some((text) => text.includes(word)))) return null;
  if (title.startsWith(first)) return 0;
  return all.some((text) => text.split(/[\s\-_/]+/).some((part) => part.startsWith(first))) ? 1 : 2;
}

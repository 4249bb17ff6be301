/** The commands of the palette and how they are searched. */
import type { IconKey } from '@tabler/icons-react';

/** The groups of commands in display order. */
export const COMMAND_GROUPS = [
  'open',
  'pages',
  'models',
  'keys',
  'accounts',
  'people',
  'redeemCodes',
  'actions',
] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

export type Command = {
  readonly id: string;
  readonly group: CommandGroup;
  readonly label: string;
  /** A detail shown in small letters after the label, such as an id. */
  readonly detail?: string;
  readonly icon: typeof IconKey;
  /** Further search terms, such as the path of a page or the maker of a model. */
  readonly keywords?: readonly string[];
  readonly run: () => void;
};

/** The maximum number of results in a group. More results do not fit on a screen. */
const MAX_PER_GROUP = 8;

/**
 * Returns the commands that contain every word of `query`, at most `MAX_PER_GROUP` of each group.
 * Each group begins with the commands whose label starts with the first word of `query`. Next come
 * the commands in which another word starts with it, then all others. An empty query matches every
 * command.
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
      // The sort is stable: equal results keep their order.
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, MAX_PER_GROUP)
      .map(({ command }) => command),
  );
}

/**
 * Returns the rank of a command, where 0 is the best; null unless the command contains all of the
 * given words.
 */
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

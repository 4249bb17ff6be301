/** Groups the settings in force by topic and filters them by a search. */
import type { components } from '#api/schema.gen.ts';

export type Setting = components['schemas']['Setting'];

/** The first parts of the paths in each group. What is in no group is in the first. */
const GROUPS = {
  general: [],
  signIn: ['admin_token', 'console', 'catalogue', 'status', 'init'],
  requests: ['limits', 'chat', 'health', 'images'],
  money: ['fx', 'payments', 'alerts'],
  monitoring: ['log', 'metrics', 'tracing'],
  upstreams: ['upstreams', 'models'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type GroupName = keyof typeof GROUPS;

export type SettingsGroup = {
  readonly name: GroupName;
  readonly settings: readonly Setting[];
};
export type SourceKind = 'default' | 'environment' | 'flag' | 'file';

export type SettingsFilter = {
  /** Words that must all occur in a name, path, value or source. */
  readonly wanted: string;
  /** Whether settings with their default value are left out. */
  readonly onlyChanged: boolean;
};

/** Returns the groups with matching settings. @param nameOf the shown name of a path. */
export function groupsOf(
  settings: readonly Setting[],
  { wanted, onlyChanged }: SettingsFilter,
  nameOf: (path: string) => string,
): readonly SettingsGroup[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const found = settings.filter(({ name, value, source }) => {
    const text = `${nameOf(name)} ${name} ${value} ${source}`.toLowerCase();
    return (!onlyChanged || source !== 'default') && words.every((word) => text.includes(word));
  });
  const groups = Map.groupBy(found, ({ name }) => groupOf(name));
  const names = Object.keys(GROUPS) as GroupName[];
  return names.flatMap((name) => {
    const own = groups.get(name);
    return own === undefined ? [] : [{ name, settings: own }];
  });
}

function groupOf(path: string): GroupName {
  const [first = ''] = path.split('.');
  const names = Object.keys(GROUPS) as GroupName[];
  return names.find((name) => GROUPS[name].some((part: string) => part === first)) ?? 'general';
}

export function sourceKind(source: string): SourceKind {
  if (source === 'default') return 'default';
  if (source.startsWith('environment ')) return 'environment';
  return source.startsWith('flag ') ? 'flag' : 'file';
}

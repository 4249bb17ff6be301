/** Groups the current settings by topic and filters them by a search. */
import type { components } from '#api/schema.gen.ts';
import type { SettingField } from './config-queries.ts';
import { isOfRecord, keysInRecord, pathOf } from './setting-edits.ts';

export type Setting = components['schemas']['Setting'];

/**
 * The groups of settings. A group lists the first keys of its settings' paths: `limits` stands for
 * all settings below `limits`. Settings that no group lists belong to `general`.
 */
const GROUPS = {
  general: [],
  signIn: ['admin_token', 'console', 'catalogue', 'status', 'init'],
  requests: ['limits', 'chat', 'health', 'images'],
  money: ['fx', 'payments', 'top_ups', 'alerts', 'mail'],
  monitoring: ['retention', 'log', 'metrics', 'tracing'],
  upstreams: ['upstreams', 'models'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type GroupName = keyof typeof GROUPS;

/**
 * The groups of an upstream's or model's fields. A group lists the first keys of its fields' paths.
 * Fields that no group lists belong to `abilities`.
 */
const RECORD_GROUPS = {
  connection: [
    ...['protocol', 'base_url', 'make', 'allow_private', 'tokens_per_second'],
    ...['connect_timeout', 'first_byte_timeout'],
  ],
  credentials: ['api_key', 'sign_in', 'headers'],
  shown: [
    ...['name', 'maker', 'description', 'tags', 'release_date', 'settlement'],
    ...['default_channel', 'only_on'],
  ],
  abilities: [],
  timeouts: ['timeouts'],
  bounds: ['bounds', 'thinks_unseen', 'input_image_tokens', 'image_tokens'],
  behavior: ['quirks', 'pass'],
  reconcile: ['reconcile'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type RecordGroupName = keyof typeof RECORD_GROUPS;

type Group<Item, Name = GroupName> = { readonly name: Name; readonly settings: readonly Item[] };
export type SourceKind = 'default' | 'environment' | 'flag' | 'file';

export type SettingsFilter = {
  /** The words of the search, which must all occur in a setting's name, path, value or source. */
  readonly wanted: string;
  /** Whether settings with their default value are omitted. */
  readonly onlyChanged: boolean;
};

/** Whether the text contains every word of a search. */
export const isFound = (wanted: string, text: string): boolean =>
  wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

/**
 * Returns the settings that match the filter, in groups.
 * @param nameOf the displayed name of a path.
 */
export function groupsOf(
  settings: readonly Setting[],
  { wanted, onlyChanged }: SettingsFilter,
  nameOf: (path: string) => string,
): readonly Group<Setting>[] {
  const found = settings.filter(
    ({ name, value, source }) =>
      (!onlyChanged || source !== 'default') &&
      isFound(wanted, `${nameOf(name)} ${name} ${value} ${source}`),
  );
  return grouped(found, ({ name }) => name);
}

/** Returns the topics of the editable settings, each with its settings. */
export const topicsOf = (
  fields: readonly SettingField[],
): readonly Group<SettingField, GroupName | RecordGroupName>[] => [
  ...grouped(
    fields.filter((field) => !isOfRecord(field)),
    pathOf,
  ),
  ...inOrder(
    Object.keys(RECORD_GROUPS) as RecordGroupName[],
    Map.groupBy(fields.filter(isOfRecord), recordGroupOf),
  ),
];

function recordGroupOf(field: SettingField): RecordGroupName {
  const [first = ''] = keysInRecord(field);
  const names = Object.keys(RECORD_GROUPS) as RecordGroupName[];
  return (
    names.find((name) => RECORD_GROUPS[name].some((key: string) => key === first)) ?? 'abilities'
  );
}

const grouped = <Item>(
  items: readonly Item[],
  pathIn: (item: Item) => string,
): readonly Group<Item>[] =>
  inOrder(
    Object.keys(GROUPS) as GroupName[],
    Map.groupBy(items, (item) => groupOf(pathIn(item))),
  );

const inOrder = <Item, Name>(
  names: readonly Name[],
  groups: ReadonlyMap<Name, readonly Item[]>,
): readonly Group<Item, Name>[] =>
  names.flatMap((name) => {
    const own = groups.get(name);
    return own === undefined ? [] : [{ name, settings: own }];
  });

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

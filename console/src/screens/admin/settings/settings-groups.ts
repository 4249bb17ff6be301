/** Groups the settings in force as in the configuration file and filters them by a search. */
import type { components } from '#api/schema.gen.ts';

export type Setting = components['schemas']['Setting'];
export type SettingsGroup = {
  /**
   * The first part of the setting names, such as `limits`. A name with a single part belongs to the
   * general group.
   */
  readonly name: string;
  readonly settings: readonly Setting[];
};
export type SourceKind = 'default' | 'environment' | 'flag' | 'file';

/**
 * Returns the groups with matching settings.
 * @param wanted words that must all occur in a name, value or source.
 */
export function groupsOf(settings: readonly Setting[], wanted: string): readonly SettingsGroup[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const found = settings.filter(({ name, value, source }) => {
    const text = `${name} ${value} ${source}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return [...Map.groupBy(found, ({ name }) => groupOf(name))].map(([name, own]) => ({
    name,
    settings: own,
  }));
}

const GENERAL = 'general';
const groupOf = (name: string): string =>
  name.includes('.') ? (name.split('.')[0] ?? GENERAL) : GENERAL;

export function sourceKind(source: string): SourceKind {
  if (source === 'default') return 'default';
  if (source.startsWith('environment ')) return 'environment';
  return source.startsWith('flag ') ? 'flag' : 'file';
}

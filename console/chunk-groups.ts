/**
 * How modules are grouped into scripts. On a phone each request costs more than some kilobytes of
 * code that the page does not use, so few scripts are better than exact ones.
 */

/** Modules of libraries, and of our own folders with `src/`. */
const modules = (...names: readonly string[]): RegExp =>
  new RegExp(`/(?:node_modules|console)/(?:${names.join('|')})`);

/** What several screens use. No module of these imports a large library. */
const COMMON = modules(
  '@mantine/(?!charts)',
  '@tabler/',
  '@tanstack/',
  'react-number-format/',
  'src/(?!screens/|markdown/|components/sign-in/)',
);
const AREAS = ['account', 'admin', 'playground', 'public', 'reports', 'settings'] as const;

/** A module belongs to the first group that takes it, together with what it imports. */
export const chunkGroups = [
  // What the first screen needs. Libraries change less often than our own code.
  { name: 'libraries', tags: ['$initial' as const], test: /\/node_modules\// },
  { name: 'frame', tags: ['$initial' as const] },
  { name: 'common', minShareCount: 2, test: COMMON },
  { name: 'charts', test: modules('recharts/', '@mantine/charts/') },
  { name: 'markdown', test: modules('react-markdown/', 'remark-'), entriesAware: true },
  { name: 'sign-in', minShareCount: 2, test: modules('src/(?:components|screens)/sign-in/') },
  ...AREAS.map((area) => ({
    name: area,
    minShareCount: 2,
    test: modules(`src/screens/${area}/`),
  })),
];

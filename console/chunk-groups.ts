/**
 * Groups modules into scripts. On a phone, one more request costs more time than some kilobytes of
 * unused code. So a few large scripts are better than many small scripts without unused code.
 */

/**
 * Returns a pattern that matches modules whose paths begin with one of the names. A name is a path
 * in `node_modules`, or in `console` if it begins with `src/`.
 */
const modules = (...names: readonly string[]): RegExp =>
  new RegExp(`/(?:node_modules|console)/(?:${names.join('|')})`);

/** Modules that most screens use, such as tables and filters. They import no large library. */
const COMMON = modules(
  '@mantine/core/esm/(?:core|utils)/',
  `@mantine/core/esm/components/(?:${[
    ...[
      'Accordion',
      'Badge',
      'Card',
      'Center',
      'Checkbox',
      'Chip',
      'Combobox',
      'Divider',
      'Drawer',
    ],
    ...[
      'FloatingIndicator',
      'Grid',
      'Pill',
      'Progress',
      'SegmentedControl',
      'Select',
      'SimpleGrid',
      'Skeleton',
    ],
    ...['Table', 'Tabs', 'ThemeIcon'],
  ].join('|')})/`,
  'src/(?:api|charts|code|i18n|shell)/',
  'src/money/(?!reason)',
  'src/bill/(?!bill-texts|cost-|request-)',
  'src/catalogue/(?!notice-facts|price-origin|price-terms|status-query|uptime)',
  'src/requests/(?!refusal)',
  'src/components/(?!sign-in/|forms/|shown-once)',
  'src/keys/(?:budget|key-(?:names|queries|state|texts))',
);
/** Modules of large input fields, which few forms have. */
const LARGE_FIELDS = modules(
  '@mantine/core/esm/components/(?:MultiSelect|NumberInput|PillsInput|TagsInput)/',
  'react-number-format/',
);
/** Modules of the sign-in screen. Other screens need most of them as well: forms, icons, hooks. */
const BASICS = modules(
  '@mantine/(?:form|hooks)/',
  '@mantine/core/esm/components/(?:Input|InputBase|PasswordInput|TextInput)/',
  '@tabler/',
  '@tanstack/(?!react-virtual/|virtual-)',
  'src/api/passkeys',
  'src/components/forms/(?:api-form|form-)',
  'src/components/sign-in/(?:known|new-password|password-strength|totp-input)',
  'src/screens/sign-in/(?!link-|setup)',
);
/**
 * The areas of screens, each with a script of its own. The folders listed for an area go into its
 * script, because few screens of other areas use them.
 */
const AREAS = {
  account: [],
  admin: [],
  playground: [],
  public: ['src/catalogue/'],
  reports: ['src/requests/'],
  settings: [],
} as const;

/**
 * The scripts to build. A module goes into the first group that matches it, and its imports go into
 * the same group.
 */
export const chunkGroups = [
  // The code for the first screen is split into two scripts. The script of libraries stays cached
  // longer, because libraries change less often than the console's own code.
  { name: 'libraries', tags: ['$initial' as const], test: /\/node_modules\// },
  { name: 'frame', tags: ['$initial' as const] },
  { name: 'basics', minShareCount: 2, test: BASICS },
  { name: 'common', minShareCount: 2, test: COMMON },
  { name: 'markdown', minShareCount: 2, test: modules('react-markdown/', 'remark-', 'remend/') },
  { name: 'large-fields', minShareCount: 2, test: LARGE_FIELDS },
  { name: 'fields', minShareCount: 2, test: modules('@mantine/', 'src/components/forms/') },
  { name: 'snippets', minShareCount: 2, test: modules('src/snippets/'), entriesAware: true },
  { name: 'bill', minShareCount: 2, test: modules('src/bill/') },
  { name: 'chat', minShareCount: 2, test: modules('src/chat/') },
  { name: 'people', minShareCount: 2, test: modules('src/(?:keys|people|components/sign-in)/') },
  ...Object.entries(AREAS).map(([area, shared]) => ({
    name: area,
    minShareCount: 2,
    test: modules(`src/screens/${area}/`, ...shared),
  })),
];

const TEXTS = /^\0virtual:texts\/(.+)\/(.+)$/;

/**
 * Returns the file name of a script. A script with texts is named after its language and area,
 * because by default the scripts of all languages would have the same name.
 */
export function chunkFileNames(chunk: { readonly facadeModuleId: string | null }): string {
  const [, language, area] = TEXTS.exec(chunk.facadeModuleId ?? '') ?? [];
  const name = language === undefined ? '[name]' : `texts-${language}-${area}`;
  return `assets/${name}-[hash].js`;
}

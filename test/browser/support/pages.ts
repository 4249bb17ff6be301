/** For tests: every page in the console's menu, read from its source. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const NAVIGATION = join(import.meta.dir, '../../../console/src/shell/navigation.ts');
const ITEM = /(?<kind>page|setting)\('(?<name>\w+)', '(?<to>[^']+)', \w+(?:, '(?<least>\w+)')?\)/g;

/**
 * A page of the menu. `path` begins with `/console`. `least` is the lowest role that sees the page.
 */
export type MenuPage = { readonly name: string; readonly path: string; readonly least: string };

export const MENU_PAGES: readonly MenuPage[] = [
  ...readFileSync(NAVIGATION, 'utf8').matchAll(ITEM),
].map(({ groups = {} }) => ({
  name: groups['name'] ?? '',
  path: `/console${groups['to'] === '/' ? '' : groups['to']}`,
  least: groups['least'] ?? (groups['kind'] === 'setting' ? 'administrator' : 'read_only'),
}));

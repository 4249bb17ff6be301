/** For tests: every page of the console that the menu lists, read from where the menu is written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const NAVIGATION = join(import.meta.dir, '../../../console/src/shell/navigation.ts');
const ITEM = /page\('(?<name>\w+)', '(?<to>[^']+)', \w+(?:, '(?<least>\w+)')?\)/g;

/** `path` from the root of the gateway; `least`: the least role that is shown it. */
export type MenuPage = { readonly name: string; readonly path: string; readonly least: string };

export const MENU_PAGES: readonly MenuPage[] = [
  ...readFileSync(NAVIGATION, 'utf8').matchAll(ITEM),
].map(({ groups = {} }) => ({
  name: groups['name'] ?? '',
  path: `/console${groups['to'] === '/' ? '' : groups['to']}`,
  least: groups['least'] ?? 'read_only',
}));

/** For tests: every page in the console's menu, read from its source. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const NAVIGATION = join(import.meta.dir, '../../../console/src/shell/navigation.ts');
const ITEM = /page\('(?<name>\w+)', '(?<to>[^']+)', \w+(?:, '(?<least>\w+)')?\)/g;

/** `path` from the gateway's root; `least`: the lowest role that sees it. */
export type MenuPage = { readonly name: string; readonly path: string; readonly least: string };

export const MENU_PAGES: readonly MenuPage[] = [
  ...readFileSync(NAVIGATION, 'utf8').matchAll(ITEM),
].map(({ groups = {} }) => ({
  name: groups['name'] ?? '',
  path: `/console${groups['to'] === '/' ? '' : groups['to']}`,
  least: groups['least'] ?? 'read_only',
}));

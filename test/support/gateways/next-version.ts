/**
 * For tests: builds a later version of this program from a copy of the sources. In that version,
 * receipts have one more column, added as CONTRIBUTING.md describes, and the database functions
 * write this column.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../../..');
const COPIED = ['src', 'bin', 'package.json', 'package-lock.json', 'modelgate.yaml'];
const LINKED = ['node_modules', 'console'];
/** The number of the later version, which writes this number to the added column. */
export const NEXT_VERSION = '99.0.0';

type Extra = {
  /** SQL statements that are appended to the later version's migration. */
  readonly sqlite?: string;
  readonly postgres?: string;
};

/**
 * Builds the later version in `folder`, which must not exist. Returns the path of its
 * `bin/modelgate`.
 */
export function buildNextVersion(
  folder: string,
  { sqlite = '', postgres = '' }: Extra = {},
): string {
  mkdirSync(folder);
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name));
  const edit = (file: string, from: string | RegExp, to: string): void => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const edited = text.replace(from, () => to);
    if (edited === text) throw new Error(`not in ${file}: ${from}`);
    writeFileSync(path, edited);
  };
  edit('package.json', /"version": "[^"]*"/, `"version": "${NEXT_VERSION}"`);
  const measure = "  ['measure', 'TEXT', null],\n";
  edit('src/store/columns.ts', measure, `${measure}  ['node_version', 'TEXT', null],\n`);
  const value = '    receipt.measure,\n';
  edit('src/ledger/receipt-row.ts', value, `${value}    '${NEXT_VERSION}',\n`);
  const columns = ['receipt', 'late_receipt']
    .map((table) => `ALTER TABLE ${table} ADD COLUMN node_version TEXT;`)
    .join('\n');
  const begin = 'export const MIGRATIONS: readonly Migration[] = [';
  edit('src/store/migrations.ts', begin, begin.replace('MIGRATIONS', 'RELEASED'));
  const steps = `
    export const MIGRATIONS: readonly Migration[] = [...RELEASED, {
      id: (RELEASED.at(-1)?.id ?? 0) + 1,
      name: 'node-version',
      kind: 'expand',
      sqlite: ${JSON.stringify(columns)} + ROUTINES.sqlite + ${JSON.stringify(sqlite)},
      postgres: ${JSON.stringify(columns)} + ROUTINES_17.postgres + ${JSON.stringify(postgres)},
    }];\n`;
  const end = '\n];\n';
  edit('src/store/migrations.ts', end, end + steps);
  const built = Bun.spawnSync([join(folder, 'bin/bun'), join(folder, 'bin/bundle.ts')], {
    cwd: folder,
  });
  if (built.exitCode !== 0) throw new Error(String(built.stderr));
  return join(folder, 'bin/modelgate');
}

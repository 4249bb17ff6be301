// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
/** Tests the `config` commands against a complete gateway. */
import {
  afterAll,
  afterEach,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../cli/cli.ts';
import { systemClock } from '../clock.ts';
import { SMALL_FILE } from '../config/file.fixture.ts';
import { Secret } from '../config/secret.ts';
import { ADMIN_TOKEN, openGatewayOf, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

setDefaultTimeout(180_000);
afterAll(removeFolders);

let gateway: Gateway;
let folder = '';
let configFile = '';

async function open(file: string): Promise<void> {
  ({ gateway, folder, path: configFile } = await openGatewayOf(file));
}

async function run(...argv: string[]) {
  let [out, err] = ['', ''];
  const unused = async (): Promise<number> => 7;
  const exit = await runCli(
    [...argv, '--config', configFile],
    { stdout: (text) => (out += text), stderr: (text) => (err += text) },
    {
      clock: systemClock,
      version: '1.2.3',
      fetch: async (request) => await gateway.edge.fetch(request),
      settings: async () => ({
        baseUrl: 'http://gateway',
        dataDir: folder,
        adminToken: new Secret(ADMIN_TOKEN),
      }),
      ...{ serve: unused, check: unused, doctor: unused, migrate: unused, restore: unused },
    },
  );
  return { exit, out, err };
}

function fileWith(text: string): string {
  const path = join(folder, 'new.yaml');
  writeFileSync(path, text);
  return path;
}

const KEYED = SMALL_FILE.replace(
  'upstreams: {',
  'upstreams: { net: { protocol: openai, base_url: "https://127.0.0.1:9", allow_private: true, api_key: sk-literal },',
);

describe('with the configuration in the database', () => {
  beforeEach(() => open(`config: database\n${KEYED}`));
  afterEach(() => gateway.close());

  test('an export that is imported changes nothing, and is exported again byte for byte', async () => {
    const { out, exit } = await run('config', 'export');
    expect([exit, out.includes('sk-literal')]).toEqual([0, false]);
    const imported = await run('config', 'import', fileWith(out));
    expect(imported).toMatchObject({
      exit: 0,
      out: 'The newest revision is 1; it is in force.\n',
    });
    expect((await run('config', 'export')).out).toBe(out);
    const edited = out.replace("input: '5.00'", "input: '6.00'");
    const changed = await run('config', 'import', fileWith(edited), '--note', 'a reason');
    expect(changed.out).toContain('models.gen-x.channels.direct.price.input  "5.00"  "6.00"');
    expect(changed.out).toEndWith('The newest revision is 2; it is in force.\n');
    expect((await run('config', 'export')).out).toBe(edited);
    const { out: revisions } = await run('config', 'revisions');
    expect(revisions).toMatch(/^2 .*admin +import +a reason$/m);
    const tried = await run('config', 'restore', '1', '--dry-run');
    expect(tried.out).toContain('models.gen-x.channels.direct.price.input  "6.00"  "5.00"');
    expect((await run('config', 'revisions')).out).not.toMatch(/^3 /m);
    const restored = await run('config', 'restore', '1');
    expect(restored.out).toContain('The newest revision is 3');
    expect((await run('config', 'export')).out).toBe(out);
    expect((await run('config', 'revisions')).out).toMatch(/^3 .*admin +restore of 1 *$/m);
  });

  test('diff compares the file with the database, and exits with 1 if they differ', async () => {
    expect(await run('config', 'diff')).toMatchObject({ exit: 0, out: '0 settings differ.\n' });
    writeFileSync(configFile, `config: database\n${KEYED.replace('"25.00"', '"26.00"')}`);
    const { exit, out } = await run('config', 'diff');
    expect(exit).toBe(1);
    expect(out).toContain('models.gen-x.channels.direct.price.output  "25.00"  "26.00"');
    expect(out).toEndWith('1 setting differs.\n');
    const other = fileWith(KEYED.replace('7.1000', '7.2000'));
    expect((await run('config', 'diff', other)).out).toContain('fx.USD/CNY');
    expect((await run('config', 'revisions')).out).not.toMatch(/^2 /m);
    const bad = fileWith(KEYED.replace('maker: gen', 'makr: gen'));
    const uncompared = await run('config', 'diff', bad);
    expect(uncompared.exit).toBe(1);
    expect(uncompared.out).toEndWith('cannot be compared until the errors are fixed.\n');
    expect(uncompared.out).not.toContain('differ');
  });

  test('a dry run reports errors and warnings, and stores nothing', async () => {
    const bad = fileWith(KEYED.replace('maker: gen', 'makr: gen'));
    const { exit, out } = await run('config', 'import', bad, '--dry-run');
    expect(exit).toBe(1);
    expect(out).toContain('Error: models.gen-x.makr: unknown key; did you mean "maker"? (');
    expect(out).toContain('new.yaml:');
    const free = fileWith(KEYED.replace('input: "5.00"', 'input: "0"'));
    const warned = await run('config', 'import', free, '--dry-run');
    expect(warned.exit).toBe(0);
    expect(warned.out).toContain('Warning (price_zero, needs --confirm): models.gen-x');
    expect(warned.out).toEndWith('This is a dry run. Nothing was stored.\n');
    const refused = await run('config', 'import', free);
    const remedy = 'with `confirm=price_zero`, or with --confirm price_zero on the command line';
    expect([refused.exit, refused.err.includes(remedy)]).toEqual([1, true]);
    const made = await run('config', 'import', free, '--confirm', 'price_zero');
    expect(made.out).toContain('The newest revision is 2');
    expect((await run('config', 'import', fileWith('a: [b'))).err).toContain('new.yaml:1');
    expect((await run('config', 'import', join(folder, 'none.yaml'))).err).toContain('ENOENT');
  });

  test('a dry run of a restore exits with 1 if it reports errors', async () => {
    const listed = `${KEYED.trimEnd()}\nprice_lists: { partners: { factor: "0.9" } }\n`;
    expect((await run('config', 'import', fileWith(listed))).exit).toBe(0);
    const { id } = JSON.parse((await run('account', 'create', 'Partner', '--json')).out);
    const moved = await run('account', 'update', id, '--price-list', 'partners');
    expect(moved).toMatchObject({ exit: 0, err: '' });
    const { exit, out } = await run('config', 'restore', '1', '--dry-run');
    expect(out).toContain('Error: price_lists.partners: is missing, but 1 account is on this');
    expect(out).toEndWith('Nothing can be stored until the errors are fixed.\n');
    expect(exit).toBe(1);
  });

  test('a price is explained by the database', async () => {
    const dear = fileWith(KEYED.replace('input: "5.00"', 'input: "9.00"'));
    await run('config', 'import', dear);
    const { out } = await run('price', 'gen-x', '--input', '1000', '--json');
    expect(JSON.parse(out)).toMatchObject({ cost: '0.009000000000' });
  });

  test('a price is explained although other models are sold only on price lists', async () => {
    const onList = KEYED.replace('  img-x:\n', '  img-x:\n    only_on: [partners]\n');
    const listed = `${onList.trimEnd()}\nprice_lists: { partners: { factor: "0.9" } }\n`;
    const imported = await run('config', 'import', fileWith(listed));
    expect(imported).toMatchObject({ exit: 0, err: '' });
    const { out, err } = await run('price', 'gen-x', '--input', '1000', '--json');
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({ cost: '0.005000000000' });
  });
});

test('with the configuration in the file, an export works and an import is refused', async () => {
  await open(KEYED);
  const { out } = await run('config', 'export');
  expect(out).toContain('gen-x:');
  const refused = await run('config', 'import', fileWith(out));
  expect(refused.exit).toBe(1);
  expect(refused.err).toContain(`kept in the file ${configFile}`);
  await gateway.close();
});

test('the shipped file is imported whole', async () => {
  const shipped = readFileSync(join(import.meta.dir, '../../modelgate.yaml'), 'utf8');
  await open(`config: database\n${SMALL_FILE}`);
  const { exit, out } = await run('config', 'import', fileWith(shipped));
  expect([exit, out.includes('The newest revision is 2; it is in force.')]).toEqual([0, true]);
  const { out: exported } = await run('config', 'export');
  expect(await run('config', 'import', fileWith(exported))).toMatchObject({
    out: 'The newest revision is 2; it is in force.\n',
  });
  expect((await run('config', 'export')).out).toBe(exported);
  expect([...gateway.live.current.models.keys()]).toContain('embed-1');
  await gateway.close();
});

/**
 * Tests the npm package that `npm run package` builds: it works without a checkout of the
 * repository.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makePackage, type NpmPackage } from '../bin/package.ts';
import packageJson from '../package.json' with { type: 'json' };
import { startGateway } from './support/gateways/gateway-process.ts';

const ROOT = join(import.meta.dir, '..');
/** The licenses for which it is enough that the bundle contains the license text. */
const ACCEPTED = new Set(
  '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 ISC MIT MIT-0 PSF-2.0 Python-2.0 Unlicense'.split(
    ' ',
  ),
);
/**
 * sharp's packages. They contain libvips, whose license is the LGPL, so they are accepted only as
 * separate libraries that users can replace.
 */
const ACCEPTED_APART = /^@img\/sharp-/;

type Component = {
  readonly name: string;
  readonly licenses: readonly { readonly license?: { id: string }; readonly expression?: string }[];
};

/**
 * The folder with the installed package. Its two dependencies are linked instead of installed from
 * a registry.
 */
let folder: string;
let made: NpmPackage;
let installed: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-package-'));
  made = await makePackage(join(folder, 'first'));
  const modules = join(folder, 'node_modules');
  installed = join(modules, 'modelgate');
  mkdirSync(installed, { recursive: true });
  const unpack = ['tar', 'xzf', made.archive, '-C', installed, '--strip-components=1'];
  expect(Bun.spawnSync(unpack).exitCode).toBe(0);
  mkdirSync(join(modules, '.bin'));
  symlinkSync(realpathSync(join(ROOT, 'node_modules/.bin/bun')), join(modules, '.bin/bun'));
  symlinkSync(join(ROOT, 'node_modules/sharp'), join(modules, 'sharp'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const json = async (response: Response) => ({
  status: response.status,
  body: await response.json(),
});

test('answers, draws and shows the console without sources', async () => {
  expect(existsSync(join(installed, 'src'))).toBe(false);
  await using gateway = await startGateway({ program: join(installed, 'bin/modelgate') });
  const { url, key } = gateway;
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const messages = [{ role: 'user', content: 'Hello!' }];
  const chat = await json(await post('/v1/chat/completions', { model: 'gen-v4-pro', messages }));
  expect(chat).toMatchObject({ status: 200, body: { usage: { cost_currency: 'CNY' } } });
  const image = await json(await post('/v1/images/generations', { model: 'img-3', prompt: 'sea' }));
  const picture = await fetch(image.body.data[0].url);
  expect(picture.headers.get('content-type')).toBe('image/png');
  const page = await (await fetch(`${url}/console/login`)).text();
  const [, script = ''] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  expect((await fetch(`${url}${script}`)).status).toBe(200);
});

test('needs no other package than those that it installs', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const { bun, sharp } = packageJson.dependencies;
  expect(manifest.dependencies).toEqual({ bun, sharp });
  expect(manifest.scripts).toBeUndefined();
  expect(manifest.private).toBeUndefined();
  const bundle = join(installed, 'dist/server');
  const imported = new Set<string>();
  for (const name of readdirSync(bundle).filter((each) => each.endsWith('.js'))) {
    const code = readFileSync(join(bundle, name), 'utf8');
    for (const { path } of new Bun.Transpiler().scanImports(code)) imported.add(path);
  }
  const others = [...imported].filter(
    (path) => !/^(\.|node:|bun$|bun:)/.test(path) && !builtinModules.includes(path),
  );
  expect(others).toEqual(['sharp']);
});

test('has the pages that its pages link, and the files of deploy/ that they install', () => {
  const pages = ['README.md', 'docs/operate/install.md', 'docs/operate/proxies.md'];
  const linked = pages.flatMap((page) =>
    [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)\s#:]+)[^)]*\)/g)]
      .map(([, link = '']) => join(dirname(page), link))
      .filter((path) => /^(?:docs|deploy)\//.test(path) && !path.startsWith('docs/screens')),
  );
  expect(linked).toContain('deploy/modelgate.service');
  expect(linked.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
});

test('is the same, byte for byte, when it is made again', async () => {
  const again = await makePackage(join(folder, 'again'));
  expect(Bun.hash(readFileSync(again.archive))).toBe(Bun.hash(readFileSync(made.archive)));
});

test('states every package that it contains, with its license', () => {
  const bill = JSON.parse(readFileSync(made.billOfMaterials, 'utf8'));
  const names = bill.components.map((each: { name: string }) => each.name);
  expect(names).toContain('stripe');
  expect(names).toContain('react');
  expect(names).toContain('bun');
  expect(names).not.toContain('typescript');
  const licenses = readFileSync(join(installed, 'THIRD-PARTY-LICENSES'), 'utf8');
  expect(licenses).toContain(`stripe ${packageJson.dependencies.stripe} (MIT)`);
  expect(licenses).toContain('react 19');
});

test('contains only packages with a license that may be shipped', () => {
  const { components } = JSON.parse(readFileSync(made.billOfMaterials, 'utf8'));
  const refused = components
    .map(({ name, licenses }: Component) => {
      const stated = licenses.map(({ license, expression }) => license?.id ?? expression);
      return { name, license: stated.join(' or ') };
    })
    .filter(({ name }: { name: string }) => !ACCEPTED_APART.test(name))
    .filter(({ license }: { license: string }) => !ACCEPTED.has(license));
  expect(components.length).toBeGreaterThan(100);
  expect(refused).toEqual([]);
});

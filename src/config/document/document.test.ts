// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configSteps, fileDocument, loadConfig, loadStart } from '../config.ts';
import { SMALL_FILE } from '../file.fixture.ts';
import { parseYaml } from '../yaml-file.ts';
import { readDocument, START_SETTINGS } from './document.ts';
import { finish } from './steps.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-document-'));
  path = join(folder, 'modelgate.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (text: string): void => writeFileSync(path, text);
const IN_DATABASE = `config: database\nlisten: 127.0.0.1:1\n${SMALL_FILE}`;
const under = (document: Readonly<Record<string, unknown>>, env = {}) =>
  finish(configSteps({ path, env }, { revision: 7, name: 'revision 7', document }));

test('a file without `config` keeps the settings itself', () => {
  write(SMALL_FILE);
  expect(loadConfig({ path, env: {} })).toMatchObject({ config: 'file', revision: null });
  expect(Object.keys(loadStart({ path, env: {} }).models)).toEqual(['gen-x', 'img-x']);
});

test('the document has all but the start settings, with references as written', () => {
  write(IN_DATABASE.replace('maker: gen', 'maker: "${MAKER}"'));
  const document = fileDocument({ path, env: {} });
  expect(Object.keys(document)).toEqual(['fx', 'upstreams', 'models']);
  expect(document).toMatchObject({ models: { 'gen-x': { maker: '${MAKER}' } } });
  const config = under(document, { MAKER: 'm', PORT: '5' });
  expect(config.models['gen-x']?.maker).toBe('m');
  expect([config.revision, config.listen.port]).toEqual([7, 5]);
});

test('a start reads only the start settings, so that the rest of the file may be wrong', () => {
  write(IN_DATABASE.replace('maker: gen', 'makr: "${MISSING}"'));
  expect(loadStart({ path, env: {} })).toMatchObject({ models: {}, listen: { port: 1 } });
  expect(() => loadConfig({ path, env: {} })).toThrow('models.gen-x.maker: is missing');
});

test('a start names an invalid start setting', () => {
  write('config: database\nlisten: nowhere\n');
  expect(() => loadStart({ path, env: {} })).toThrow(`${path}:2: listen: write HOST:PORT`);
  write('config: database\nlistn: 127.0.0.1:1\n');
  expect(() => loadStart({ path, env: {} })).toThrow('did you mean "listen"?');
});

test('a problem and a source name the revision or the line, whichever has the setting', () => {
  write(IN_DATABASE);
  const document = { ...fileDocument({ path, env: {} }), limits: { drain: '5s' } };
  const { sources } = under(document);
  expect(sources.get('limits.drain')).toEqual({ value: '5s', source: 'revision 7' });
  expect(sources.get('listen')).toEqual({ value: '127.0.0.1:1', source: `${path}:2` });
  expect(sources.get('log.level')?.source).toBe('default');
  expect(() => under({ ...document, limits: { drian: '5s' } })).toThrow(
    'revision 7: limits.drian: unknown key; did you mean "drain"?',
  );
  expect(() => under({ ...document, listen: '127.0.0.1:2' })).not.toThrow();
  expect(under({ ...document, listen: '127.0.0.1:2' }).listen.port).toBe(1);
});

test('each model of a large document is resolved and checked in steps of its own', () => {
  write('config: database\n');
  const model = Object(readDocument(JSON.stringify(parseYaml(SMALL_FILE, 'f').value))['models']);
  const models = Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`model-${at}`, model['gen-x']]),
  );
  const document = { upstreams: { builtin: { protocol: 'builtin' } }, models };
  const steps = configSteps({ path, env: {} }, { revision: 1, name: 'revision 1', document });
  expect([...steps].length).toBeGreaterThan(100);
});

test('a model is checked again if it has changed, or what it is checked with', () => {
  write(IN_DATABASE);
  const document = fileDocument({ path, env: {} });
  const models = Object(document['models']);
  const first = under(document).models;
  const edited = { ...models['gen-x'], maker: 'other' };
  const { models: second } = under({ ...document, models: { ...models, 'gen-x': edited } });
  expect(second['img-x']).toBe(first['img-x']);
  expect(second['gen-x']).toEqual({ ...first['gen-x'], maker: 'other' } as never);
  const renamed = under({ ...document, models: { ...models, 'gen-y': models['gen-x'] } });
  expect(Object.keys(renamed.models)).toEqual(['gen-x', 'img-x', 'gen-y']);
  expect(() => under({ ...document, models: { ...models, 'gen y': models['gen-x'] } })).toThrow(
    'revision 7: models.gen y: a model id has',
  );
  const upstreams = { other: { protocol: 'builtin' } };
  expect(() => under({ ...document, upstreams })).toThrow('there is no upstream "builtin"');
  const inCny = { ...models, 'gen-x': { ...models['gen-x'], settlement: 'CNY' } };
  const sold = under({ ...document, models: inCny }).models;
  expect(() => under({ ...document, models: inCny, fx: {} })).toThrow('fx has no rate USD/CNY');
  const others = { builtin: { protocol: 'builtin', tokens_per_second: 5 }, ...upstreams };
  const fx = { 'USD/CNY': '7.2' };
  const again = under({
    ...document,
    models: inCny,
    upstreams: others,
    fx,
    limits: { drain: '5s' },
  });
  expect(again.models['gen-x']).toBe(sold['gen-x']);
});

test('the shipped file names every start setting, and its document is complete', () => {
  const shipped = readFileSync(join(import.meta.dir, '../../../modelgate.yaml'), 'utf8');
  const named = /settings that a node needs to start: ([^.]*)\./.exec(shipped)?.[1] ?? '';
  expect(named.match(/\w+/g)?.filter((word) => word !== 'and')).toEqual([...START_SETTINGS]);
  const page = readFileSync(join(import.meta.dir, '../../../docs/configuration.md'), 'utf8');
  const listed = /what a node needs to start:\n([^.]*)\./.exec(page)?.[1] ?? '';
  expect(listed.match(/\w+/g)?.filter((word) => word !== 'and')).toEqual([...START_SETTINGS]);
  write(shipped);
  const whole = loadConfig({ path, env: {} });
  const stored = under(fileDocument({ path, env: {} }));
  expect(whole.config).toBe('database');
  expect({ ...stored, sources: 0, revision: 0 }).toEqual({ ...whole, sources: 0, revision: 0 });
});

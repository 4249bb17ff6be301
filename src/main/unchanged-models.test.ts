// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
/** Tests that a change of the settings does not rebuild models that stay the same. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { yamlText } from '../config/document/yaml-text.ts';
import { changedFile } from '../config/file.fixture.ts';
import { parseYaml } from '../config/yaml-file.ts';
import { type Answer, Visit } from './console.fixture.ts';
import { ADMIN_TOKEN, depsOn, newFolder, removeFolders } from './gateway.fixture.ts';
import { type Gateway, openGateway } from './gateway.ts';

setDefaultTimeout(180_000);

const FILE = changedFile('maker: img', 'maker: ${MAKER:-img}');
/**
 * Returns `FILE` with a comment at its top, and with another input price of one model, on a line of
 * its own.
 */
const rewritten = (input: string): string =>
  `# again\n${changedFile('input: "5.00"', `input:\n${' '.repeat(20)}"${input}"`, FILE)}`;

let gateway: Gateway;
afterEach(() => gateway.close());
afterAll(removeFolders);

async function open(file: string, env: Record<string, string> = {}): Promise<string> {
  const folder = newFolder();
  const path = join(folder, 'modelgate.yaml');
  writeFileSync(path, file);
  const own = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  gateway = await openGateway(depsOn({ path, env: { ...own, ...env } }));
  return path;
}

const model = (id: string) => gateway.live.current.models.get(id);
function inputOfGen(): string | null | undefined {
  const card = model('gen-x')?.channels.get('direct')?.card;
  return card?.unit === 'token' ? card.listed.input : undefined;
}

async function change(route: string, body: object): Promise<Answer> {
  const base = String(gateway.live.config.revision);
  const [method, path] = route.split(' ');
  const answer = await new Visit(gateway).send(`${method} /admin/v1/config${path}`, body, {
    authorization: `Bearer ${ADMIN_TOKEN}`,
    'if-match': `"${base}"`,
  });
  expect(answer.status).toBe(200);
  return answer;
}

/** Parses the YAML file and returns it as the JSON document that a client sends. */
const sent = (yaml: string) => JSON.parse(JSON.stringify(parseYaml(yaml, 'f.yaml').value));
const priced = (input: string) => ({ channels: { direct: { price: { input } } } });

test('in the database', async () => {
  await open(`config: database\n${FILE}`, { MAKER: 'maker' });
  const image = model('img-x');
  expect(image?.maker).toBe('maker');
  let gen = model('gen-x');
  const ways: readonly (readonly [string, object, string])[] = [
    ['PATCH ', { document: { models: { 'gen-x': priced('6.00') } } }, '6.00'],
    ['PATCH /models/gen-x', { value: priced('6.10') }, '6.10'],
    ['PUT ', { document: sent(changedFile('5.00', '6.20', FILE)) }, '6.20'],
    ['PUT ', { document: sent(rewritten('6.25')) }, '6.25'],
    ['POST /import', { yaml: rewritten('6.30'), name: 'f.yaml' }, '6.30'],
    ['POST /import', { yaml: yamlText(sent(rewritten('6.40'))), name: 'f.yaml' }, '6.40'],
    ['POST /revisions/2/restore', {}, '6.00'],
  ];
  for (const [route, body, input] of ways) {
    await change(`${route}?dry_run=true`, body);
    await change(route, body);
    expect([route, inputOfGen()]).toEqual([route, input]);
    expect(model('gen-x')).not.toBe(gen);
    gen = model('gen-x');
    expect(model('img-x') === image).toBe(true);
  }
  const both = [model('gen-x'), model('img-x')];
  await change('PATCH ', { document: { fx: { 'USD/CNY': '7.2' }, limits: { drain: '9s' } } });
  await change('PUT /upstreams/other', { value: { protocol: 'builtin' } });
  await change('PUT /price-lists/partners', { value: { factor: '0.9' } });
  for (const [at, id] of ['gen-x', 'img-x'].entries()) expect(model(id) === both[at]).toBe(true);
});

const onList = (id: string) => gateway.live.current.lists.get('partners')?.models.get(id);

test('on a price list, unless the model, its factor or its own price changes', async () => {
  const listed = (input: string): object => ({
    'gen-x': { channels: { direct: { price: { input, output: '25.00' } } } },
  });
  const list = (factor: string, input: string): object => ({ factor, models: listed(input) });
  const document = { ...sent(FILE), price_lists: { partners: list('0.9', '4.00') } };
  const put = (price_lists: object) => change('PUT ', { document: { ...document, price_lists } });
  await open(`config: database\n${yamlText(document)}`);
  const [gen, image] = [onList('gen-x'), onList('img-x')];
  expect(gen?.channels.get('direct')?.card).toMatchObject({ listed: { input: '4.00' } });
  await change('PATCH ', { document: { models: { 'gen-x': { tags: ['new'] } } } });
  expect([onList('gen-x')?.tags, onList('img-x') === image]).toEqual([['new'], true]);
  await put({ partners: list('0.9', '4.00'), others: list('0.8', '3.00') });
  expect([onList('gen-x')?.tags, onList('img-x') === image]).toEqual([[], true]);
  const again = onList('gen-x');
  await put({ partners: list('0.9', '4.00') });
  expect([onList('gen-x') === again, onList('img-x') === image]).toEqual([true, true]);
  await put({ partners: list('0.9', '4.50') });
  expect(onList('gen-x')?.channels.get('direct')?.card).toMatchObject({
    listed: { input: '4.50' },
  });
  expect(onList('img-x') === image).toBe(true);
  await put({ partners: list('0.7', '4.50') });
  expect(onList('img-x') === image).toBe(false);
  expect(onList('gen-x')?.channels.get('direct')?.card).toMatchObject({
    listed: { input: '4.50' },
  });
});

test('with an announced price, until it begins', async () => {
  const later =
    'upcoming: [{ input: "9.00", output: "25.00", effective_from: "2999-01-01T00:00:00Z" }]';
  const at = 'price: { input: "5.00", output: "25.00" }';
  await open(`config: database\n${changedFile(at, `${at}\n        ${later}`)}`);
  const gen = model('gen-x');
  expect(gen?.channels.get('direct')?.dated).toHaveLength(2);
  await change('PATCH ', { document: { models: { 'img-x': { tags: ['new'] } } } });
  expect([model('img-x')?.tags, model('gen-x') === gen]).toEqual([['new'], true]);
});

test('in the file, also if only its lines are other ones', async () => {
  const path = await open(`${FILE}limits: { drain: 5s }\n`, { MAKER: 'maker' });
  const [gen, image] = [model('gen-x'), model('img-x')];
  const { version } = gateway.live.current;
  writeFileSync(path, `${rewritten('5.00')}limits: { drain: 6s }\n`);
  await gateway.live.reload();
  expect(gateway.live.current.version).toBe(version);
  expect([model('gen-x') === gen, model('img-x') === image]).toEqual([true, true]);
  writeFileSync(path, changedFile('gen-x:', 'gen-y:', rewritten('6.00')));
  await gateway.live.reload();
  expect([...gateway.live.current.models.keys()]).toEqual(['gen-y', 'img-x']);
  expect(model('img-x')).toBe(image);
});

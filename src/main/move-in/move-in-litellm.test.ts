/** Tests `move-in litellm` with LiteLLM's real database schema, against a complete gateway. */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { SMALL_FILE } from '../../config/file.fixture.ts';
import { liteLlmDatabase, SALT_KEY } from '../../movein/litellm/litellm-database.fixture.ts';
import { newFolder, openGatewayOf, removeFolders } from '../gateway.fixture.ts';
import type { Gateway } from '../gateway.ts';
import { admin, cli, provider } from '../stored-secrets.fixture.ts';

setDefaultTimeout(180_000);
afterAll(removeFolders);

let gateway: Gateway;
afterEach(() => gateway.close());

/** A LiteLLM configuration with one model, which the operator's own server provides. */
const CONFIG = `
model_list:
  - model_name: gpt-4.1-mini
    litellm_params:
      model: openai/m
      api_base: ${provider.url.href}v1
      api_key: sk-provider-0123456789
      input_cost_per_token: 0.000001
      output_cost_per_token: 0.000002
litellm_settings: { callbacks: [langfuse] }
`;

const fileOf = (name: string, text: string): string => {
  const path = join(newFolder(), name);
  writeFileSync(path, text);
  return path;
};
const open = async (settings = 'config: database'): Promise<void> => {
  ({ gateway } = await openGatewayOf(`${settings}\n${SMALL_FILE}`));
};
async function moveIn(...options: string[]) {
  const ran = await cli(gateway, 'move-in', 'litellm', '--json', ...options);
  return { ...ran, report: ran.exit === 0 ? JSON.parse(ran.out) : null };
}
const statusOf = async (apiKey: string, model = 'gpt-4.1-mini'): Promise<number> => {
  const client = new OpenAI({
    ...{ apiKey, baseURL: 'http://gateway/v1', maxRetries: 0 },
    fetch: async (url, init) => await gateway.edge.fetch(new Request(url, init)),
  });
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  return await client.chat.completions.create({ model, messages }).then(
    () => 200,
    (thrown: unknown) => (thrown instanceof OpenAI.APIError ? (thrown.status ?? 0) : 0),
  );
};
const get = async (path: string) => (await admin(gateway, `GET /admin/v1${path}`)).body;
const counts = ({ totals }: { totals: { kind: string; moved: number; present: number }[] }) =>
  Object.fromEntries(totals.map(({ kind, moved, present }) => [kind, [moved, present]]));

describe('move-in litellm', () => {
  test('moves models, teams and keys; old keys buy; a second run adds nothing', async () => {
    await open();
    const options = ['--file', fileOf('config.yaml', CONFIG), '--from', await liteLlmDatabase()];
    const tried = await moveIn(...options, '--credit', '5', '--dry-run');
    expect(tried.err).toBe('');
    expect(await statusOf('sk-search-production-key')).toBe(401);
    const moved = await moveIn(...options, '--credit', '5');
    expect({ ...tried.report, dry_run: false }).toEqual(moved.report);
    expect(counts(moved.report)).toMatchObject({
      ...{ upstream: [1, 0], model: [2, 0], secret: [1, 0], account: [5, 0], person: [2, 0] },
      ...{ key: [8, 0], credit: [5, 0] },
    });
    expect(moved.report.credited_usd).toBe('25.000000000');
    expect(moved.report.left).toContainEqual({
      ...{ what: 'setting', reason: expect.stringContaining('no corresponding setting'), count: 2 },
      names: ['litellm_settings.callbacks', 'litellm_settings.success_callback'],
    });

    expect(await statusOf('sk-search-production-key')).toBe(200);
    expect(await statusOf('sk-search-production-key', 'gen-x')).toBe(403);
    expect(await statusOf('sk-without-an-owner', 'gen-x')).toBe(200);
    for (const refused of [
      'sk-search-blocked',
      'sk-search-project',
      'sk-search-expired',
      'sk-1234',
    ])
      expect([refused, await statusOf(refused)]).toEqual([refused, 401]);
    const [search] = (await get('/accounts?search=search')).data;
    expect(search).toMatchObject({ name: 'Search', limits: { spend: { month: '100.500000000' } } });
    expect(search.wallets[0].balance).toBe('4.999997000');

    const again = await moveIn(...options, '--credit', '5');
    expect(counts(again.report)).toMatchObject({
      ...{ model: [0, 2], account: [0, 5], person: [0, 2], key: [0, 8], credit: [0, 5] },
    });
    const { out } = await cli(gateway, 'ledger', 'verify', '--json');
    expect(JSON.parse(out)).toMatchObject({ ok: true });
  });

  test('moves the models of its database with the salt key', async () => {
    await open();
    const url = await liteLlmDatabase();
    const prices = join(import.meta.dir, '../../movein/litellm/fixtures/prices.json');
    const salt = fileOf('salt', `${SALT_KEY}\n`);
    const moved = await moveIn(
      '--from',
      `${url}?schema=public&connection_limit=5`,
      '--salt-key-file',
      salt,
      '--prices',
      prices,
    );
    expect(counts(moved.report)).toMatchObject({ upstream: [2, 0], model: [3, 0], secret: [2, 0] });
    const { document } = await get('/config');
    expect(document.models.mini.channels.direct.price).toMatchObject({
      input: '0.4',
      output: '1.6',
    });
    expect(moved.out).not.toContain('0123456789');
  });

  test('prints the settings if they are in a file', async () => {
    await open('config: file');
    const moved = await moveIn('--file', fileOf('config.yaml', CONFIG));
    expect(moved.report.yaml).toContain('gpt-4.1-mini:');
    expect(moved.report.yaml).not.toContain('0123456789');
  });

  test.each([
    [[], 'Name the config.yaml of LiteLLM with --file'],
    [['--from', 'litellm.db'], '--from must be an address such as'],
    [['--file', fileOf('other.yaml', 'services: {}')], 'The file is not a config.yaml of LiteLLM'],
    [['--file', fileOf('broken.yaml', 'a: [')], 'broken.yaml:'],
    [['--file', '/nowhere.yaml'], 'The file /nowhere.yaml cannot be read.'],
    [
      ['--file', fileOf('config.yaml', CONFIG), '--prices', fileOf('p.json', '{}')],
      'The --prices file is not',
    ],
    [
      ['--file', fileOf('config.yaml', CONFIG), '--credit', '-1'],
      '--credit must be an amount in USD above zero',
    ],
    [
      ['--from', 'postgres://x:secret@127.0.0.1:1/none'],
      'The database postgres://***@127.0.0.1:1/none cannot be read',
    ],
  ])('with %p says what is wrong, and changes nothing', async (options, message) => {
    await open();
    const { exit, err } = await moveIn(...options);
    expect(exit).not.toBe(0);
    expect(err).toContain(message);
    expect(err).not.toContain('secret');
    expect((await get('/accounts')).data).toHaveLength(1);
  });
});

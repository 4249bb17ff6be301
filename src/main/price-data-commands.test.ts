/** Tests the commands that compare prices with public data, against a complete gateway. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../cli/cli.ts';
import { type Clock, systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { Visit } from './console.fixture.ts';
import { ADMIN_TOKEN, depsOn, newFolder, removeFolders } from './gateway.fixture.ts';
import { type Gateway, openGateway } from './gateway.ts';

setDefaultTimeout(180_000);

const FILE = `config: database
upstreams:
  openai: { protocol: openai, make: openai, base_url: "http://127.0.0.1:9/v1", allow_private: true, api_key: none }
models:
  big:
    kind: chat
    maker: openai
    context_window: 1000
    max_output: 100
    default_channel: direct
    channels:
      direct:
        price: { input: "1.90", output: "20.00", example: true }
        cost: { input: "1.00", output: "8.00", source: "a contract" }
        routes: [{ upstream: openai, model: gpt-4.1 }]
  small:
    kind: chat
    maker: openai
    context_window: 1000
    max_output: 100
    default_channel: direct
    channels:
      direct:
        price: { input: "0.14", output: "0.60" }
        routes: [{ upstream: openai, model: mini }]
`;
const DATA = `{
  "gpt-4.1": { "input_cost_per_token": 2e-06, "output_cost_per_token": 8e-06, "litellm_provider": "openai" },
  "mini": { "input_cost_per_token": 1.5e-07, "output_cost_per_token": 6e-07, "litellm_provider": "openai" }
}`;

const TODAY = '2026-11-23';
/** The clock stands still, because a price names the day on which it was applied. */
const clock: Clock = { ...systemClock, nowMs: () => Date.parse(`${TODAY}T12:00:00Z`) };

const folder = newFolder();
const configFile = join(folder, 'modelgate.yaml');
const data = join(folder, 'prices.json');
let gateway: Gateway;
beforeAll(async () => {
  writeFileSync(configFile, FILE);
  writeFileSync(data, DATA);
  const env = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  gateway = await openGateway({ ...depsOn({ path: configFile, env }), clock });
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

async function run(...argv: string[]) {
  let [out, err] = ['', ''];
  const unused = async (): Promise<number> => 7;
  const exit = await runCli(
    [...argv, '--config', configFile],
    { stdout: (text) => (out += text), stderr: (text) => (err += text) },
    {
      clock,
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
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const priceOf = async (model: string) => {
  const visit = new Visit(gateway);
  const { body } = await visit.send(`GET /admin/v1/config/models/${model}`, null, ADMIN);
  return body.value.channels.direct;
};

test('differences are applied with their source, and large ones wait for a person', async () => {
  const shown = await run('prices', 'diff', data);
  expect(shown.exit).toBe(1);
  expect(shown.out).toMatch(/big +direct +input +1\.90 +2 +\+5\.2% +LiteLLM, gpt-4\.1, 20/);
  expect(shown.out).toMatch(
    /big +direct +output +20\.00 +8 +-60\.0% +needs a decision: large change/,
  );
  expect(shown.out).toContain(
    '2 channels compared; 3 prices differ, 1 of them waiting for a decision',
  );

  const applied = await run('prices', 'apply', data, '--note', 'list');
  expect([applied.exit, applied.err]).toEqual([0, '']);
  expect(applied.out).toContain('needs a decision: large change');
  expect(applied.out).toContain('The newest revision is 2; it is in force.');
  expect((await priceOf('big')).price).toEqual({
    // The price names no source, because not all its parts come from LiteLLM.
    ...{ input: '2', output: '20.00' },
  });
  expect((await priceOf('small')).price).toEqual({
    ...{ input: '0.15', output: '0.60', source: `LiteLLM, mini, ${TODAY}` },
  });

  const nothing = await run('prices', 'apply', data, '--only', 'small');
  expect(nothing.out).toBe('Nothing was changed.\n');
  const wider = await run('prices', 'apply', data, '--max-jump', '60%', '--only', 'big/direct');
  expect(wider.out).toContain('The newest revision is 3; it is in force.');
  expect((await run('prices', 'diff', data)).exit).toBe(0);
  expect((await priceOf('big')).price.source).toBe(`LiteLLM, gpt-4.1, ${TODAY}`);

  const factor = ['--factor', '1.25', '--only', 'small'];
  const raised = await run('prices', 'apply', data, ...factor, '--max-jump', '30');
  expect(raised.out).toContain('The newest revision is 4; it is in force.');
  expect((await priceOf('small')).price).toEqual({
    ...{ input: '0.1875', output: '0.75', source: `LiteLLM, mini × 1.25, ${TODAY}` },
  });

  const cost = await run('prices', 'apply', data, '--set', 'cost', '--waiting', '--only', 'big');
  expect(cost.exit).toBe(0);
  expect((await priceOf('big')).cost).toEqual({
    ...{ input: '2', output: '8.00', source: `LiteLLM, gpt-4.1, ${TODAY}` },
  });
});

test('refuses text that is not price data, and addresses that may not be called', async () => {
  writeFileSync(join(folder, 'other.json'), '{"a":{}}');
  const other = await run('prices', 'diff', join(folder, 'other.json'));
  expect(other.err).toContain('neither LiteLLM');
  expect((await run('prices', 'diff', join(folder, 'none.json'))).err).toContain('cannot be read');
  const visit = new Visit(gateway);
  const refusal = async (body: object) => {
    const answer = await visit.send('POST /admin/v1/config/prices/compare', body, ADMIN);
    return [answer.status, answer.body.error?.param];
  };
  for (const url of ['http://example.com/a', 'https://127.0.0.1/a', 'https://u:p@example.com/a'])
    expect([url, await refusal({ url })]).toEqual([url, [400, 'url']]);
  expect(await refusal({})).toEqual([400, 'text']);
  expect(await refusal({ text: DATA, max_jump: '-1' })).toEqual([400, 'max_jump']);
  for (const factor of ['0', '0.000000', '-1', '1.0000001'])
    expect([factor, await refusal({ text: DATA, factor })]).toEqual([factor, [400, 'factor']]);
});

/** Tests models and channels that are sold only on price lists, at every endpoint. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { type Answer, joined } from './console.fixture.ts';
import { removeFolders } from './gateway.fixture.ts';
import { ENGINES, errorOf, FILE, Room } from './price-lists.fixture.ts';

setDefaultTimeout(180_000);
afterAll(removeFolders);

const OPEN = `  public-chat:
    kind: chat
    maker: gen
    context_window: 1000
    max_output: 100
    default_channel: direct
    channels:
      direct:
        price: { input: "5.00", output: "25.00" }
        routes: [{ upstream: builtin, model: x }]
      stable:
        only_on: [partners]
        price: { input: "8.00", output: "25.00" }
        routes: [{ upstream: builtin, model: other }]
`;
const HIDDEN = ['gen-x', 'img-x', 'embed-x'] as const;
const LISTED = `${FILE.replaceAll(/^( {2}(?:gen|img|embed)-x:\n)/gm, '$1    only_on: [partners]\n')}${OPEN}price_lists: { partners: { factor: "0.9" }, staff: {} }
`;
const MESSAGES = [{ role: 'user', content: 'Hello' }];

type Ask = { readonly route: string; readonly body: object | null; readonly headers?: object };

/** Returns a request for each endpoint that uses the model. */
const requestsFor = (model: string): readonly Ask[] => {
  const text = { model, max_tokens: 10, messages: MESSAGES };
  const gemini = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
  const image = { model, prompt: 'A cat', size: '512x512' };
  return [
    ...['/v1', '/v2'].flatMap((prefix): Ask[] => [
      { route: `GET ${prefix}/models/${model}`, body: null },
      { route: `POST ${prefix}/chat/completions`, body: text },
      { route: `POST ${prefix}/chat/completions`, body: { ...text, stream: true } },
      { route: `POST ${prefix}/messages`, body: text },
      { route: `POST ${prefix}/responses`, body: { model, input: 'Hello' } },
      { route: `POST ${prefix}/images/generations`, body: image },
      { route: `POST ${prefix}/embeddings`, body: { model, input: 'Hello' } },
    ]),
    { route: 'POST /v1/messages/count_tokens', body: { model, messages: MESSAGES } },
    { route: `POST /v1beta/models/${model}:generateContent`, body: gemini },
    { route: `POST /openai/deployments/${model}/chat/completions`, body: { messages: MESSAGES } },
  ];
};

/**
 * Returns the answer as comparable text: without the parts that differ between any two requests.
 */
const answerOf = ({ status, body }: Answer, model: string) =>
  JSON.stringify([status, body])
    .replaceAll(model, 'MODEL')
    .replaceAll(/"(request_id|requestId)":"[^"]*"/g, '');

const idsOf = ({ body }: Answer): readonly string[] =>
  body.data.map(({ id }: { readonly id: string }) => id);

describe.each(Object.entries(ENGINES))('a model sold on a price list on %s', (_engine, urlOf) => {
  test('is unknown to all others at every endpoint, and sold to the accounts on it', async () => {
    const room = await Room.open(await urlOf(), LISTED);
    for (const model of HIDDEN)
      for (const [index, { route, body }] of requestsFor(model).entries()) {
        const absent = requestsFor('zzz-x')[index];
        if (absent === undefined) throw new Error(route);
        const [hidden, unknown] = [
          await room.caller(route, body),
          await room.caller(absent.route, absent.body),
        ];
        expect([route, hidden.status]).toEqual([route, 404]);
        expect(answerOf(hidden, model)).toBe(answerOf(unknown, 'zzz-x'));
      }
    expect((await room.admin('GET /admin/v1/requests')).body.data).toEqual([]);

    await room.move('staff');
    expect(idsOf(await room.caller('GET /v1/models'))).toEqual(['public-chat']);
    const staff = await room.caller('POST /v1/embeddings', { model: 'embed-x', input: 'x' });
    expect(errorOf(staff).slice(0, 2)).toEqual([404, 'model_not_found']);
    await room.move('partners');
    expect(idsOf(await room.caller('GET /v1/models'))).toEqual([...HIDDEN, 'public-chat']);
    expect(await room.price()).toBe('4.50');
    const { body, headers } = await room.embed();
    expect(body.data).toHaveLength(1);
    const id = headers.get('x-request-id');
    const receipt = (await room.admin(`GET /admin/v1/requests/${id}`)).body.data;
    expect([receipt.price_list, receipt.model]).toEqual(['partners', 'embed-x']);
    for (const [route, sent] of [
      ['POST /v1/chat/completions', { model: 'gen-x', messages: MESSAGES }],
      ['POST /v1/messages', { model: 'gen-x', max_tokens: 10, messages: MESSAGES }],
      ['POST /v1/responses', { model: 'gen-x', input: 'Hello' }],
      ['POST /v1/images/generations', { model: 'img-x', prompt: 'A cat', size: '512x512' }],
    ] as const)
      expect([route, (await room.caller(route, sent)).status]).toEqual([route, 200]);
    const verified = await room.admin('GET /admin/v1/ledger/verify');
    expect(verified.body).toMatchObject({ ok: true, breaches: [] });
    await room.gateway.close();
  });

  test('has a channel only for these accounts, and its default one for the others', async () => {
    const room = await Room.open(await urlOf(), LISTED);
    const channels = async () =>
      (await room.caller('GET /v1/models/public-chat')).body.channels.map(
        ({ channel }: { readonly channel: string }) => channel,
      );
    const ask = (allow = true) =>
      room.caller('POST /v1/chat/completions', {
        ...{ model: 'public-chat', messages: MESSAGES, stream: false },
        provider: { channel: 'stable', allow_fallbacks: allow },
      });
    expect(await channels()).toEqual(['direct']);
    expect((await ask()).headers.get('x-channel')).toBe('direct');
    expect(errorOf(await ask(false))).toEqual([
      ...[400, 'channel_not_available'],
      'public-chat has no channel "stable"; it has direct. Name one of them, or allow fallbacks.',
    ]);
    await room.move('partners');
    expect(await channels()).toEqual(['direct', 'stable']);
    expect((await ask(false)).headers.get('x-channel')).toBe('stable');
    await room.gateway.close();
  });

  test('warns before it leaves a limited key of another account without a model', async () => {
    const room = await Room.open(await urlOf(), LISTED);
    const [account] = (await room.admin('GET /admin/v1/accounts')).body.data;
    const limits = { models: ['public-chat'] };
    const made = { account_id: account.id, name: 'limited', limits };
    expect((await room.admin('POST /admin/v1/keys', made)).status).toBe(201);
    const path = '/admin/v1/config/models/public-chat';
    const only = (list: string, query = '') =>
      room.change('PATCH', path, { only_on: [list] }, query);
    expect((await only('partner')).body.error.message).toContain('did you mean "partners"?');
    const refused = await only('partners');
    expect(errorOf(refused).slice(0, 2)).toEqual([409, 'confirmation_required']);
    expect(refused.body.error.message).toContain('the API key limited');
    await room.move('partners');
    const done = await only('partners');
    expect([done.status, done.body.warnings[0].message]).toEqual([
      ...[200, 'is sold only on price lists; requests of all other accounts get 404'],
    ]);
    // A price list cannot be removed while a model is sold only on it.
    await room.move(null);
    const removed = await room.change('DELETE', '/admin/v1/config/price-lists/partners', null);
    expect(removed.status).toBe(400);
    expect(removed.body.error.message).toContain('there is no price list "partners"');
    await room.gateway.close();
  });
});

test('is not on any public page, and operators see it', async () => {
  const room = await Room.open(null, LISTED);
  const member = await joined(room.gateway, 'member');
  const texts = async (): Promise<string> => {
    const routes = ['/v1/models', '/v1/models?client_version=1', '/llms.txt', '/sitemap.xml'];
    const status = ['/status.json', '/status/history.json', '/status/history.json?model=gen-x'];
    const pages = ['/console/models', '/console/models/gen-x', '/status/incidents.atom'];
    const all = [...routes, ...status, ...pages].map(async (path) => {
      const { body } = await room.visit.send(`GET ${path}`);
      // The HTML of the page `/console/models/gen-x` and the status of `gen-x` may repeat the name
      // that the request itself contains. Only for these paths, the name is removed from the text.
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return path.includes('gen-x') ? text.replaceAll('gen-x', '') : text;
    });
    const own = await member.send('GET /console/api/models');
    return [...(await Promise.all(all)), JSON.stringify(own.body)].join('\n');
  };
  const seen = await texts();
  expect(seen).toContain('public-chat');
  for (const model of HIDDEN) expect(seen).not.toContain(model);

  const offers = (await room.admin('GET /admin/v1/channels')).body.data;
  expect(offers.map((each: Answer['body']) => [each.model, each.channel, each.only_on])).toEqual([
    ...HIDDEN.map((model) => [model, 'direct', ['partners']]),
    ['public-chat', 'direct', null],
    ['public-chat', 'stable', ['partners']],
  ]);
  const routes = (await room.admin('GET /admin/v1/routes')).body.data;
  expect(routes).toHaveLength(5);
  const tested = await room.admin('POST /admin/v1/upstreams/builtin/test', {
    ...{ model: 'gen-x', kind: 'chat' },
  });
  expect(tested.body.ok).toBe(true);
  const notice = await room.admin('POST /admin/v1/notices', {
    ...{ kind: 'incident', title: 'Slow', text: 'Yes.', affects: [{ model: 'gen-x' }] },
  });
  expect(errorOf(notice)).toEqual([
    ...[404, 'not_found'],
    '"gen-x" is sold only on price lists. The status page is public and does not name it.',
  ]);
  await room.move('partners');
  const { body } = await member.send('GET /console/api/models');
  expect(body.data).toHaveLength(4);
  await room.gateway.close();
});

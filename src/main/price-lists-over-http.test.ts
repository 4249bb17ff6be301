/**
 * Tests that price lists in the configuration apply to requests and their receipts, with SQLite and
 * with PostgreSQL.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { SMALL_FILE } from '../config/file.fixture.ts';
import { type Answer, joined } from './console.fixture.ts';
import { ADMIN_TOKEN, depsOn, openGatewayOf, removeFolders } from './gateway.fixture.ts';
import { openGateway } from './gateway.ts';
import { ENGINES, errorOf, FILE, LISTS, Room } from './price-lists.fixture.ts';

setDefaultTimeout(180_000);
afterAll(removeFolders);

describe.each(Object.entries(ENGINES))('price lists on %s', (_engine, urlOf) => {
  test('set what an account pays, sees and may use, and its receipts name the list', async () => {
    const room = await Room.open(await urlOf());
    const made = await room.put('partners', { factor: '0.85', only: ['embed-x', 'gen-x'] });
    expect([made.status, made.body.warnings]).toEqual([200, []]);
    const moved = await room.move('partners');
    expect([moved.status, moved.body.price_list]).toEqual([200, 'partners']);
    expect((await room.admin('GET /admin/v1/price-lists')).body).toEqual({
      revision: 2,
      data: [
        {
          ...{ name: 'partners', factor: '0.85', only: ['embed-x', 'gen-x'] },
          ...{ hidden: [], priced: [], accounts: 1 },
        },
      ],
    });
    expect(await room.price()).toBe('4.25');
    const stranger = await room.visit.send('GET /v1/models/embed-x');
    expect(stranger.body.channels[0].price.input).toBe('5.00');
    expect([stranger.headers.get('cache-control')]).toEqual(['no-cache']);
    const list = await room.caller('GET /v2/models');
    expect(list.headers.get('cache-control')).toBe('private, no-cache');
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual(['gen-x', 'embed-x']);
    const hidden = await room.caller('POST /v1/images/generations', {
      model: 'img-x',
      prompt: 'x',
    });
    expect(errorOf(hidden).slice(0, 2)).toEqual([404, 'model_not_found']);

    const { body, headers } = await room.embed();
    const id = headers.get('x-request-id') ?? '';
    const receipt = (await room.admin(`GET /admin/v1/requests/${id}`)).body.data;
    const pico = BigInt(body.usage.prompt_tokens) * 4_250_000n;
    expect(receipt.cost_details.cost_unrounded).toBe(`0.${String(pico).padStart(12, '0')}`);
    expect([receipt.price_list, receipt.cost_details.price_list]).toEqual(['partners', 'partners']);
    expect(receipt.price_card).toBe(headers.get('x-price-card'));
    const cards = (await room.admin('GET /admin/v1/cards?model=embed-x')).body.data;
    const card = cards.find((each: { id: string }) => each.id === receipt.price_card);
    expect([card.price_list, card.in_force, card.per_1m_tokens.input]).toEqual([
      ...['partners', true, '4.25'],
    ]);
    const own = (await room.admin('GET /admin/v1/cards?price_list=partners')).body.data;
    expect(own).toHaveLength(2);
    const rest = (await room.admin('GET /admin/v1/cards?price_list=')).body.data;
    expect(rest.every((each: Answer['body']) => each.price_list === null)).toBe(true);
    const csv = (await room.admin('GET /admin/v1/requests?format=csv')).body;
    const [head = '', row = ''] = String(csv).split('\r\n');
    expect(row.split(',')[head.split(',').indexOf('price_list')]).toBe('partners');

    const chat = { model: 'gen-x', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
    const stream = await room.caller('POST /v1/chat/completions', chat);
    const ofChat = await room.admin(`GET /admin/v1/requests/${stream.headers.get('x-request-id')}`);
    expect(ofChat.body.data.price_list).toBe('partners');
    const verified = await room.admin('GET /admin/v1/ledger/verify');
    expect(verified.body).toMatchObject({ ok: true, breaches: [] });
    const audit = (await room.admin('GET /admin/v1/audit?action=account.update')).body.data;
    expect(JSON.stringify(audit)).toContain('partners');

    await room.move(null);
    expect(await room.price()).toBe('5.00');
    await room.gateway.close();
  });

  test('cannot be removed while accounts are on them, or sell below cost unconfirmed', async () => {
    const room = await Room.open(await urlOf());
    const loss = await room.put('partners', { factor: '0.75' });
    expect(errorOf(loss).slice(0, 2)).toEqual([409, 'confirmation_required']);
    expect(loss.body.error.message).toContain(
      'price_lists.partners.models.embed-x.channels.direct: sells input for 3.75 per 1M tokens, below its cost of 4.00',
    );
    expect((await room.put('partners', { factor: '0.75' }, '?confirm=below_cost')).status).toBe(
      200,
    );
    expect(errorOf(await room.move('partner'))).toEqual([
      ...[400, 'invalid_value', 'There is no price list "partner". Use one of partners, or null.'],
    ]);
    await room.move('partners');
    const removed = await room.change('DELETE', `${LISTS}/partners`, null);
    expect(errorOf(removed).slice(0, 2)).toEqual([400, 'invalid_value']);
    expect(removed.body.error.message).toContain(
      'price_lists.partners: is missing, but 1 account is on this price list',
    );
    // The cost is raised until it exceeds the price on the price list, but not the public price.
    const cost = { channels: { direct: { cost: { input: '4.50' } } } };
    const higher = await room.change('PATCH', '/admin/v1/config/models/embed-x', cost);
    expect(higher.body.error.message).toContain('price_lists.partners.models.embed-x');
    await room.move(null);
    expect((await room.change('DELETE', `${LISTS}/partners`, null)).status).toBe(200);
    await room.gateway.close();
  });
});

test('a member sees the prices of the account in the console', async () => {
  const room = await Room.open(null);
  await room.put('partners', { factor: '0.9' });
  const member = await joined(room.gateway, 'member');
  const shown = async () => {
    const { body } = await member.send('GET /console/api/models');
    return body.data.map((each: Answer['body']) => each.channels[0].price.input ?? null);
  };
  expect(await shown()).toEqual(['5.00', null, '5.00']);
  await room.move('partners');
  expect(await shown()).toEqual(['4.50', null, '4.50']);
  await room.gateway.close();
});

test('a file without a list that accounts are on changes nothing, and does not start', async () => {
  const LISTED = `${SMALL_FILE}price_lists: { partners: { factor: "0.8" } }\n`;
  const { gateway, folder, path } = await openGatewayOf(LISTED);
  const room = new Room(gateway);
  expect((await room.move('partners')).status).toBe(200);
  const price = async () =>
    (await room.caller('GET /v1/models/gen-x')).body.channels[0].price.input;
  expect(await price()).toBe('4.00');
  writeFileSync(path, SMALL_FILE);
  await gateway.live.reload();
  expect(await price()).toBe('4.00');
  await gateway.close();
  const env = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  await expect(openGateway(depsOn({ path, env }))).rejects.toThrow(
    'price_lists.partners: is missing, but 1 account is on this price list; before you remove the list, move its accounts',
  );
});

test('an account whose list is missing in the database is refused, and no other', async () => {
  const listed = FILE.replace('config: database\n', '');
  const {
    gateway: first,
    folder,
    path,
  } = await openGatewayOf(`${listed}price_lists: { gone: {} }`);
  const before = new Room(first);
  await before.move('gone');
  const other = await before.admin('POST /admin/v1/accounts', { name: 'Other' });
  const made = { account_id: other.body.id, name: 'other' };
  const { secret } = (await before.admin('POST /admin/v1/keys', made)).body;
  const key = first.firstStart?.key.reveal();
  await first.close();
  writeFileSync(path, FILE);
  const env = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  const room = new Room(await openGateway(depsOn({ path, env })));
  const embed = (own: string): Promise<Answer> =>
    room.visit.send(
      'POST /v1/embeddings',
      { model: 'embed-x', input: 'x' },
      { authorization: `Bearer ${own}` },
    );
  expect(errorOf(await embed(key ?? '')).slice(0, 2)).toEqual([503, 'config_mismatch']);
  expect(errorOf(await embed(secret)).slice(0, 2)).toEqual([402, 'insufficient_balance']);
  await room.move(null);
  expect((await embed(key ?? '')).status).toBe(200);
  await room.gateway.close();
});

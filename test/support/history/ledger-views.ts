/** For tests: reads wallets, receipts and ledger checks through the API, in nano-units. */
import { eventually } from '../eventually.ts';
import type { GatewayProcess } from '../gateways/gateway-process.ts';
import { type Answer, at, get, listAt, read } from '../wire.ts';

type Target = Pick<GatewayProcess, 'url' | 'key' | 'adminToken'>;
export type WalletState = { readonly balance: bigint; readonly held: bigint };

/**
 * Converts a decimal such as `99.998620000` to nano-units, without using the gateway's own code.
 */
export function nanoOf(decimal: unknown): bigint {
  const match = /^(-?)(\d+)\.(\d{9})$/.exec(String(decimal));
  if (match === null) throw new Error(`not a decimal of nine digits: ${String(decimal)}`);
  return BigInt(`${match[1]}${match[2]}${match[3]}`);
}

export async function wallet(
  target: Pick<Target, 'url' | 'key'>,
  currency: 'USD' | 'CNY' = 'USD',
): Promise<WalletState> {
  const credits = await get(target, '/v1/credits');
  const found = listAt(JSON.parse(credits.text), 'data.wallets').find(
    (each) => at(each, 'currency') === currency,
  );
  return { balance: nanoOf(at(found, 'balance')), held: nanoOf(at(found, 'held')) };
}

/** Waits until a request has a receipt, and returns it. */
export async function receiptOf(target: Pick<Target, 'url' | 'key'>, id: string): Promise<Answer> {
  return await eventually(
    `receipt ${id}`,
    () => get(target, `/v1/generation?id=${id}`),
    ({ status }) => status === 200,
  );
}

export async function admin(
  { url, adminToken }: Pick<Target, 'url' | 'adminToken'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return await read(await fetch(`${url}/admin/v1${path}`, { method, headers, ...sent }));
}

/** Returns the violations that the ledger verification finds; empty if the ledger is consistent. */
export async function breaches(target: Pick<Target, 'url' | 'adminToken'>): Promise<unknown> {
  const answer = await admin(target, 'GET', '/ledger/verify');
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.at('breaches');
}

/** Waits until no money of the wallet is held for requests, and returns the wallet. */
export const nothingHeld = (target: Pick<Target, 'url' | 'key'>): Promise<WalletState> =>
  eventually(
    'nothing is held',
    () => wallet(target),
    ({ held }) => held === 0n,
  );

/**
 * Waits until no money of the wallet is held, and returns the wallet.
 * @throws Error when the ledger is inconsistent.
 */
export async function settledWallet(target: Target): Promise<WalletState> {
  const state = await nothingHeld(target);
  const found = await breaches(target);
  if (!Array.isArray(found) || found.length > 0)
    throw new Error(`the ledger is inconsistent: ${JSON.stringify(found)}`);
  return state;
}

/** Creates an account and returns its key. If `credit` is null, the account's wallet is empty. */
export async function newAccountKey(
  target: Pick<Target, 'url' | 'adminToken'>,
  credit: { readonly amount: string; readonly currency: string } | null,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const account = await admin(target, 'POST', '/accounts', {
    name: 'another',
    allow_exchange: true,
  });
  const id = String(account.at('id'));
  if (credit !== null)
    await admin(target, 'POST', `/accounts/${id}/credits`, { ...credit, reason: 'test' });
  const key = await admin(target, 'POST', '/keys', {
    account_id: id,
    name: 'another',
    ...settings,
  });
  return String(key.at('secret'));
}

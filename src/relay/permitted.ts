import type { Caller } from '../accounts/account.ts';
import type { Permit } from '../accounts/limits/limiter.ts';
import type { MayUse } from './admission.ts';
import type { Exchange } from './call-scope.ts';

/** Begins what was permitted; a request that could not begin is over, and has used nothing. */
export async function permitted<Begun>(
  permit: Permit,
  exchange: Exchange,
  begin: () => Promise<Begun>,
): Promise<Begun> {
  try {
    return await begin();
  } catch (thrown) {
    permit.end(null);
    exchange.close();
    throw thrown;
  }
}

/** Whether the caller's key and account may use a channel that it has not asked for. */
export const mayUseChannel =
  ({ limits: { key, account } }: Caller): MayUse =>
  (channel) =>
    [key, account].every(({ channels }) => channels === null || channels.includes(channel));

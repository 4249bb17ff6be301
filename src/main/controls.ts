/** What others may change while requests run: keys and accounts, on this node or on another. */
import type { Accounts } from '../accounts/accounts.ts';
import { ControlFeed } from '../accounts/change-feed.ts';
import { revoked } from '../relay/hold-refusal.ts';
import type { InFlight } from '../relay/in-flight.ts';
import type { Books } from './books.ts';
import type { GatewayDeps } from './gateway-deps.ts';

/**
 * Reads every change of a key or an account as it is made, whoever made it: caches forget it at once, and
 * what runs for a key that was revoked or disabled, or an account that was suspended, is ended.
 */
export function startControlFeed(
  { clock, log }: Pick<GatewayDeps, 'clock' | 'log'>,
  { database }: Pick<Books, 'database'>,
  accounts: Accounts,
  inFlight: InFlight,
): ControlFeed {
  const feed = new ControlFeed({
    sql: database.sql,
    clock,
    onFailure: (thrown) =>
      log.warn(
        { err: thrown },
        'changes of keys and accounts cannot be read; they are tried again',
      ),
  });
  feed.subscribe((change) => accounts.forget(change));
  feed.subscribe(({ action, subject }) => {
    if (action === 'key.revoke') {
      inFlight.end(({ keyId }) => keyId === subject, revoked('key_inactive'));
    } else if (action === 'key.disable') {
      inFlight.end(({ keyId }) => keyId === subject, revoked('key_disabled'));
    } else if (action === 'account.suspend') {
      inFlight.end(({ accountId }) => accountId === subject, revoked('account_inactive'));
    }
  });
  feed.start();
  void feed.poll();
  return feed;
}

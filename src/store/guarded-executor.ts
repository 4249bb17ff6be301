/** The store as this room meets it: whatever goes wrong there is a 503, never mistaken for a bad key. */
import { GatewayError } from '../errors.ts';
import type { SqlExecutor } from './sql.ts';

/** Passes statements on; any failure becomes GatewayError `store_unavailable` with its cause. */
export function guardedExecutor(inner: SqlExecutor): SqlExecutor {
  return {
    query: (statement) => inner.query(statement).catch(unavailable),
    transaction: (statements, audit) => inner.transaction(statements, audit).catch(unavailable),
  };
}

function unavailable(thrown: unknown): never {
  if (thrown instanceof GatewayError) throw thrown;
  throw new GatewayError(
    'store_unavailable',
    'Accounts and keys cannot be read at the moment. Repeat the request.',
    { retryAfterSeconds: 1, cause: thrown },
  );
}

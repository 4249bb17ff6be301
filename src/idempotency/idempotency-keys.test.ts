import { afterAll, describe, expect, test } from 'bun:test';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { idempotencyConformance } from './idempotency-conformance.fixture.ts';
import { ask } from './idempotency-nodes.fixture.ts';
import { RunningClaims } from './running-claims.ts';

afterAll(removeFiles);

describe('SQLite', () => idempotencyConformance(() => openFile(newFile()), 'in memory'));
describe('PostgreSQL', () => idempotencyConformance(() => openPostgresForTest(), 'stored'));

test('memory forgets a claim that has ended, but not a newer claim of the same key', () => {
  const claims = new RunningClaims(() => true);
  const begin = (claimId: string) => {
    const keyHash = new Uint8Array(32);
    const times = { leaseUntilMs: 1, nowMs: 0, expiresAtMs: 1 };
    return claims.begin(ask('k'), { ...ask('k'), keyHash, claimId, epoch: 'node', ...times });
  };
  const [first, second] = [begin('first'), begin('second')];
  claims.end(first);
  expect(claims.answerTo(ask('k'))).toEqual({ kind: 'running' });
  claims.end(second);
  expect(claims.answerTo(ask('k'))).toBeNull();
});

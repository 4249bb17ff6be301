import { afterAll, describe } from 'bun:test';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { idempotencyConformance } from './idempotency-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => idempotencyConformance(() => openFile(newFile()), 'in memory'));
describe('PostgreSQL', () => idempotencyConformance(() => openPostgresForTest(), 'stored'));

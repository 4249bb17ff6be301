import { afterAll, describe } from 'bun:test';
import { newFile, openFile, removeFiles } from '../ledger/sqlite.fixture.ts';
import { idempotencyConformance } from './idempotency-conformance.ts';

afterAll(removeFiles);

describe('SQLite', () => idempotencyConformance(() => openFile(newFile())));

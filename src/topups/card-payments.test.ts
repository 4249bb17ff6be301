import { afterAll, describe } from 'bun:test';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { cardPaymentsConformance } from './card-payments-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => cardPaymentsConformance(() => openFile(newFile())));
describe('PostgreSQL', () => cardPaymentsConformance(() => openPostgresForTest()));

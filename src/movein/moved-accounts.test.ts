import { afterAll, describe } from 'bun:test';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { movedAccountsConformance } from './moved-accounts-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => movedAccountsConformance(() => openFile(newFile())));
describe('PostgreSQL', () => movedAccountsConformance(() => openPostgresForTest()));

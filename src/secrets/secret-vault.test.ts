import { afterAll, describe } from 'bun:test';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { secretVaultConformance } from './secret-vault-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => secretVaultConformance(() => openFile(newFile())));
describe('PostgreSQL', () => secretVaultConformance(() => openPostgresForTest()));

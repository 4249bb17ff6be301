import { afterAll, describe } from 'bun:test';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { passkeysConformance } from './passkeys-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => passkeysConformance(() => openFile(newFile())));
describe('PostgreSQL', () => passkeysConformance(() => openPostgresForTest()));

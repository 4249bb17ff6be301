import { afterAll, describe } from 'bun:test';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { oidcConformance } from './oidc-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => oidcConformance(() => openFile(newFile())));
describe('PostgreSQL', () => oidcConformance(() => openPostgresForTest()));

import { afterAll, describe } from 'bun:test';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { membershipConformance } from './memberships-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => {
  membershipConformance(() => openFile(newFile()));
});
describe('PostgreSQL', () => {
  membershipConformance(() => openPostgresForTest());
});

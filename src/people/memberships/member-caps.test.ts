import { afterAll, describe } from 'bun:test';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { memberCapConformance } from './member-caps-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => {
  memberCapConformance(() => openFile(newFile()));
});
describe('PostgreSQL', () => {
  memberCapConformance(() => openPostgresForTest());
});

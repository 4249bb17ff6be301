import { afterAll, describe } from 'bun:test';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { bonusesConformance } from './bonuses-conformance.fixture.ts';
import { cardPaymentsConformance } from './card-payments-conformance.fixture.ts';

afterAll(removeFiles);

for (const conformance of [cardPaymentsConformance, bonusesConformance]) {
  describe('SQLite', () => conformance(() => openFile(newFile())));
  describe('PostgreSQL', () => conformance(() => openPostgresForTest()));
}

import { describe } from 'bun:test';
import { ledgerConformance } from '../conformance/ledger-conformance.fixture.ts';
import { NOTHING_ASSIGNED, openPostgresForTest } from './postgres.fixture.ts';

describe('PostgreSQL', () => {
  const openUnassigned = () => openPostgresForTest({ share: NOTHING_ASSIGNED });
  ledgerConformance(() => openPostgresForTest(), 'stored', openUnassigned);
});

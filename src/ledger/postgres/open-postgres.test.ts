import { describe } from 'bun:test';
import { ledgerConformance } from '../conformance/ledger-conformance.fixture.ts';
import { openPostgresForTest } from './postgres.fixture.ts';

describe('PostgreSQL', () => {
  ledgerConformance(() => openPostgresForTest(), 'stored');
});

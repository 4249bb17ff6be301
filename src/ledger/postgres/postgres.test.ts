import { describe } from 'bun:test';
import { ledgerConformance } from '../conformance/conformance.ts';
import { openPostgresForTest } from './postgres.fixture.ts';

describe('PostgreSQL', () => {
  ledgerConformance(() => openPostgresForTest());
});

import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { reconcileConformance } from './reconcile-conformance.fixture.ts';

reconcileConformance('PostgreSQL', () => openPostgresForTest());

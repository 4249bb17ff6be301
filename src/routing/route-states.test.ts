import { afterAll, describe } from 'bun:test';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { routeStatesConformance } from './route-states-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => routeStatesConformance(() => openFile(newFile())));
describe('PostgreSQL', () => routeStatesConformance(() => openPostgresForTest()));

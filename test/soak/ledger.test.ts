/** Thousands of random histories on the embedded store, only in `npm run test:soak`. */
import { afterAll, describe } from 'bun:test';
import { propertyConformance } from '../../src/ledger/conformance/conformance-property.fixture.ts';
import { newFile, openFile, removeFiles } from '../../src/ledger/sqlite/sqlite.fixture.ts';

const RUNS = 5_000;

afterAll(removeFiles);

describe('SQLite, soaked', () => propertyConformance(() => openFile(newFile()), RUNS, 'in memory'));

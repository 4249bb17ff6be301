/** Tests thousands of random command histories of the ledger on the embedded store. */
import { afterAll, describe } from 'bun:test';
import { propertyConformance } from '../../src/ledger/conformance/conformance-property.fixture.ts';
import { newFile, openFile, removeFiles } from '../../src/ledger/sqlite/sqlite.fixture.ts';

const RUNS = 5_000;

afterAll(removeFiles);

describe('SQLite, soaked', () => propertyConformance(() => openFile(newFile()), RUNS, 'in memory'));

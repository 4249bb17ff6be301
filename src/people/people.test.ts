import { afterAll, describe } from 'bun:test';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { invitationMailConformance } from './invitation-mail-conformance.fixture.ts';
import { peopleConformance } from './people-conformance.fixture.ts';
import { signInConformance } from './sign-in-conformance.fixture.ts';
import { takeoverConformance } from './takeover-conformance.fixture.ts';
import { viewConformance } from './view-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => {
  peopleConformance(() => openFile(newFile()));
  invitationMailConformance(() => openFile(newFile()));
  signInConformance(() => openFile(newFile()));
  viewConformance(() => openFile(newFile()));
  takeoverConformance(() => openFile(newFile()));
});
describe('PostgreSQL', () => {
  peopleConformance(() => openPostgresForTest());
  invitationMailConformance(() => openPostgresForTest());
  signInConformance(() => openPostgresForTest());
  viewConformance(() => openPostgresForTest());
  takeoverConformance(() => openPostgresForTest());
});

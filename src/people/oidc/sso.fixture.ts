/** Signs people in through a test provider, on every engine. */
import { afterAll, beforeAll } from 'bun:test';
import type { OidcSettings } from '../../config/document/console-settings.ts';
import { GatewayError } from '../../errors.ts';
import { type Open, rule } from '../../ledger/conformance/conformance-rule.fixture.ts';
import type { Database } from '../../ledger/database.ts';
import { Browser, type PeopleRoom, roomOf } from '../people.fixture.ts';
import { ADA, TestProvider } from './test-provider.fixture.ts';

export let provider: TestProvider;

export type Sso = {
  readonly room: PeopleRoom;
  readonly database: Database;
  /** Changes settings, as a reload of the configuration does. */
  readonly set: (more: Partial<OidcSettings>) => void;
  /** Signs in as the provider's user. Returns the person's id, or the reason for the failure. */
  readonly enter: (browser?: Browser) => Promise<string>;
};

export type Law = (name: string, statement: (sso: Sso) => Promise<void>) => void;

/** Opens the provider for the tests of a file, and returns what states a rule on an engine. */
export function lawsOf(open: Open): Law {
  beforeAll(async () => {
    provider = await TestProvider.open();
  });
  afterAll(() => provider.close());
  return (name, statement) =>
    rule(open, name, async (database) => {
      provider.user = ADA;
      provider.forgery = {};
      const settings = { oidc: provider.settings() };
      const room = roomOf(database, settings);
      const set = (more: Partial<OidcSettings>): void => {
        settings.oidc = provider.settings(more);
      };
      await statement({ room, database, set, enter: (browser) => entered(room, browser) });
    });
}

export async function entered(room: PeopleRoom, browser = new Browser()): Promise<string> {
  try {
    const { url, cookies } = await room.providerSignIn.begin(browser.visitor);
    browser.keep(cookies);
    const query = await provider.answerTo(url);
    const result = await room.providerSignIn.finish(query, browser.visitor);
    browser.keep(result.cookies);
    return result.personId ?? 'code needed';
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return String(thrown.extra['reason'] ?? thrown.code);
  }
}

export const countOf = async ({ sql }: Database, table: string): Promise<number> =>
  Number((await sql.query({ sql: `SELECT COUNT(*) AS n FROM ${table}`, params: [] }))[0]?.['n']);

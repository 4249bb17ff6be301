/** Tests on every engine how many invitations an account can mail. */
import { describe, expect } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { Secret } from '../config/secret.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import { MAX_QUEUED, MailOutbox } from '../mail/mail-outbox.ts';
import { Mailer } from '../mail/mailer.ts';
import { type SqlExecutor, statement } from '../store/sql.ts';
import { Invitations, MAX_MAILED_INVITATIONS } from './invitations.ts';
import { MailPreferences } from './mail/mail-preferences.ts';
import { OneTimeLinks } from './one-time-links.ts';
import { codeOf } from './people-conformance.fixture.ts';

const DAY_MS = 86_400_000;
const PLACE = { accountId: 'alice', newAccount: null };
const OWNER = { actor: 'usr_owner', role: 'owner', accountId: 'alice' } as const;

export function invitationMailConformance(open: Open): void {
  describe('a mailed invitation', () => {
    rule(open, 'is limited by the day and account, even if others are revoked', async ({ sql }) => {
      const { clock, outbox, invitations } = roomOn(sql);
      const invite = async (email: string | null, place = PLACE) => {
        const { record } = await invitations.create({ role: 'member', email, place }, OWNER);
        await invitations.revoke(record.id, { ...OWNER, accountId: place.accountId });
      };
      for (let each = 0; each < MAX_MAILED_INVITATIONS; each++) await invite('eve@example.com');
      expect(await codeOf(invite('eve@example.com'))).toBe('conflict');
      expect(await outbox.countOf('invitation', 'alice')).toBe(MAX_MAILED_INVITATIONS);
      expect(await codeOf(invite(null))).toBe('done');
      expect(await codeOf(invite('eve@example.com', { ...PLACE, accountId: 'bob' }))).toBe('done');
      clock.advance(DAY_MS + 1);
      expect(await codeOf(invite('eve@example.com'))).toBe('done');
    });

    rule(open, 'names its address only if the email was queued', async ({ sql }) => {
      const { invitations } = roomOn(sql);
      const invite = async () => {
        const eve = { role: 'member', email: 'eve@example.com', place: PLACE } as const;
        return (await invitations.create(eve, OWNER)).link.mailedTo;
      };
      expect(await invite()).toBe('eve@example.com');
      await sql.transaction([
        statement`WITH RECURSIVE queued(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM queued
            WHERE n < ${MAX_QUEUED})
          INSERT INTO mail (id, kind, recipient, subject, next_at_ms, created_at_ms)
          SELECT 'mail_' || n, 'test', 'a@example.com', 'A test', 0, 0 FROM queued`,
      ]);
      expect(await invite()).toBeUndefined();
    });
  });
}

function roomOn(sql: SqlExecutor) {
  const clock = manualClock();
  const outbox = new MailOutbox(sql, clock, new Secret('a secret of this test'), () => DAY_MS);
  const invitations = new Invitations({
    ...{ sql, clock, preferences: new MailPreferences(sql) },
    links: new OneTimeLinks({ sql, clock, publicUrl: 'http://gateway' }),
    mailer: new Mailer({
      ...{ outbox, isOn: () => true, wake: () => undefined },
      brand: () => ({ name: 'Modelgate', support_url: null }),
    }),
  });
  return { clock, outbox, invitations };
}

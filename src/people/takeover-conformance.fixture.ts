/** Tests on every engine that a session left open or an old password does not win the account. */
import { describe, expect } from 'bun:test';
import { asGatewayError } from '../errors.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import { ADMIN, PASSWORD, roomOf, tokenOf } from './people.fixture.ts';
import { codeOf, type Law } from './people-conformance.fixture.ts';

const ADA = 'ada@example.com';
const NEXT = 'several quiet tractors';

export function takeoverConformance(open: Open): void {
  const law: Law = (name, statement) =>
    rule(open, name, (database) => statement(roomOf(database), database));
  describe('a session left open', () => leftOpen(law));
}

function leftOpen(law: Law): void {
  law('cannot create a reset link for itself, nor remove its authenticator', async (room) => {
    for (const [email, role, accountId] of [
      [ADA, 'owner', 'alice'],
      ['root@example.com', 'administrator', null],
    ] as const) {
      const me = await room.join(email, role);
      const own = { actor: me.id, role, accountId };
      for (const work of [
        () => room.members.resetLink(me.id, own),
        () => room.members.clearTotp(me.id, own),
      ]) {
        const refused = asGatewayError(await work().catch((thrown: unknown) => thrown));
        expect([refused.code, refused.message]).toEqual([
          'not_allowed',
          expect.stringContaining('profile page'),
        ]);
        expect(await codeOf(work())).toBe('not_allowed');
      }
      expect(await codeOf(room.members.clearTotp(me.id, ADMIN))).toBe('done');
      expect(await codeOf(room.members.resetLink(me.id, ADMIN))).toBe('done');
    }
  });

  law('leaves no reset link after a change of the password', async (room) => {
    const ada = await room.join(ADA, 'owner');
    const { visitor } = await room.browserOf(ADA);
    const { url } = await room.members.resetLink(ada.id, ADMIN);
    await room.credentials.changePassword(ada, { current: PASSWORD, next: NEXT }, visitor);
    expect(await codeOf(room.credentials.resetPassword(tokenOf(url), PASSWORD))).toBe(
      'link_not_valid',
    );
  });
}

/** Tests on every engine which role a provider's claim gives, and in which account. */
import { expect } from 'bun:test';
import { ADMIN, actionsOf, Browser, pausedRoom, tokenOf } from '../people.fixture.ts';
import { countOf, entered, type Law, provider } from './sso.fixture.ts';
import { ADA } from './test-provider.fixture.ts';

const ROLES = {
  role_claim: 'groups',
  roles: { administrator: ['ops'], owner: ['leads'], member: ['staff'], read_only: null },
} as const;

export function ranking(law: Law): void {
  law('decides the role at each sign-in, with an audit entry', async ({ room, ...sso }) => {
    await room.join('root@example.com', 'administrator');
    const ada = await room.join('ada@example.com', 'member');
    sso.set(ROLES);
    const roleWith = async (groups: unknown): Promise<string> => {
      provider.user = { ...ADA, groups };
      const id = await sso.enter();
      return id === ada.id ? (await room.people.get(id)).role : id;
    };
    expect(await roleWith(['staff', 'ops', 'leads'])).toBe('administrator');
    expect(await roleWith('leads')).toBe('owner');
    expect(await roleWith(['other'])).toBe('member');
    sso.set({ ...ROLES, default_role: 'refuse' });
    expect(await roleWith(['other'])).toBe('no_role');
    expect(await roleWith(undefined)).toBe('no_role');
    expect((await room.people.get(ada.id)).role).toBe('member');
    const changes = (await actionsOf(sso.database)).filter((each) => each === 'person.change');
    expect(changes).toHaveLength(3);
    const [entry] = await sso.database.sql.query({
      sql: "SELECT actor, detail FROM audit WHERE action = 'person.change' ORDER BY id LIMIT 1",
      params: [],
    });
    expect(entry?.['actor']).toBe('system');
    expect(String(entry?.['detail'])).toContain('role_claim');
  });

  law('gives a role once to concurrent sign-ins', async ({ room, database, set, enter }) => {
    await room.join('root@example.com', 'administrator');
    const ada = await room.join('ada@example.com', 'member');
    set(ROLES);
    provider.user = { ...ADA, groups: ['leads'] };
    const oidc = provider.settings(ROLES);
    const late = pausedRoom(database, /UPDATE person SET role/, { oidc });
    const entering = entered(late.room);
    await late.reached;
    expect(await enter()).toBe(ada.id);
    late.proceed();
    expect(await entering).toBe(ada.id);
  });

  law('never demotes the last administrator or the last owner', async ({ room, set, enter }) => {
    const ada = await room.join('ada@example.com', 'administrator');
    set(ROLES);
    provider.user = { ...ADA, groups: ['staff'] };
    expect(await enter()).toBe(ada.id);
    expect((await room.people.get(ada.id)).role).toBe('administrator');
  });

  law('that refuses a person creates and links nothing', async ({ room, set, ...sso }) => {
    await room.join('ada@example.com', 'member');
    set({ ...ROLES, default_role: 'refuse', new_people: 'own_account' });
    expect(await sso.enter()).toBe('no_role');
    provider.user = { ...ADA, sub: 'eve', email: 'eve@example.com' };
    expect(await sso.enter()).toBe('no_role');
    expect(await countOf(sso.database, 'identity')).toBe(0);
    expect(await countOf(sso.database, 'person')).toBe(1);
  });

  law(
    'decides nothing in an account that the person joined later',
    async ({ room, set, ...sso }) => {
      await room.join('root@example.com', 'administrator');
      await room.join('eve@example.com', 'owner');
      await room.join('bob@example.com', 'owner', 'bob');
      const ada = await room.join('ada@example.com', 'member');
      set(ROLES);
      provider.user = { ...ADA, groups: ['leads'] };
      const browser = new Browser();
      await sso.enter(browser);
      const roleAfterEntering = async () => {
        await sso.enter();
        const { accountId, role } = await room.people.get(ada.id);
        return [accountId, role];
      };
      expect(await roleAfterEntering()).toEqual(['alice', 'owner']);
      const place = { accountId: 'bob', newAccount: null };
      const { link } = await room.invitations.create(
        { role: 'read_only', email: null, place },
        ADMIN,
      );
      const session = await room.sessions.of(browser.cookie);
      if (session === null) throw new Error('nobody is signed in');
      await room.memberships.accept(tokenOf(link.url), session);
      await room.members.leave(ada.id, 'alice');
      expect(await roleAfterEntering()).toEqual(['bob', 'read_only']);
      provider.user = { ...ADA, groups: ['ops'] };
      expect(await roleAfterEntering()).toEqual(['bob', 'administrator']);
      provider.user = { ...ADA, groups: ['staff'] };
      expect(await roleAfterEntering()).toEqual(['bob', 'member']);
      await room.members.change(ada.id, { accountId: 'alice' }, ADMIN);
      provider.user = { ...ADA, groups: ['leads'] };
      expect(await roleAfterEntering()).toEqual(['alice', 'owner']);
    },
  );

  law(
    'counts in the main account for identities of an earlier version',
    async ({ room, ...sso }) => {
      await room.join('root@example.com', 'administrator');
      const ada = await room.join('ada@example.com', 'member');
      sso.set(ROLES);
      provider.user = { ...ADA, groups: ['staff'] };
      await sso.enter();
      const clear = { sql: 'UPDATE identity SET role_account_id = NULL', params: [] };
      await sso.database.sql.query(clear);
      provider.user = { ...ADA, groups: ['leads'] };
      await sso.enter();
      expect((await room.people.get(ada.id)).role).toBe('owner');
      expect(await room.identities.roleAccount({ issuer: provider.issuer, subject: ADA.sub })).toBe(
        'alice',
      );
    },
  );
}

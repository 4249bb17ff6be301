/**
 * The requests about people and invitations. An owner's requests concern one account, and an
 * administrator's requests concern all accounts. The tables and dialogs are the same for owners and
 * administrators.
 */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { components } from '#api/schema.gen.ts';
import type { Role } from '#api/session.ts';
import type { ApiKey } from '#keys/key-form.ts';

export type Person = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];
export type NewInvitation = components['schemas']['NewInvitation'];
/** A one-time link, shown only once because anyone with the link can use it. */
export type OneTime = components['schemas']['OneTimeLink'];

export type PersonChange = { readonly role: Role; readonly account_id: string };
/**
 * The spending limits on all API keys that a person created. The keys remain if the person leaves.
 */
export type PersonLimits = components['schemas']['PersonLimits'];
/**
 * An invitation to send. At most one of `account_id` and `account_name` is set; without both, the
 * person joins the inviting person's account.
 */
export type Invitee = {
  readonly role: Role;
  readonly email: string | null;
  readonly account_id?: string;
  readonly account_name?: string;
};

export type AccountField = {
  readonly value: string | null;
  readonly valueName?: string;
  readonly description?: string;
  readonly allowDeselect?: boolean;
  readonly onChange: (id: string | null) => void;
  readonly error: ReactNode;
};

export type PeopleApi = {
  /** The cached queries to refresh after a change. */
  readonly queryKeys: readonly QueryKey[];
  /** Whether a person is removed from one account only, and stays in their other accounts. */
  readonly isOneAccount: boolean;
  readonly read: (id: string) => Promise<Person>;
  /** @param etag the entity tag of the person's settings on which the change is based. */
  readonly change: (id: string, change: PersonChange, etag: string) => Promise<Person>;
  readonly limits: {
    readonly read: (id: string) => Promise<PersonLimits>;
    /** @param etag the entity tag of the limits on which the change is based. */
    readonly change: (
      id: string,
      change: Pick<PersonLimits, 'limits'>,
      etag: string,
    ) => Promise<PersonLimits>;
  };
  /** Returns the unrevoked API keys that the person created. */
  readonly keysOf: (person: Person) => Promise<readonly ApiKey[]>;
  readonly remove: (id: string, keys: 'keep' | 'disable') => Promise<unknown>;
  readonly resetLink: (id: string) => Promise<OneTime>;
  readonly invite: (invitee: Invitee, idempotencyKey: string) => Promise<NewInvitation>;
  readonly takeInvitationBack: (id: string) => Promise<unknown>;
  /**
   * Actions for administrators, who see the people of all accounts; null on the page of an account.
   */
  readonly everywhere: {
    readonly removeTotp: (id: string) => Promise<unknown>;
    readonly AccountLink: ComponentType<{ readonly id: string; readonly name: string }>;
    readonly AccountName: ComponentType<{ readonly id: string }>;
    readonly AccountSelect: ComponentType<AccountField>;
  } | null;
};

const PeopleApiContext = createContext<PeopleApi | null>(null);

export const PeopleApiProvider = PeopleApiContext.Provider;

export function usePeopleApi(): PeopleApi {
  const api = useContext(PeopleApiContext);
  if (api === null) throw new Error('usePeopleApi must be called within a PeopleApiProvider');
  return api;
}

/** Returns a function that refreshes people and invitations after a change. */
export function usePeopleChanged(): () => Promise<void> {
  const queries = useQueryClient();
  const { queryKeys } = usePeopleApi();
  return async () => {
    await Promise.all(queryKeys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
}

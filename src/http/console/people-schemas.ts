/** The request and response bodies of the routes for people and invitations. */
import * as z from 'zod';
import { KEY, MEMBER_BUDGET } from '../caller/account-body.ts';
import { cap } from '../caller/keys/key-schemas.ts';
import { count, etag, page, time } from '../edge/answer-schema.ts';
import { id, name, PAGE_QUERY, search } from '../edge/request-schema.ts';
import { email, PERSON, role } from './session-schemas.ts';

const limitsEtag = etag.meta({
  description:
    'The entity tag of the spending limits. Send it in `If-Match` to change them only if nobody changed them meanwhile.',
});
export const MEMBER = PERSON.omit({ totp_required: true })
  .extend({
    other_accounts: count.nullable().meta({
      description: 'The number of other accounts of the person; null: only administrators see it.',
    }),
    created_at: time,
    /** When the person was last active, to the minute; null if the person has no session. */
    last_seen_at: time.nullable(),
    etag,
    ...MEMBER_BUDGET.shape,
    limits_etag: limitsEtag,
  })
  .meta({ id: 'Member' });
export const MEMBERS = page(MEMBER);
/** The spending limits of a person in an account. They stay when the person is removed. */
export const MEMBER_LIMITS = z
  .strictObject({
    id: z.string().meta({ description: 'The id of the person.' }),
    name: z.string().nullable().meta({
      description:
        'The name of the person; null: they were removed, but still have API keys or limits in the account.',
    }),
    ...MEMBER_BUDGET.shape,
    etag: limitsEtag,
  })
  .meta({ id: 'PersonLimits' });
export const MEMBER_LIMITS_CHANGE = z
  .strictObject({
    limits: z.strictObject({
      spend: z.strictObject({ day: cap, week: cap, month: cap }).meta({
        description: 'The new limits. Null removes a limit; a limit that is left out stays.',
      }),
    }),
  })
  .meta({ id: 'MemberLimitsChange' });
export const MEMBER_CHANGE = z.strictObject({ role });
export const REMOVED = z.strictObject({ id: z.string(), removed: z.boolean() });

/** The choice for the keys that a removed person created: to keep or to disable them. */
export const REMOVAL_QUERY = z.strictObject({
  keys: z.enum(['keep', 'disable'], { error: 'must be keep or disable' }).optional().meta({
    description:
      '`disable` disables the API keys that the person created; `keep` (default) keeps them.',
  }),
});
export const REMOVED_PERSON = REMOVED.extend({
  keys: z.array(KEY.pick({ id: true, name: true, masked: true, status: true })).meta({
    description: 'The unrevoked API keys that the person created. They belong to the account.',
  }),
});

/** A link that works once and is shown once. Anyone who has the link can use it. */
export const ONE_TIME_LINK = z
  .strictObject({
    url: z.string(),
    expires_at: time,
    emailed_to: z.string().nullable().meta({
      description: 'The address to which the link was also emailed; null: it was not emailed.',
    }),
  })
  .meta({ id: 'OneTimeLink' });

export const INVITATION = z
  .strictObject({
    id: z.string(),
    /** The invited address; null if anyone who has the link can accept. */
    email: z.string().nullable(),
    role,
    /** The account to join; null if it is created when the invitation is accepted. */
    account_id: z.string().nullable(),
    account_name: z.string(),
    state: z.enum(['open', 'accepted', 'expired']),
    created_at: time,
    expires_at: time,
    /** The id of the person who sent the invitation, or `admin` for the administrator's token. */
    invited_by: z.string(),
  })
  .meta({ id: 'Invitation' });
export const INVITATIONS = page(INVITATION);
export const NEW_INVITATION_ANSWER = z
  .strictObject({ ...INVITATION.shape, ...ONE_TIME_LINK.shape })
  .meta({ id: 'NewInvitation' });
export const NEW_INVITATION = z.strictObject({
  role,
  /** The only address that can accept the invitation; null or omitted to allow any address. */
  email: email.nullish(),
});

/** An invitation by an administrator, which also names an existing account or a new one. */
export const NEW_ADMIN_INVITATION = z.strictObject({
  ...NEW_INVITATION.shape,
  account_id: id.optional(),
  account_name: name.optional(),
});
export const MEMBERS_QUERY = PAGE_QUERY.extend({ search: search.optional() });
export const PEOPLE_QUERY = z.strictObject({
  ...MEMBERS_QUERY.shape,
  account_id: id.optional(),
  email: email.optional(),
});
/** Owners send no account, since they can change only the people of their own account. */
export const OWN_PLACE = z.strictObject({});
export const PERSON_PLACE = z.strictObject({
  /**
   * The account in which the person is changed, removed or limited; by default their main account.
   */
  account_id: id.optional(),
});
export const PERSON_CHANGE = z.strictObject({
  role: role.optional(),
  /** The id of the account that becomes the person's main account. */
  account_id: id.optional(),
});

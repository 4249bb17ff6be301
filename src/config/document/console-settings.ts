/** The setting `console`: the public pages, who may sign in to the console, and how. */
import * as z from 'zod';
import { isPrivateHost } from '../address.ts';
import { baseUrl, type Immutable, parsed, secret, secretOf, sessionTime, text } from '../values.ts';
import { built } from './on-demand.ts';

const MAX_NAME_CHARS = 40;
/** The maximum number of domains, and of values of a claim. No company needs more. */
const MAX_ENTRIES = 100;

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/**
 * Parses a list of domains, such as `example.com, example.org`. Returns null if one of them is
 * invalid, or if there are too many.
 */
function parseDomains(given: string): readonly string[] | null {
  const domains = given.toLowerCase().split(/[\s,]+/);
  const areDomains = domains.every((domain) => DOMAIN.test(domain));
  return areDomains && domains.length <= MAX_ENTRIES ? domains : null;
}

/**
 * Parses OAuth scopes. Returns null if they are invalid or do not contain `openid`, which requests
 * the ID token (OpenID Connect Core 1.0, 3.1.2.1).
 */
function parseScopes(given: string): string | null {
  const scopes = given.trim().split(/\s+/);
  const areScopes = scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  return areScopes && scopes.includes('openid') ? scopes.join(' ') : null;
}

/** Parses the values of a claim, such as `admins, operators`; null if there are too many. */
function parseValues(given: string): readonly string[] | null {
  const values = given.split(',').map((value) => value.trim());
  const found = values.filter((value) => value !== '');
  return found.length <= MAX_ENTRIES ? found : null;
}

const claimValues = built(() =>
  parsed(parseValues, `write at most ${MAX_ENTRIES} values, separated by commas`)
    .nullable()
    .default(null),
);

const oidc = built(() =>
  z
    .strictObject({
      /** The name of the identity provider on the button of the sign-in page. */
      name: text()
        .max(MAX_NAME_CHARS, `must have at most ${MAX_NAME_CHARS} characters`)
        .default('SSO'),
      /**
       * The issuer URL, exactly as the identity provider states it. The path of the discovery
       * document is appended to it.
       */
      issuer: baseUrl(),
      client_id: text(),
      client_secret: secret(),
      scopes: parsed(parseScopes, 'write scopes such as openid email profile').prefault(
        'openid email profile',
      ),
      /** Only people with a verified email address at one of these domains may sign in. */
      email_domains: parsed(
        parseDomains,
        `write at most ${MAX_ENTRIES} domains, such as example.com, example.org`,
      ),
      /**
       * What happens at the first sign-in of a person whom this gateway does not know. `refuse`
       * refuses the sign-in, `own_account` creates an account for the person, and `account` gives
       * access to the account in `account_id`.
       */
      new_people: z.enum(['refuse', 'own_account', 'account']).default('refuse'),
      /** The account to which `new_people: account` gives access. */
      account_id: text().nullable().default(null),
      /** The claim that decides the role at each sign-in. Null: roles are set in the gateway. */
      role_claim: text().nullable().default(null),
      /**
       * For each role, the values of the claim that give this role. If several roles match, the
       * highest one applies.
       */
      roles: z
        .strictObject({
          administrator: claimValues(),
          owner: claimValues(),
          member: claimValues(),
          read_only: claimValues(),
        })
        .prefault({}),
      /** The role of a person whose claim matches no role. `refuse` refuses the sign-in. */
      default_role: z.enum(['refuse', 'read_only', 'member', 'owner']).default('member'),
      /** Whether the identity provider may be in a private network, or without TLS. */
      allow_private: z.boolean().default(false),
    })
    .check((context) => {
      const { issuer, allow_private: allowed, role_claim: claim } = context.value;
      const { new_people: newPeople, account_id: account, roles } = context.value;
      const add = (key: string, message: string): void => {
        context.issues.push({ code: 'custom', message, input: context.value, path: [key] });
      };
      if (!allowed && isPrivateHost(new URL(issuer).hostname)) {
        add('issuer', 'is a private address; add allow_private: true if intended');
      } else if (!allowed && !issuer.toLowerCase().startsWith('https:')) {
        add('issuer', 'must be an https address');
      }
      if (newPeople === 'account' && account === null) {
        add(
          'account_id',
          'is missing: `new_people: account` needs the account that new people join',
        );
      }
      const hasRoles = Object.values(roles).some((values) => values !== null && values.length > 0);
      if (claim === null && hasRoles)
        add('role_claim', 'is missing: `roles` needs the name of the claim that has these values');
    }),
);

export type OidcSettings = Immutable<z.output<ReturnType<typeof oidc>>>;

const consoleSecret = built(() =>
  secretOf(z.string().regex(/^\S{32,}$/, 'must have at least 32 characters and no spaces')),
);

export const consoleSettings = built(() =>
  z
    .strictObject({
      /** Whether people can sign up themselves (`open`), or need an invitation (`closed`). */
      sign_up: z.enum(['closed', 'open']).default('closed'),
      /** Whether search engines may list the public pages: models, status and reference. */
      indexable: z.boolean().default(true),
      /** How long a person can be idle before the session ends. */
      session_idle: sessionTime().prefault('12h'),
      /** The maximum length of a session, even if the person is active. */
      session_max: sessionTime().prefault('7d'),
      /** Whether administrators must set up two-factor authentication before anything else. */
      require_totp: z.boolean().default(false),
      /** Whether people can sign up and sign in with passwords. One-time links always work. */
      password_sign_in: z.boolean().default(true),
      /** Whether people can add and use passkeys. Turning this off deletes no passkeys. */
      passkeys: z.boolean().default(true),
      /** The identity provider through which people sign in (OpenID Connect). */
      oidc: oidc().optional(),
      /**
       * The console key, which signs cookies and encrypts stored data, such as authenticators'
       * secrets. Null means the key in the file `console.key`.
       */
      secret: consoleSecret().nullable().default(null),
    })
    .check((context) => {
      if (context.value.password_sign_in || context.value.oidc !== undefined) return;
      const message = 'is false, but there is no oidc: nobody could sign in';
      context.issues.push({
        code: 'custom',
        message,
        input: context.value,
        path: ['password_sign_in'],
      });
    }),
);

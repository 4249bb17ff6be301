/**
 * How better-auth is set up: what of it is used, where it keeps its rows, and what it must not do. Nothing
 * but this file and `auth.ts` knows it.
 */
import type { BetterAuthOptions } from 'better-auth';
import { createAdapterFactory } from 'better-auth/adapters';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { type Clock, newId } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { authStore } from './auth-store.ts';
import type { PasswordHasher } from './password.ts';
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from './password.ts';
import { COOKIE_PREFIX } from './session-cookie.ts';

/** Where somebody is, on the way through better-auth to their session's row. */
export const ADDRESS_HEADER = 'x-modelgate-address';
/** Between the password and the code. */
const SECOND_STEP_SECONDS = 600;

export type AuthDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  /** Signs cookies and encrypts what authenticators share; the same on every node. */
  readonly secret: Secret;
  readonly publicUrl: string;
  /** How long a session lives at most. */
  readonly sessionMaxMs: number;
};

export function authSettings(deps: AuthDeps) {
  const { clock, hasher, secret, publicUrl, sessionMaxMs } = deps;
  return {
    appName: 'Modelgate',
    baseURL: publicUrl,
    // In this form the environment has no say in it.
    secrets: [{ version: 1, value: secret.reveal() }],
    trustedOrigins: [publicUrl],
    database: databaseOf(deps.sql),
    telemetry: { enabled: false },
    // Refusals are answered and faults are thrown; neither is for better-auth to print.
    logger: { disabled: true },
    // Counted by `SignInGuard`, since only its own routes are counted there.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_CHARS,
      maxPasswordLength: MAX_PASSWORD_CHARS,
      password: {
        hash: (password: string) => hasher.hash(password),
        verify: ({ password, hash }: { password: string; hash: string }) =>
          hasher.verify(password, hash),
      },
    },
    session: {
      ...TABLES.session,
      expiresIn: Math.floor(sessionMaxMs / 1_000),
      // It ends when it ends; that it is used keeps it from idling out, which `Sessions` looks after.
      disableSessionRefresh: true,
    },
    user: TABLES.user,
    account: TABLES.account,
    verification: TABLES.verification,
    databaseHooks: {
      session: {
        create: {
          before: async (
            session: Readonly<Record<string, unknown>>,
            context: { readonly headers?: Headers | undefined } | null,
          ) => ({
            data: { ...session, ipAddress: context?.headers?.get(ADDRESS_HEADER) ?? '' },
          }),
        },
      },
    },
    plugins: [secondStep()],
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: publicUrl.startsWith('https:'),
      // The console asks for everything by itself, so no link from elsewhere need bring the cookie.
      defaultCookieAttributes: { sameSite: 'strict' as const, httpOnly: true, path: '/' },
      database: {
        generateId: ({ model }: { model: string }) => newId(clock, PREFIXES[model] ?? 'aut'),
      },
      // It would keep a network where we know the address, and make one up where we do not.
      ipAddress: { disableIpTracking: true },
    },
  } satisfies BetterAuthOptions;
}

/** Where each thing of better-auth's is kept. */
const TABLES = {
  session: {
    modelName: 'session',
    fields: {
      userId: 'person_id',
      token: 'token_hash',
      ipAddress: 'address',
      userAgent: 'user_agent',
      createdAt: 'created_at_ms',
      updatedAt: 'seen_at_ms',
      expiresAt: 'expires_at_ms',
    },
  },
  user: {
    modelName: 'person',
    fields: {
      emailVerified: 'email_verified',
      createdAt: 'created_at_ms',
      updatedAt: 'updated_at_ms',
    },
  },
  account: {
    modelName: 'credential',
    fields: {
      userId: 'person_id',
      accountId: 'subject',
      providerId: 'provider',
      password: 'password_hash',
      createdAt: 'created_at_ms',
      updatedAt: 'updated_at_ms',
    },
  },
  verification: {
    modelName: 'verification',
    fields: {
      createdAt: 'created_at_ms',
      updatedAt: 'updated_at_ms',
      expiresAt: 'expires_at_ms',
    },
  },
};

/** What ids of each begin with. */
const PREFIXES: Readonly<Record<string, string>> = {
  user: 'usr',
  session: 'ses',
  account: 'crd',
  verification: 'ver',
  twoFactor: 'otp',
};

const secondStep = () =>
  twoFactor({
    issuer: 'Modelgate',
    twoFactorCookieMaxAge: SECOND_STEP_SECONDS,
    otpOptions: {},
    backupCodeOptions: { storeBackupCodes: 'encrypted' },
    schema: {
      user: { fields: { twoFactorEnabled: 'totp_enabled' } },
      twoFactor: {
        modelName: 'totp',
        fields: {
          backupCodes: 'recovery_codes',
          userId: 'person_id',
          failedVerificationCount: 'failures',
          lockedUntil: 'locked_until_ms',
        },
      },
    },
  });

function databaseOf(sql: SqlExecutor) {
  const store = authStore(sql);
  // better-auth names the row's type, and the columns above are the promise that a row has it.
  const as = <Row>(row: unknown): Row => row as Row;
  return createAdapterFactory({
    config: {
      adapterId: 'modelgate',
      supportsJSON: false,
      customTransformOutput: ({ data, fieldAttributes }) =>
        fromStore(data, String(fieldAttributes.type)),
    },
    adapter: ({ getFieldName }) => ({
      create: async ({ model, data }) => as(await store.create(model, data)),
      findOne: async ({ model, where }) =>
        as((await store.findMany(model, where, { limit: 1 }))[0] ?? null),
      findMany: async ({ model, where = [], limit, offset, sortBy }) => {
        // The one place where a field still has better-auth's own name.
        const order = sortBy && { ...sortBy, field: getFieldName({ model, field: sortBy.field }) };
        return as(await store.findMany(model, where, { limit, offset, sortBy: order }));
      },
      update: async ({ model, where, update }) =>
        as((await store.update(model, where, { set: Object(update) }))[0] ?? null),
      updateMany: async ({ model, where, update }) =>
        (await store.update(model, where, { set: update })).length,
      incrementOne: async ({ model, where, increment, set = {} }) =>
        as((await store.update(model, where, { set, increment }))[0] ?? null),
      delete: async ({ model, where }) => void (await store.remove(model, where)),
      deleteMany: async ({ model, where }) => (await store.remove(model, where)).length,
      consumeOne: async ({ model, where }) => as((await store.remove(model, where, 1))[0] ?? null),
      count: async ({ model, where = [] }) => await store.count(model, where),
    }),
  });
}

function fromStore(value: unknown, type: string): unknown {
  if (typeof value !== 'bigint') return value;
  switch (type) {
    case 'boolean':
      return value !== 0n;
    case 'date':
      return new Date(Number(value));
    default:
      return Number(value);
  }
}

/**
 * Converts the users of one-api and new-api to accounts, and their tokens to keys. Has no side
 * effects.
 */
import { hash } from 'node:crypto';
import { formOf } from '../../accounts/foreign-keys.ts';
import { type IpRange, parseRange } from '../../accounts/limits/ip-range.ts';
import type { LimitsChange } from '../../accounts/limits/limits.ts';
import { formatAmount, type NanoAmount, nano } from '../../money/amount.ts';
import { normalizedEmail } from '../../people/email.ts';
import { amountOf, dividedBy, type Exact, wholeNumber } from '../exact.ts';
import type { Left, MovedAccount, MovedCredit, MovedKey, MovedPerson } from '../move-in.ts';
import { isTrue, type SourceRow, shownName, textIn, wholeIn } from '../source-tables.ts';
import { isDeleted, type OneApi } from './one-api-tables.ts';

/** The gateway's maximum number of models, and of address ranges, in the limits of a key. */
const MAX_LISTED = 100;
const MAX_MODEL_CHARS = 200;
/** The maximum amount of one credit, in nano-USD. */
const MAX_CREDIT = 10_000_000n * 1_000_000_000n;
/** The maximum cap of a key, in nano-USD. */
const MAX_CAP = 1_000_000_000n * 1_000_000_000n;
const MAX_KEYS = 1_000;
const BCRYPT = /^\$2[aby]\$\d\d\$[./0-9A-Za-z]{53}$/;
/** Columns of one-api and new-api that contain a user's id at another sign-in service. */
const SERVICES = /^(?:github|wechat|lark|oidc|telegram|discord|linux_do)_id$/;
const ADMINISTRATOR = 10n;
const ENABLED = 1n;
const DELETED_USER = 3n;

export type OneApiAccounts = {
  readonly accounts: readonly MovedAccount[];
  readonly left: readonly Left[];
};

/** The conversion of quota to money, and of groups to price lists. It is the same for all users. */
export type OneApiMoney = {
  /** How many units of quota are one USD. */
  readonly quotaPerUnit: Exact;
  /**
   * The name of each group's price list, by group. A group that pays the public prices is absent.
   */
  readonly lists: ReadonlyMap<string, string>;
};

export function oneApiAccounts(source: OneApi, money: OneApiMoney): OneApiAccounts {
  const left: Left[] = [];
  const tokens = Map.groupBy(source.tokens, (token) => textIn(token, 'user_id'));
  const emails = new Set<string>();
  const accounts = source.users.flatMap((user) => {
    const own = tokens.get(textIn(user, 'id')) ?? [];
    tokens.delete(textIn(user, 'id'));
    const name = shownName(textIn(user, 'display_name') || textIn(user, 'username'), refOf(user));
    if (isDeleted(user) || wholeIn(user, 'status') === DELETED_USER) {
      left.push({ what: 'user', name, reason: 'The user is deleted.' });
      if (own.length > 0)
        left.push(...own.map((token) => leftToken(token, 'Its user is deleted.')));
      return [];
    }
    return [accountOf(user, name, own, { money, left, emails })];
  });
  for (const orphans of tokens.values())
    left.push(...orphans.map((token) => leftToken(token, 'Its user does not exist.')));
  return { accounts, left };
}

type Reading = {
  readonly money: OneApiMoney;
  readonly left: Left[];
  /**
   * The email addresses of the users read so far, because two people of this gateway cannot have
   * the same address.
   */
  readonly emails: Set<string>;
};

function accountOf(
  user: SourceRow,
  name: string,
  tokens: readonly SourceRow[],
  reading: Reading,
): MovedAccount {
  const { money, left } = reading;
  const group = textIn(user, 'group') || 'default';
  if (wholeIn(user, 'role', 1n) >= ADMINISTRATOR)
    left.push({
      ...{ what: 'administrator', name },
      reason:
        'Imported as the owner of an account. Give them the administrator role in the console.',
    });
  left.push(...leftOfUser(user, name, money));
  const keys = tokens.flatMap((token) => keyOf(token, group, reading));
  const reason = `An account has at most ${MAX_KEYS} keys.`;
  left.push(...keys.slice(MAX_KEYS).map((key) => ({ what: 'token', name: key.name, reason })));
  return {
    ref: refOf(user),
    earlierRef: refOf(user) === plainRefOf(user) ? null : plainRefOf(user),
    name,
    suspended: wholeIn(user, 'status', ENABLED) !== ENABLED,
    priceList: money.lists.get(group) ?? null,
    limits: {},
    people: peopleOf(user, name, reading),
    keys: keys.slice(0, MAX_KEYS),
    credits: creditsOf(user, name, reading),
  };
}

/**
 * Returns the parts of a user that do not move, for the report: other ways to sign in, and
 * invitation rewards.
 */
function leftOfUser(user: SourceRow, name: string, money: OneApiMoney): readonly Left[] {
  const services = Object.keys(user).filter(
    (column) => SERVICES.test(column) && textIn(user, column) !== '',
  );
  const rewards = wholeIn(user, 'aff_quota');
  return [
    ...services.map((column) => ({
      what: 'other sign-in',
      name: `${name}: ${column.replace('_id', '')}`,
      reason:
        'This sign-in method is not imported. People sign in by email, or through your identity provider once it is set up.',
    })),
    ...(rewards <= 0n
      ? []
      : [
          {
            what: 'invitation reward',
            name: `${name}: ${formatAmount(usdOf(rewards, money).amount)} USD`,
            reason:
              'The source has not added this reward to the balance yet. Credit it here if you owe it.',
          },
        ]),
  ];
}

/**
 * Returns the ref of a user, which identifies the user at the source and is the same in every run
 * of the import. It contains the invitation code, so that users of two installations have different
 * refs.
 */
function refOf(user: SourceRow): string {
  const code = textIn(user, 'aff_code').replaceAll(/[^0-9A-Za-z]/g, '');
  return `${plainRefOf(user)}${code === '' ? '' : `:${code.slice(0, 32)}`}`;
}

/**
 * Returns the ref (name at the source) that a user has while it has no invitation code. The source
 * creates the code on demand, so an earlier run may have imported the user under this ref.
 */
const plainRefOf = (user: SourceRow): string => `user:${textIn(user, 'id')}`;

function peopleOf(user: SourceRow, name: string, reading: Reading): readonly MovedPerson[] {
  const { left, emails } = reading;
  const written = textIn(user, 'email').trim();
  const email = emailOf(written);
  const skip = (reason: string): readonly MovedPerson[] => {
    left.push({ what: 'sign-in', name, reason });
    return [];
  };
  if (written === '') return skip('The user has no email address. Invite a person to the account.');
  if (email === null) return skip('The email address is not valid.');
  if (emails.has(email)) return skip('An earlier user of the source has the same email address.');
  emails.add(email);
  const password = textIn(user, 'password');
  const passwordHash = BCRYPT.test(password) ? password : null;
  if (passwordHash === null)
    left.push({
      what: 'password',
      name,
      reason: 'It is not a bcrypt hash. Send the person a reset link (`people reset-link`).',
    });
  return [{ ref: `person:${refOf(user)}`, email, name, passwordHash }];
}

function emailOf(text: string): string | null {
  try {
    return normalizedEmail(text);
  } catch {
    return null;
  }
}

function creditsOf(user: SourceRow, name: string, reading: Reading): readonly MovedCredit[] {
  const { money, left } = reading;
  const quota = wholeIn(user, 'quota');
  const { amount, isExact } = usdOf(quota, money);
  const skip = (reason: string): readonly MovedCredit[] => {
    left.push({ what: 'balance', name: `${name}: ${formatAmount(amount)} USD`, reason });
    return [];
  };
  if (quota < 0n)
    return skip('The balance is negative and was not imported. The wallet starts at zero.');
  if (amount > MAX_CREDIT)
    return skip('The balance is above 10,000,000 USD, so it is not imported. Credit it by hand.');
  if (!isExact)
    left.push({
      what: 'balance',
      name,
      reason: 'The balance was rounded by less than a billionth of a USD.',
    });
  return amount === 0n ? [] : [{ ref: `balance:${refOf(user)}`, currency: 'USD', amount }];
}

const usdOf = (quota: bigint, { quotaPerUnit }: OneApiMoney) =>
  amountOf(dividedBy(wholeNumber(quota), quotaPerUnit));

const leftToken = (token: SourceRow, reason: string): Left => ({
  what: 'token',
  name: shownName(textIn(token, 'name'), `token ${textIn(token, 'id')}`),
  reason,
});

function keyOf(token: SourceRow, group: string, reading: Reading): readonly MovedKey[] {
  const { left } = reading;
  const skip = (reason: string): readonly MovedKey[] => {
    left.push(leftToken(token, reason));
    return [];
  };
  if (isDeleted(token)) return skip('The token is deleted.');
  const key = `sk-${textIn(token, 'key').trim()}`;
  const form = formOf(key);
  if (form === null)
    return skip('The key has characters or a length that the gateway does not allow.');
  const models = modelsOf(token);
  if (models !== null && models.length > MAX_LISTED)
    return skip(
      `The token allows more than ${MAX_LISTED} models, the most that a key can list here.`,
    );
  const ranges = rangesOf(token);
  if (ranges === null) return skip('Its list of allowed IP addresses cannot be read.');
  const ownGroup = textIn(token, 'group');
  if (ownGroup !== '' && ownGroup !== group)
    left.push(
      leftToken(
        token,
        'The key is imported, but not its own group. The key pays the prices of its account.',
      ),
    );
  const digest = hash('sha256', key, 'hex');
  const expires = wholeIn(token, 'expired_time', -1n);
  return [
    {
      ref: `key:${digest}`,
      name: shownName(textIn(token, 'name'), `token ${textIn(token, 'id')}`),
      hash: digest,
      form,
      prefix: key.slice(0, 'sk-'.length + SHOWN_CHARS),
      last4: key.slice(-SHOWN_CHARS),
      // Expired and exhausted tokens have a status of their own at the source, so their keys are
      // disabled too.
      disabled: wholeIn(token, 'status', ENABLED) !== ENABLED,
      expiresAtMs: expires < 0n ? null : Number(expires) * 1000,
      limits: limitsOf(token, models, ranges, reading),
    },
  ];
}

const SHOWN_CHARS = 4;

/** Returns the limits of a token. Its remaining quota becomes a spending cap without a period. */
function limitsOf(
  token: SourceRow,
  models: readonly string[] | null,
  ipRanges: readonly IpRange[],
  { money }: Reading,
): LimitsChange {
  const quota = wholeIn(token, 'remain_quota');
  const { amount } = usdOf(quota < 0n ? 0n : quota, money);
  const total: NanoAmount = nano(amount > MAX_CAP ? MAX_CAP : amount);
  return {
    ...(isTrue(token, 'unlimited_quota') ? {} : { spend: { total } }),
    ...(models === null ? {} : { models }),
    ...(ipRanges.length === 0 ? {} : { ipRanges }),
  };
}

const isModelName = (name: string): boolean =>
  name.length <= MAX_MODEL_CHARS && name.isWellFormed() && !name.includes('\u0000');

/**
 * Returns the models that a token may use; null if it may use all. In new-api, `model_limits`
 * applies only if `model_limits_enabled` is true.
 */
function modelsOf(token: SourceRow): readonly string[] | null {
  const isLimited = !('model_limits_enabled' in token) || isTrue(token, 'model_limits_enabled');
  const written = textIn(token, 'models') || (isLimited ? textIn(token, 'model_limits') : '');
  const models = written
    .split(',')
    .map((model) => model.trim())
    .filter((model) => model !== '');
  // If names are listed but none is valid, the result is empty, so the key may use no model.
  return models.length === 0 ? null : [...new Set(models)].filter(isModelName);
}

/** Returns the address ranges of a token. Returns null if one is invalid or there are too many. */
function rangesOf(token: SourceRow): readonly IpRange[] | null {
  const written = `${textIn(token, 'subnet')}\n${textIn(token, 'allow_ips')}`
    .split(/[\s,]+/)
    .filter((range) => range !== '');
  const ranges = [...new Set(written)].map((range) => parseRange(range));
  if (ranges.length > MAX_LISTED) return null;
  return ranges.every((range) => range !== null) ? ranges : null;
}

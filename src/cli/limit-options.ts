/** Options that set limits of keys, accounts and members, and the text output of these limits. */
import * as z from 'zod';
import { nearest } from '../config/nearest.ts';
import type { KEY } from '../http/caller/account-body.ts';
import type { AdminClient } from './admin-client.ts';
import { CliError } from './cli-error.ts';
import type { Input, Options } from './command.ts';
import { table } from './lists.ts';

/** The value of an option that removes the limit, as in `--rpm none`. */
const NONE = 'none';
const WINDOWS = ['day', 'week', 'month', 'total'] as const;
const COUNTS = {
  rpm: 'requests_per_minute',
  tpm: 'tokens_per_minute',
  concurrency: 'concurrency',
} as const;
const LISTS = { model: 'models', channel: 'channels', ip: 'ip_ranges' } as const;

/** The options for the limits of a member. The value `none` removes a limit. */
export const MEMBER_LIMIT_OPTIONS: Options = {
  'limit-day USD': 'maximum spending per day (UTC)',
  'limit-week USD': 'maximum spending per week (UTC)',
  'limit-month USD': 'maximum spending per month (UTC)',
};

export const LIMIT_OPTIONS: Options = {
  ...MEMBER_LIMIT_OPTIONS,
  'limit-total USD': 'maximum total spending',
  'rpm N': 'maximum requests per minute',
  'tpm N': 'maximum tokens per minute',
  'concurrency N': 'maximum concurrent requests',
  'model ID,ID': 'allow only these models',
  'channel NAME,NAME': 'allow only these channels',
  'ip RANGE,RANGE':
    'allow requests only from these IP addresses (the value `none` removes this or any other limit)',
};

/**
 * Returns the field `limits` of a request body, built from the options that were given.
 * @throws CliError `usage`.
 */
export function limitsOf(input: Input): { readonly limits?: Readonly<Record<string, unknown>> } {
  const limits: Record<string, unknown> = {};
  const spend: Record<string, string | null> = {};
  for (const window of WINDOWS) {
    const cap = input.text(`limit-${window}`);
    if (cap !== null) spend[window] = cap === NONE ? null : capOf(`limit-${window}`, cap);
  }
  if (Object.keys(spend).length > 0) limits['spend'] = spend;
  for (const [option, field] of Object.entries(COUNTS)) {
    const count = input.text(option);
    if (count !== null) limits[field] = count === NONE ? null : countOf(option, count);
  }
  for (const [option, field] of Object.entries(LISTS)) {
    const list = input.text(option);
    if (list !== null)
      limits[field] = list === NONE ? null : list.split(',').map((it) => it.trim());
  }
  return Object.keys(limits).length === 0 ? {} : { limits };
}

const CONFIGURED = z.object({
  document: z.object({ models: z.record(z.string(), z.unknown()).default({}) }),
});

/**
 * Returns a note about models in the limits that are not sold, or an empty text. The server accepts
 * them, because models can be added later, but they may be typing mistakes.
 */
export async function unsoldNote(
  connect: () => Promise<Pick<AdminClient, 'call'>>,
  { limits }: ReturnType<typeof limitsOf>,
): Promise<string> {
  const named: unknown = limits?.['models'];
  if (!Array.isArray(named)) return '';
  const client = await connect();
  const { document } = await client.call({ method: 'GET', path: '/config' }, CONFIGURED);
  const sold = Object.keys(document.models);
  const lines = named
    .map(String)
    .filter((model) => !sold.includes(model))
    .map((model) => {
      const near = nearest(model, sold);
      const hint = near === null ? '' : ` Did you mean ${JSON.stringify(near)}?`;
      return `Note: no model ${JSON.stringify(model)} is sold now.${hint}`;
    });
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`;
}

/**
 * Validates a cap. The server validates it too, but the server's error does not name the option.
 */
function capOf(option: string, text: string): string {
  if (/^\d+(?:\.\d{1,9})?$/.test(text)) return text;
  throw new CliError('usage', `--${option} must be an amount of USD such as 5.00, or ${NONE}.`);
}

function countOf(option: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new CliError('usage', `--${option} must be a whole number above zero, or ${NONE}.`);
}

type Spend = z.infer<typeof KEY>['spend'];
/** The limits of a key, an account or a member. A member has no cap `total`. */
type Limited = {
  readonly limits: { readonly spend: { readonly [Window in keyof Spend]?: string | null } };
  readonly spend: Partial<Spend>;
};

/**
 * Formats limits as text: a table with the spending in each period, and one line for each other
 * limit that is set.
 */
export function limitsText({ limits, spend }: Limited): string {
  const rows = WINDOWS.flatMap((window) => {
    const spending = spend[window];
    if (spending === undefined) return [];
    const { spent, remaining } = spending;
    return [[window, spent, limits.spend[window] ?? NONE, remaining ?? 'unlimited']];
  });
  const others = Object.entries(limits)
    .filter(([field, value]) => field !== 'spend' && value !== null)
    .map(
      ([field, value]) => `${field}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
    );
  return [table(['usd', 'spent', 'limit', 'remaining'], rows), ...others].join('\n');
}

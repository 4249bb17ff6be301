/**
 * The words of each letter, in English and Chinese. `brand` is the operator's name for the product.
 */
import type { Language, Words } from './letter.ts';
import type { Said } from './mailer.ts';

type Both = Readonly<Record<Language, Words>>;

/** Formats a time in a form that suits letters in both languages. */
export const timeIn = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const IGNORE = {
  en: 'If you did not expect this email, ignore it.',
  zh: '如果您不清楚为何收到此邮件，请忽略。',
} as const;
const WORKS_UNTIL = {
  en: (untilMs: number) => `The link works once, until ${timeIn(untilMs)}. ${IGNORE.en}`,
  zh: (untilMs: number) => `链接仅可使用一次，有效期至 ${timeIn(untilMs)}。${IGNORE.zh}`,
} as const;

/** Removes trailing zeros from a decimal, but leaves at least two decimal places. */
export const moneyIn = (amount: string): string => amount.replace(/(\.\d\d\d*?)0+$/, '$1');

export type LinkIn = { readonly url: string; readonly expiresAtMs: number };

/** The words of the test email that the console sends. */
export const testWords: Said = (brand) => ({
  en: {
    subject: `Test email from ${brand}`,
    paragraphs: ['This is a test email. The mail server works.'],
  },
  zh: {
    subject: `来自 ${brand} 的测试邮件`,
    paragraphs: ['这是一封测试邮件，邮件服务器工作正常。'],
  },
});

/** @param account the name of the account to join; null if the person gets a new account. */
export const invitationWords =
  ({ url, expiresAtMs }: LinkIn, account: string | null): Said =>
  (brand): Both => ({
    en: {
      subject: account === null ? `Your invitation to ${brand}` : `Join ${account} on ${brand}`,
      paragraphs: [
        account === null
          ? `You are invited to open an account on ${brand}.`
          : `You are invited to join the account “${account}” on ${brand}.`,
      ],
      button: { label: 'Accept the invitation', url },
      notes: [WORKS_UNTIL.en(expiresAtMs)],
    },
    zh: {
      subject: account === null ? `${brand} 邀请` : `加入 ${brand} 上的“${account}”`,
      paragraphs: [
        account === null
          ? `您受邀在 ${brand} 开设账户。`
          : `您受邀加入 ${brand} 上的账户“${account}”。`,
      ],
      button: { label: '接受邀请', url },
      notes: [WORKS_UNTIL.zh(expiresAtMs)],
    },
  });

export const resetWords =
  ({ url, expiresAtMs }: LinkIn): Said =>
  (brand): Both => ({
    en: {
      subject: `Reset your password for ${brand}`,
      paragraphs: [`Set a new password for ${brand} with this link.`],
      button: { label: 'Set a new password', url },
      notes: [WORKS_UNTIL.en(expiresAtMs)],
    },
    zh: {
      subject: `重置您的 ${brand} 密码`,
      paragraphs: [`请使用以下链接为 ${brand} 设置新密码。`],
      button: { label: '设置新密码', url },
      notes: [WORKS_UNTIL.zh(expiresAtMs)],
    },
  });

export const signUpWords =
  ({ url, expiresAtMs }: LinkIn): Said =>
  (brand): Both => ({
    en: {
      subject: `Confirm your email address for ${brand}`,
      paragraphs: [`Confirm your address, and open your account on ${brand}.`],
      button: { label: 'Open the account', url },
      notes: [WORKS_UNTIL.en(expiresAtMs)],
    },
    zh: {
      subject: `确认您的 ${brand} 邮箱地址`,
      paragraphs: [`请确认您的邮箱地址，并在 ${brand} 开设账户。`],
      button: { label: '开设账户', url },
      notes: [WORKS_UNTIL.zh(expiresAtMs)],
    },
  });

/**
 * The words of the letter that is sent after a sign-up with an address that already has an account.
 */
export const knownAddressWords =
  (signInUrl: string): Said =>
  (brand): Both => ({
    en: {
      subject: `You have an account on ${brand}`,
      paragraphs: [
        `Somebody asked to open an account on ${brand} with this email address, which already has an account.`,
        'Sign in, or reset your password on the sign-in page.',
      ],
      button: { label: 'Sign in', url: signInUrl },
      notes: [IGNORE.en],
    },
    zh: {
      subject: `您在 ${brand} 已有账户`,
      paragraphs: [
        `有人用此邮箱地址在 ${brand} 注册，但该地址已有账户。`,
        '请直接登录，或在登录页面重置密码。',
      ],
      button: { label: '登录', url: signInUrl },
      notes: [IGNORE.zh],
    },
  });

export type ToppedUp = {
  readonly account: string;
  readonly amount: string;
  /** The bonus that is credited in addition to the amount; null for none. */
  readonly bonus: string | null;
  readonly currency: string;
  readonly source: 'card_payment' | 'redeem_code';
  /** The id of the payment order, or the first characters of the redeem code's hash. */
  readonly reference: string;
  readonly atMs: number;
};

const SOURCES = {
  en: { card_payment: 'Card payment', redeem_code: 'Redeem code' },
  zh: { card_payment: '银行卡付款', redeem_code: '兑换码' },
} as const;

export const receiptWords =
  ({ account, currency, source, reference, atMs, ...paid }: ToppedUp, billingUrl: string): Said =>
  (brand): Both => {
    const amount = moneyIn(paid.amount);
    const bonus = paid.bonus === null ? null : `${moneyIn(paid.bonus)} ${currency}`;
    const and =
      bonus === null
        ? { en: '', zh: '' }
        : { en: ` and a bonus of ${bonus}`, zh: `，并获赠 ${bonus}` };
    return {
      en: {
        subject: `Receipt from ${brand}: ${amount} ${currency}`,
        paragraphs: [`${amount} ${currency}${and.en} were added to the balance of “${account}”.`],
        facts: [
          ['Amount', `${amount} ${currency}`],
          ...(bonus === null ? [] : [['Bonus', bonus] as const]),
          ['Paid by', SOURCES.en[source]],
          ['Reference', reference],
          ['Time', timeIn(atMs)],
        ],
        button: { label: 'Open billing', url: billingUrl },
      },
      zh: {
        subject: `${brand} 充值收据：${amount} ${currency}`,
        paragraphs: [`账户“${account}”的余额已增加 ${amount} ${currency}${and.zh}。`],
        facts: [
          ['金额', `${amount} ${currency}`],
          ...(bonus === null ? [] : [['赠送', bonus] as const]),
          ['方式', SOURCES.zh[source]],
          ['编号', reference],
          ['时间', timeIn(atMs)],
        ],
        button: { label: '查看账单', url: billingUrl },
      },
    };
  };

export type Budget = {
  /**
   * The owner of the spending cap. A member's name is null after the member has left the account.
   */
  readonly whose:
    | { readonly kind: 'account' }
    | { readonly kind: 'key'; readonly name: string }
    | { readonly kind: 'member'; readonly name: string | null };
  readonly window: 'day' | 'week' | 'month' | 'total';
  readonly percent: number;
  readonly spent: string;
  readonly cap: string;
};

const CAPS = {
  en: { day: 'Daily limit', week: 'Weekly limit', month: 'Monthly limit', total: 'Total limit' },
  zh: { day: '每日上限', week: '每周上限', month: '每月上限', total: '总上限' },
} as const;

function ownerOf(whose: Budget['whose'], account: string): Readonly<Record<Language, string>> {
  switch (whose.kind) {
    case 'account':
      return { en: account, zh: account };
    case 'key':
      return { en: `key ${whose.name}`, zh: whose.name };
    case 'member':
      return whose.name === null
        ? { en: 'a former member', zh: '前成员' }
        : { en: `member ${whose.name}`, zh: `成员 ${whose.name}` };
  }
}

export const budgetWords =
  ({ whose: of, window, percent, ...amounts }: Budget, url: string) =>
  (account: string): Said =>
  (brand): Both => {
    const [spent, cap] = [`${moneyIn(amounts.spent)} USD`, `${moneyIn(amounts.cap)} USD`];
    const whose = ownerOf(of, account);
    return {
      en: {
        subject: `${brand}: ${percent}% of a spending limit is used (${whose.en})`,
        paragraphs: [
          percent >= 100
            ? `A spending limit of ${whose.en} is reached. Further requests are refused until the limit resets or is raised.`
            : `${percent}% of a spending limit of ${whose.en} is used.`,
        ],
        facts: [
          ['Account', account],
          [CAPS.en[window], cap],
          ['Spent', spent],
        ],
        button: { label: 'Open the console', url },
        notes: [STOP.en],
      },
      zh: {
        subject: `${brand}：消费上限已使用 ${percent}%（${whose.zh}）`,
        paragraphs: [
          percent >= 100
            ? `“${whose.zh}”已达到消费上限。在上限重置或提高之前，请求会被拒绝。`
            : `“${whose.zh}”的消费上限已使用 ${percent}%。`,
        ],
        facts: [
          ['账户', account],
          [CAPS.zh[window], cap],
          ['已消费', spent],
        ],
        button: { label: '打开控制台', url },
        notes: [STOP.zh],
      },
    };
  };

const STOP = {
  en: 'You can turn these emails off in the console under Billing, Alerts.',
  zh: '您可以在控制台的“账单”>“提醒”中关闭这些邮件。',
} as const;

export const expiringWords =
  ({ key, endsAtMs }: { readonly key: string; readonly endsAtMs: number }, url: string) =>
  (account: string): Said =>
  (brand): Both => ({
    en: {
      subject: `${brand}: the key ${key} expires soon`,
      paragraphs: [`The API key “${key}” of “${account}” expires on ${timeIn(endsAtMs)}.`],
      button: { label: 'Open the keys', url },
      notes: [STOP.en],
    },
    zh: {
      subject: `${brand}：密钥 ${key} 即将到期`,
      paragraphs: [`账户“${account}”的 API 密钥“${key}”将于 ${timeIn(endsAtMs)} 到期。`],
      button: { label: '查看密钥', url },
      notes: [STOP.zh],
    },
  });

export type LowWallet = {
  readonly currency: string;
  readonly available: string;
  readonly threshold: string;
};

export const lowBalanceWords =
  ({ currency, ...amounts }: LowWallet, url: string) =>
  (account: string): Said =>
  (brand): Both => {
    const available = `${moneyIn(amounts.available)} ${currency}`;
    const threshold = `${moneyIn(amounts.threshold)} ${currency}`;
    return {
      en: {
        subject: `${brand}: the balance of ${account} is low`,
        paragraphs: [`The balance of “${account}” fell below ${threshold}. Top up to continue.`],
        facts: [['Available', available]],
        button: { label: 'Top up', url },
        notes: [STOP.en],
      },
      zh: {
        subject: `${brand}：${account} 余额不足`,
        paragraphs: [`账户“${account}”的余额低于 ${threshold}，请及时充值。`],
        facts: [['可用余额', available]],
        button: { label: '充值', url },
        notes: [STOP.zh],
      },
    };
  };

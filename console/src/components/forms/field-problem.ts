/**
 * Translates the API's error about a field into the person's language. The API's message is the
 * field's name and an English sentence, such as `reason must be text of 1 to 500 characters.`
 */
import { ApiError } from '#api/api-error.ts';
import { defineTexts, type TextKey, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('field-problem', {
  en: {
    required: 'Enter a value.',
    length: 'Enter {{a}} to {{b}} characters.',
    atMost: 'Enter at most {{a}} characters.',
    storable: 'Remove control characters and incomplete emoji.',
    visible: 'Enter a name without line breaks or invisible characters.',
    whole: 'Enter a whole number from {{a}} to {{b}}.',
    ceiling: 'Enter at most {{a}}.',
    email: 'Enter an email address, such as ada@example.com.',
    positive: 'Enter an amount above 0 with at most nine decimals, such as 100 or 0.5.',
    amount: 'Enter an amount with at most nine decimals, such as 50 or 0.5.',
    notZero: 'Enter an amount other than 0 with at most nine decimals, such as -2.5 or 10.',
    percentage: 'Enter a percentage, such as 20.',
    day: 'Enter a date, such as 2026-11-21.',
    time: 'Enter a date and time, such as 2027-01-31T00:00:00Z.',
    duration: 'Enter a duration from 0s to 30d, such as 24h.',
    zone: 'Choose a time zone from the list, such as Asia/Shanghai.',
    range: 'Enter an IP address, or a range such as 10.0.0.0/8 or 2001:db8::/32.',
    address: 'Enter an http or https URL without a username, password, query string or fragment.',
    private:
      'This is a private address. Enter a public one, or allow private addresses if you meant it.',
    webhook: 'Enter a public https address without credentials.',
    spaces: 'Remove the spaces and line breaks.',
    code: 'Enter the code from your authenticator app, or a recovery code.',
    redeemCode: 'Enter a redeem code.',
    listed: 'Enter at most {{a}} entries.',
    oneOf: 'Choose one of: {{a}}.',
    debit: 'The credit limit lets at most {{a}} be debited.',
    buy: 'The wallet can pay for at most {{a}}.',
    lower: 'Credit is already drawn. The limit can be lowered by at most {{a}}.',
    refund: 'At most {{a}} can still be refunded for this request.',
  },
  zh: {
    required: '请填写此项。',
    length: '请输入 {{a}} 至 {{b}} 个字符。',
    atMost: '最多 {{a}} 个字符。',
    storable: '请删除控制字符和不完整的表情符号。',
    visible: '请输入不含换行和不可见字符的名称。',
    whole: '请输入 {{a}} 至 {{b}} 之间的整数。',
    ceiling: '不能超过 {{a}}。',
    email: '请输入邮箱地址，例如 ada@example.com。',
    positive: '请输入大于 0 的金额，最多九位小数，例如 100 或 0.5。',
    amount: '请输入金额，最多九位小数，例如 50 或 0.5。',
    notZero: '请输入不为 0 的金额，最多九位小数，例如 -2.5 或 10。',
    percentage: '请输入百分比，例如 20。',
    day: '请输入日期，例如 2026-11-21。',
    time: '请输入日期和时间，例如 2027-01-31T00:00:00Z。',
    duration: '请输入 0s 至 30d 之间的时长，例如 24h。',
    zone: '请选择列表中的时区，例如 Asia/Shanghai。',
    range: '请输入 IP 地址或网段，例如 10.0.0.0/8 或 2001:db8::/32。',
    address: '请输入 http 或 https 地址，不含用户名、密码、查询参数和锚点。',
    private: '这是内网地址。请填写公网地址；如确需使用，请选择允许内网地址。',
    webhook: '请输入可公开访问的 https 地址，不含账号密码。',
    spaces: '请删除空格和换行。',
    code: '请输入身份验证器显示的验证码，或一个恢复码。',
    redeemCode: '请输入兑换码。',
    listed: '最多 {{a}} 项。',
    oneOf: '请选择其中之一：{{a}}。',
    debit: '受信用额度限制，最多可扣减 {{a}}。',
    buy: '钱包余额最多可买入 {{a}}。',
    lower: '信用额度已被使用，最多可调低 {{a}}。',
    refund: '该请求最多还可退款 {{a}}。',
  },
});

type Key = TextKey<typeof texts>;

/**
 * Patterns of the API's sentences without the field's name, each with the key of its translation.
 * Each group captures a value that the translation contains.
 */
const SENTENCES: readonly (readonly [RegExp, Key])[] = [
  [/is required/, 'required'],
  [/must be text of ([\d,]+) to ([\d,]+) characters/, 'length'],
  [/must be text of at most ([\d,]+) characters/, 'atMost'],
  [/must be well-formed text/, 'storable'],
  [/must have visible characters/, 'visible'],
  [/must be a whole number from ([\d,]+) to ([\d,]+)/, 'whole'],
  [/must be at most ([\d,.]+)(?:;|\.?$)/, 'ceiling'],
  [/must be an email address/, 'email'],
  [/must be a positive decimal/, 'positive'],
  [/must be a decimal string other than zero/, 'notZero'],
  [/must be (?:a decimal|an amount)/, 'amount'],
  [/must be a percentage/, 'percentage'],
  [/must be a (?:day|date(?! such as \S+ or))/, 'day'],
  [/must be a (?:time such|date)/, 'time'],
  [/must be a duration from 0s to 30d/, 'duration'],
  [/must be a time zone/, 'zone'],
  [/must be a range/, 'range'],
  [/must be an http or https address/, 'address'],
  [/is a private address/, 'private'],
  [/must be a public https address/, 'webhook'],
  [/must not contain spaces/, 'spaces'],
  [/must be the code shown/, 'code'],
  [/must be the text of a redeem code/, 'redeemCode'],
  [/must be a list of at most ([\d,]+)/, 'listed'],
  [/at most ([\d.]+ [A-Z]+) can be debited/, 'debit'],
  [/at most ([\d.]+ [A-Z]+) can be bought/, 'buy'],
  [/lowered by at most ([\d.]+ [A-Z]+)/, 'lower'],
  [/can still be refunded for this request: ([\d.]+ [A-Z]+)/, 'refund'],
  [/must be (?:one of )?((?:"?[\w-]+"?(?:, | or )?){2,}?)\.?$/, 'oneOf'],
];

/**
 * Returns the key of the translation of an API sentence, and the values in it; null for an unknown
 * sentence.
 */
export function fieldProblem(
  sentence: string,
): { readonly key: Key; readonly values: Readonly<Record<string, string>> } | null {
  for (const [pattern, key] of SENTENCES) {
    const found = pattern.exec(sentence);
    if (found === null) continue;
    const [, a = '', b = ''] = found;
    return { key, values: { a, b } };
  }
  return null;
}

/**
 * Returns a function that translates the API's error about a field. The function returns null for
 * an unknown sentence.
 */
export function useFieldProblem(): (error: Error) => string | null {
  const t = useTexts(texts);
  return (error) => {
    if (!(error instanceof ApiError) || error.param === null) return null;
    const found = fieldProblem(error.message);
    return found === null ? null : t(found.key, found.values);
  };
}

/** What to do about a refusal of the API, in the person's language, by its code. */
import { ApiError } from '../api/api-error.ts';
import { defineTexts, type Translate, useTexts } from '../i18n/texts.ts';

const texts = defineTexts('problem-codes', {
  en: {
    unreachable:
      'The gateway cannot be reached. Check your connection and try again, or ask its operator; nothing is done twice.',
    console_outdated: 'The gateway was upgraded since this page was opened. Load the page again.',
    not_signed_in: 'Your session has ended. Sign in again.',
    sign_in_failed: 'E-mail address and password do not belong together. Check both.',
    totp_required: 'This gateway wants a second step when you sign in. Set it up in your profile.',
    wrong_password: 'This is not your password. Type it again.',
    wrong_code:
      'This code is not right. Wait for the next one that your app shows, or use a recovery code that you have not used before.',
    weak_password:
      'This password would soon be guessed. Use a longer one, such as a few words that do not belong together, and not your e-mail address.',
    link_not_valid:
      'This link does not work any more: it was used, replaced or taken back, or its time is over. Ask for a new one.',
    email_taken:
      'Somebody with this address has an account here already. Sign in with it, or use another.',
    last_of_role:
      'This is the last person with that role. Give it to somebody else first, so that nobody is locked out.',
    not_allowed: 'Your role does not allow this. Ask an owner of the account or an administrator.',
    cross_origin:
      'This page is not open at the address of the console. Open the console at its own address.',
    not_found: 'There is no such thing, or it is not yours to see.',
    conflict:
      'Somebody changed this at the same time, or it is no longer as you see it. Load it again.',
    rate_limit_exceeded: 'Too many tries. Wait {{wait}}, then try again.',
    insufficient_balance: 'The balance does not cover this. Top it up first.',
    spend_limit_reached: 'A spending limit is reached. Raise it, or wait until it starts anew.',
    idempotency_in_progress: 'This is being done already. Wait a moment, then look again.',
    store_unavailable: 'The database does not answer. Nothing was changed; try again shortly.',
    upstream_failed: 'Who serves the model failed. Try again, or choose another channel or model.',
    upstream_truncated: 'The answer broke off. Try again, or choose another channel or model.',
    upstream_timeout:
      'Who serves the model did not answer in time. Try again, or choose another channel or model.',
    upstream_overloaded:
      'Who serves the model is overloaded. Wait a moment, or choose another channel or model.',
    context_length_exceeded: 'This is longer than the model can read. Shorten it.',
    content_policy_violation: 'The model refused this for its content. Word it differently.',
    shutting_down: 'The gateway is restarting. Try again in a moment.',
  },
  zh: {
    unreachable: '无法连接网关。请检查网络后重试，或联系运营者；重试不会重复执行。',
    console_outdated: '网关已升级，此页面是旧版本，请重新加载。',
    not_signed_in: '登录已失效，请重新登录。',
    sign_in_failed: '邮箱或密码不正确，请核对后重试。',
    totp_required: '本网关要求登录时进行两步验证，请先在个人资料中启用。',
    wrong_password: '密码不正确，请重新输入。',
    wrong_code: '验证码不正确。请等待应用显示下一个验证码，或使用一个未用过的恢复码。',
    weak_password:
      '这个密码太容易被猜到。请换一个更长的密码，例如几个互不相关的词，且不要使用您的邮箱地址。',
    link_not_valid: '该链接已失效：可能已被使用、替换或撤回，或已过期。请索取新的链接。',
    email_taken: '该邮箱已有账号。请直接登录，或换一个邮箱。',
    last_of_role: '这是最后一位拥有该角色的人员。请先将该角色授予他人，以免无人可以管理。',
    not_allowed: '您的角色没有此权限，请联系账户所有者或管理员。',
    cross_origin: '此页面不是在控制台自己的地址打开的，请使用控制台的地址。',
    not_found: '没有这个对象，或您无权查看。',
    conflict: '内容刚刚被他人修改，或已与您看到的不同，请重新加载。',
    rate_limit_exceeded: '尝试过于频繁，请等待 {{wait}}后再试。',
    insufficient_balance: '余额不足，请先充值。',
    spend_limit_reached: '已达到消费上限，请提高上限或等待周期重新开始。',
    idempotency_in_progress: '该操作正在进行，请稍候再查看。',
    store_unavailable: '数据库没有响应；没有任何改动，请稍后再试。',
    upstream_failed: '模型服务方出现故障。请重试，或换一个渠道或模型。',
    upstream_truncated: '回答中途断开。请重试，或换一个渠道或模型。',
    upstream_timeout: '模型服务方未在时限内响应。请重试，或换一个渠道或模型。',
    upstream_overloaded: '模型服务方负载过高。请稍候再试，或换一个渠道或模型。',
    context_length_exceeded: '内容超出模型的上下文长度，请缩短后重试。',
    content_policy_violation: '模型因内容原因拒绝了此请求，请换一种说法。',
    shutting_down: '网关正在重启，请稍后再试。',
  },
});
const waits = defineTexts('problem-waits', {
  en: {
    seconds_one: '{{count}} second',
    seconds_other: '{{count}} seconds',
    minutes_one: '{{count}} minute',
    minutes_other: '{{count}} minutes',
  },
  zh: {
    seconds_one: '{{count}} 秒',
    seconds_other: '{{count}} 秒',
    minutes_one: '{{count}} 分钟',
    minutes_other: '{{count}} 分钟',
  },
});

type Code = keyof typeof texts.en;
const isKnown = (code: string): code is Code => Object.hasOwn(texts.en, code);

/** From here on, minutes say more than seconds. */
const MINUTES_FROM_SECONDS = 120;

/** @returns what to do about a failure; null where only the API's own words tell. */
export function useProblemText(): (error: Error) => string | null {
  const t = useTexts(texts);
  const tWait = useTexts(waits);
  return (error) => {
    if (!(error instanceof ApiError) || !isKnown(error.code)) return null;
    return t(error.code, { wait: waitOf(error, tWait) });
  };
}

/** The header is capped at a minute for the sake of clients; the body says how long it really is. */
function waitOf(
  { extra, retryAfterSeconds }: ApiError,
  t: Translate<keyof typeof waits.en & string>,
): string {
  const exact = extra['retry_after_seconds'];
  const seconds = typeof exact === 'number' ? exact : (retryAfterSeconds ?? 1);
  return seconds < MINUTES_FROM_SECONDS
    ? t('seconds', { count: seconds })
    : t('minutes', { count: Math.ceil(seconds / 60) });
}

/** The remedy for each API error code, in the person's language. */
import { ApiError } from '#api/api-error.ts';
import { defineTexts, hasText, type TextKey, type Translate, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('problem-codes', {
  en: {
    unreachable:
      'Cannot reach the gateway. Check your connection and try again. Retrying is safe: no action is carried out twice.',
    proxy_refused:
      'A proxy in front of the gateway refused this request (status {{status}}). Ask the operator for help.',
    console_outdated: 'The gateway was upgraded. Reload the page.',
    not_signed_in: 'Your session has ended. Sign in again.',
    sign_in_failed: 'Incorrect email or password.',
    sign_in_again:
      'This action requires a sign-in within the last 10 minutes. Sign out, sign in again, and retry.',
    totp_required: 'This gateway requires two-factor authentication. Set it up in your profile.',
    wrong_password: 'Incorrect password. Try again.',
    wrong_code:
      'Incorrect code. Wait for the next code in your app, or use an unused recovery code.',
    passkey_failed: 'The browser could not use a passkey. Try again, or sign in another way.',
    passkey_NotAllowedError:
      'No passkey was used: the request was canceled or took too long, or this device has no passkey for this site.',
    passkey_InvalidStateError: 'This device already has a passkey for you.',
    passkey_SecurityError:
      'Passkeys do not work at this address. Open the console over HTTPS, with the host name of the gateway.',
    passkey_address:
      'Passkeys do not work at this address. Open the console over HTTPS, with the host name of the gateway.',
    passkey_off: 'Passkeys are turned off on this gateway. Sign in another way.',
    passkey_expired: 'The passkey took longer than 5 minutes. Start again.',
    passkey_unknown:
      'This passkey is not registered, or was removed. Sign in another way, then add a new passkey in your profile.',
    passkey_refused:
      'The passkey could not be verified. Try again. If it fails again, sign in another way and add a new passkey.',
    passkey_counter:
      'This passkey was refused, because a copy of it seems to exist. Sign in another way, remove this passkey, and add a new one.',
    weak_password:
      'This password is too easy to guess. Use a longer one, such as several unrelated words, and do not include your email address.',
    link_not_valid:
      'This link has expired, or was used, replaced or revoked. Ask the person who sent it for a new one.',
    email_taken: 'This email address is already registered. Sign in, or use another address.',
    last_of_role: 'This is the only person with this role. Give the role to someone else first.',
    not_allowed: 'Your role does not allow this action. Ask an account owner or an administrator.',
    view_is_read_only:
      'You are viewing this account as its owner sees it, and cannot change anything. To make changes, end the view first.',
    other_account: 'Your session has switched to another account. Reload the page.',
    cross_origin:
      'This page was not opened at the address of the console. Open the console at the public URL of the gateway.',
    not_found: 'This item does not exist, or you do not have access to it.',
    revision_changed: 'Somebody else keeps changing these settings. Try again in a moment.',
    rate_limit_exceeded: 'Too many requests or attempts. Try again in {{wait}}.',
    insufficient_balance: 'Insufficient balance. Top up first.',
    spend_limit_reached: 'A spending limit was reached. Raise it, or wait until it resets.',
    member_limit_reached:
      'Your spending limit in this account does not cover this request. Ask an owner to raise it, or wait until it resets.',
    one_request_at_a_time:
      'A recent answer cost more than was held for it. For now, the account runs one request at a time. Wait until the running one has finished.',
    idempotency_in_progress:
      'This request is already in progress. Wait a moment, then check the result.',
    idempotency_key_reused:
      'An earlier attempt may have succeeded, although its answer was lost. Reload the page and check before you try again.',
    store_unavailable: 'The database is not responding. Nothing was changed. Try again shortly.',
    upstream_failed: 'The provider returned an error. Try again, or pick another channel or model.',
    payment_provider_failed:
      'The payment page could not be opened. You were not charged. Try again, or redeem a code.',
    internal_error:
      'The gateway failed. Try again. If it fails again, report the request ID to the operator.',
    upstream_truncated: 'The answer was cut off. Try again, or pick another channel or model.',
    upstream_timeout:
      'The provider did not respond in time. Try again, or pick another channel or model.',
    upstream_overloaded:
      'The provider is overloaded. Wait a moment, or pick another channel or model.',
    context_length_exceeded: "The input exceeds the model's context window. Shorten the input.",
    content_policy_violation: 'The model rejected this content. Rephrase it and try again.',
    shutting_down: 'The gateway is restarting. Try again in a moment.',
    config_mismatch:
      'The prices on this gateway node differ from those on the other nodes. Try again in a moment.',
  },
  zh: {
    unreachable: '无法连接网关。请检查网络后重试，同一操作不会被执行两次。',
    proxy_refused: '网关前的代理服务器拒绝了此请求（状态码 {{status}}），请联系运营者。',
    console_outdated: '网关已升级，请刷新页面。',
    not_signed_in: '登录已失效，请重新登录。',
    sign_in_failed: '邮箱或密码错误。',
    sign_in_again: '此操作要求您在最近 10 分钟内登录过。请退出并重新登录，然后重试。',
    totp_required: '本网关要求启用两步验证，请在个人资料中设置。',
    wrong_password: '密码错误，请重新输入。',
    wrong_code: '验证码错误。请等待应用显示新的验证码，或使用一个未用过的恢复码。',
    passkey_failed: '浏览器未能使用通行密钥，请重试或换一种方式登录。',
    passkey_NotAllowedError: '未使用通行密钥：已取消、超时，或此设备上没有本站的通行密钥。',
    passkey_InvalidStateError: '此设备上已有您的通行密钥。',
    passkey_SecurityError: '此地址不支持通行密钥，请通过 HTTPS 和网关的主机名打开控制台。',
    passkey_address: '此地址不支持通行密钥，请通过 HTTPS 和网关的主机名打开控制台。',
    passkey_off: '本网关已停用通行密钥，请换一种方式登录。',
    passkey_expired: '使用通行密钥的时间超过了 5 分钟，请重新开始。',
    passkey_unknown: '此通行密钥未登记或已被移除。请换一种方式登录，再到个人资料中重新添加。',
    passkey_refused: '通行密钥验证失败。请重试；若仍失败，请换一种方式登录，并添加新的通行密钥。',
    passkey_counter:
      '此通行密钥可能存在副本，已被拒绝。请换一种方式登录，移除此通行密钥并添加新的。',
    weak_password:
      '这个密码太容易被猜到。请使用更长的密码，例如由几个互不相关的词组成，且不要使用您的邮箱地址。',
    link_not_valid: '该链接已失效：可能已过期，或已被使用、替换或撤销。请向发送者索取新的链接。',
    email_taken: '该邮箱已注册。请直接登录，或换一个邮箱。',
    last_of_role: '这是最后一位拥有该角色的成员，请先将该角色授予他人。',
    not_allowed: '您的角色没有此权限，请联系账户所有者或管理员。',
    view_is_read_only: '您正在以所有者的视角查看此账户，无法进行任何更改。如需更改，请先结束查看。',
    other_account: '当前会话已切换到其他账户，请刷新页面。',
    cross_origin: '此页面不是从控制台的地址打开的，请使用网关的公开 URL 打开控制台。',
    not_found: '该内容不存在，或您无权访问。',
    revision_changed: '其他人正在不断修改这些设置，请稍后再试。',
    rate_limit_exceeded: '请求或尝试过于频繁，请在 {{wait}}后重试。',
    insufficient_balance: '余额不足，请先充值。',
    spend_limit_reached: '已达到消费上限。请提高上限，或等待上限重置。',
    member_limit_reached:
      '您在此账户的消费上限所剩额度不足以支付此请求。请联系所有者提高上限，或等待上限重置。',
    one_request_at_a_time:
      '最近有一次请求的费用超出了预扣金额，账户暂时一次只能运行一个请求，请等待当前请求完成。',
    idempotency_in_progress: '该操作正在进行，请稍后查看结果。',
    idempotency_key_reused: '之前的一次提交可能已经成功，只是未收到结果。请刷新页面确认后再试。',
    store_unavailable: '数据库无响应，未做任何更改，请稍后重试。',
    upstream_failed: '供应商返回了错误。请重试，或换一个渠道或模型。',
    payment_provider_failed: '支付页面未能打开，您没有被扣款。请重试，或使用兑换码充值。',
    internal_error: '网关出现故障，请重试。如果再次出现，请把请求 ID 告知运营者。',
    upstream_truncated: '回答在中途中断了。请重试，或换一个渠道或模型。',
    upstream_timeout: '供应商响应超时。请重试，或换一个渠道或模型。',
    upstream_overloaded: '供应商负载过高。请稍后再试，或换一个渠道或模型。',
    context_length_exceeded: '输入超出模型的上下文窗口，请缩短后重试。',
    content_policy_violation: '模型因内容策略拒绝了此请求，请修改后重试。',
    shutting_down: '网关正在重启，请稍后再试。',
    config_mismatch: '此节点的价格与其他节点不一致，请稍后再试。',
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

/** A wait of at least this many seconds is shown in minutes. */
const MINUTES_FROM_SECONDS = 120;

/**
 * Returns a function that returns the remedy for an error. The function returns null if only the
 * API's own message explains the error.
 */
export function useProblemText(): (error: Error) => string | null {
  const t = useTexts(texts);
  const tWait = useTexts(waits);
  return (error) => {
    if (!(error instanceof ApiError)) return null;
    const known = [reasonOf(error), error.code].find((code) => hasText(texts, code));
    return known === undefined
      ? null
      : t(known, { wait: waitOf(error, tWait), status: error.status });
  };
}

/** Returns the key of the error's text: the error code or, for some errors, a more precise key. */
function reasonOf({ code, extra }: ApiError): string {
  if (code === 'passkey_failed') return `passkey_${String(extra['reason'])}`;
  return String(extra['limit']).startsWith('member_') ? 'member_limit_reached' : code;
}

/**
 * Formats the wait before a retry. The delay in the body takes precedence, because the
 * `Retry-After` header is at most a minute.
 */
function waitOf(
  { extra, retryAfterSeconds }: ApiError,
  t: Translate<TextKey<typeof waits>>,
): string {
  const exact = extra['retry_after_seconds'];
  const seconds = typeof exact === 'number' ? exact : (retryAfterSeconds ?? 1);
  return seconds < MINUTES_FROM_SECONDS
    ? t('seconds', { count: seconds })
    : t('minutes', { count: Math.ceil(seconds / 60) });
}

/** A failure as the person should read it: what to do in their language, and what the API said. */
import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ApiError } from '../api/api-error.ts';
import { defineTexts, type Translate, useTexts } from '../i18n/texts.ts';
import { Copyable } from './copyable.tsx';

const texts = defineTexts('problem', {
  en: {
    title: 'That did not work',
    again: 'Try again',
    request: 'Request',
    unreachable:
      'The gateway cannot be reached. Check your connection, or ask its operator; nothing was changed.',
    not_signed_in: 'Your session has ended. Sign in again.',
    not_allowed: 'Your role does not allow this. Ask an owner of the account or an administrator.',
    cross_origin:
      'This page is not open at the address of the console. Open the console at its own address.',
    not_found: 'There is no such thing, or it is not yours to see.',
    conflict:
      'Somebody changed this at the same time, or it is no longer as you see it. Load it again.',
    rate_limit_exceeded: 'Too many tries. Wait {{seconds}} s, then try again.',
    insufficient_balance: 'The balance does not cover this. Top it up first.',
    spend_limit_reached: 'A spending limit is reached. Raise it, or wait until it starts anew.',
    store_unavailable: 'The database does not answer. Nothing was changed; try again shortly.',
    shutting_down: 'The gateway is restarting. Try again in a moment.',
    other: 'The gateway answered:',
  },
  zh: {
    title: '操作未成功',
    again: '重试',
    request: '请求',
    unreachable: '无法连接网关。请检查网络或联系运营者；没有任何改动。',
    not_signed_in: '登录已失效，请重新登录。',
    not_allowed: '您的角色没有此权限，请联系账户所有者或管理员。',
    cross_origin: '此页面不是在控制台自己的地址打开的，请使用控制台的地址。',
    not_found: '没有这个对象，或您无权查看。',
    conflict: '内容刚刚被他人修改，或已与您看到的不同，请重新加载。',
    rate_limit_exceeded: '尝试过于频繁，请等待 {{seconds}} 秒后再试。',
    insufficient_balance: '余额不足，请先充值。',
    spend_limit_reached: '已达到消费上限，请提高上限或等待周期重新开始。',
    store_unavailable: '数据库没有响应；没有任何改动，请稍后再试。',
    shutting_down: '网关正在重启，请稍后再试。',
    other: '网关返回：',
  },
});

type Known = Exclude<
  Parameters<Translate<keyof typeof texts.en>>[0],
  'title' | 'again' | 'request' | 'other'
>;
const isKnown = (code: string): code is Known => code in texts.en && code !== 'other';

export type ApiProblemProps = {
  readonly error: Error;
  /** Offered where asking again may help. */
  readonly onRetry?: () => void;
};

export function ApiProblem({ error, onRetry }: ApiProblemProps) {
  const t = useTexts(texts);
  const problem = error instanceof ApiError ? error : null;
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle />} title={t('title')} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{problemText(error, t)}</Text>
        {problem === null || problem.code === 'unreachable' ? null : (
          <Code block w="100%" style={{ whiteSpace: 'pre-wrap' }}>
            {problem.message}
          </Code>
        )}
        {problem?.requestId == null ? null : (
          <Text size="xs" c="dimmed">
            {t('request')} <Copyable value={problem.requestId} />
          </Text>
        )}
        {onRetry === undefined ? null : (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('again')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** What to do about it, without the API's own words. */
export function useProblemText(): (error: Error) => string {
  const t = useTexts(texts);
  return (error) => problemText(error, t);
}

function problemText(error: Error, t: Translate<keyof typeof texts.en>): string {
  if (!(error instanceof ApiError)) return error.message;
  if (!isKnown(error.code)) return t('other');
  return t(error.code, { seconds: error.retryAfterSeconds ?? 1 });
}

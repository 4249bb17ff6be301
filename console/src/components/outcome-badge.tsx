/** The outcome of a request, with the same name and color in every list. */
import { Badge } from '@mantine/core';
import { every } from '../api/lists.ts';
import type { components } from '../api/schema.gen.ts';
import { defineTexts, useTexts } from '../i18n/texts.ts';

export type Outcome = components['schemas']['RequestRecord']['outcome'];

export const OUTCOMES = every<Outcome>({
  completed: true,
  length: true,
  caller_left: true,
  upstream_error: true,
  upstream_truncated: true,
  upstream_timeout: true,
  gateway_error: true,
  shutdown: true,
  revoked: true,
  node_lost: true,
});

export const outcomeTexts = defineTexts('outcomes', {
  en: {
    completed: 'Completed',
    length: 'Length limit',
    caller_left: 'Client disconnected',
    upstream_error: 'Provider error',
    upstream_truncated: 'Truncated',
    upstream_timeout: 'Timed out',
    gateway_error: 'Gateway error',
    shutdown: 'Gateway restarted',
    revoked: 'Key revoked',
    node_lost: 'Gateway crashed',
    completedWords: 'Completed normally.',
    lengthWords: 'The answer ended at the output token limit. Raise max_tokens to get more.',
    caller_leftWords:
      'The client closed the connection before the answer finished. The input and the output generated for it are charged.',
    upstream_errorWords:
      'The provider returned an error. The output delivered before the error is charged.',
    upstream_truncatedWords:
      'The answer ended without its final event. The delivered output is charged.',
    upstream_timeoutWords: 'The provider stopped responding.',
    gateway_errorWords: 'The gateway itself failed. Report the request ID to the operator.',
    shutdownWords: 'The gateway shut down before the answer finished.',
    revokedWords: 'The key was revoked while the answer was streaming.',
    node_lostWords: 'The gateway ended unexpectedly. The output known to be delivered is charged.',
  },
  zh: {
    completed: '已完成',
    length: '达到长度上限',
    caller_left: '客户端断开',
    upstream_error: '供应商错误',
    upstream_truncated: '输出中断',
    upstream_timeout: '超时',
    gateway_error: '网关错误',
    shutdown: '网关重启',
    revoked: '密钥已吊销',
    node_lost: '网关崩溃',
    completedWords: '正常完成。',
    lengthWords: '回答达到输出 token 上限，可提高 max_tokens。',
    caller_leftWords: '回答完成前客户端已断开，对输入和已为其生成的内容扣费。',
    upstream_errorWords: '供应商返回错误，只对此前已交付的内容扣费。',
    upstream_truncatedWords: '回答未正常结束就中断了，只对已交付的内容扣费。',
    upstream_timeoutWords: '供应商长时间没有响应。',
    gateway_errorWords: '网关自身出现故障，请把请求 ID 告知运营者。',
    shutdownWords: '回答完成前网关已停机。',
    revokedWords: '回答过程中密钥被吊销。',
    node_lostWords: '网关意外退出，只对已知交付的内容扣费。',
  },
});

const COLORS: Readonly<Record<Outcome, string>> = {
  completed: 'teal',
  length: 'teal',
  caller_left: 'gray',
  upstream_error: 'red',
  upstream_truncated: 'red',
  upstream_timeout: 'red',
  gateway_error: 'red',
  shutdown: 'orange',
  revoked: 'orange',
  node_lost: 'red',
};

export type OutcomeBadgeProps = {
  readonly outcome: Outcome;
  /** The error code, shown on hover. */
  readonly code?: string | null;
};

export function OutcomeBadge({ outcome, code = null }: OutcomeBadgeProps) {
  const t = useTexts(outcomeTexts);
  const words = t(`${outcome}Words`);
  return (
    <Badge
      title={code === null ? words : `${words} (${code})`}
      color={COLORS[outcome]}
      miw="max-content"
    >
      {t(outcome)}
    </Badge>
  );
}

/** The outcome of a request, with the same name and color in every list. */
import { Badge } from '@mantine/core';
import type { Outcome } from '#api/outcomes.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';

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
    completedWords: 'The request completed normally.',
    lengthWords: 'The answer ended at the output token limit. Raise max_tokens to get more.',
    caller_leftWords:
      'The client closed the connection before the answer finished. The input and the generated output are charged.',
    upstream_errorWords:
      'The provider returned an error. The output delivered before the error is charged.',
    upstream_truncatedWords:
      "The provider's stream ended before the answer was complete. The delivered output is charged.",
    upstream_timeoutWords: 'The provider stopped responding.',
    gateway_errorWords: 'The gateway itself failed. Report the request ID to the operator.',
    shutdownWords: 'The gateway shut down before the answer finished.',
    revokedWords: 'The key was revoked while the answer was streaming.',
    node_lostWords:
      'The gateway crashed during the request. Only output that was certainly delivered is charged.',
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
    completedWords: '请求已正常完成。',
    lengthWords: '回答达到了输出 token 上限。如需更长的回答，请提高 max_tokens。',
    caller_leftWords: '客户端在回答完成前断开了连接，输入和已生成的内容照常扣费。',
    upstream_errorWords: '供应商返回了错误，只对出错前已交付的内容扣费。',
    upstream_truncatedWords: '回答尚未完成，供应商的输出就中断了，只对已交付的内容扣费。',
    upstream_timeoutWords: '供应商长时间没有响应。',
    gateway_errorWords: '网关自身出现故障，请把请求 ID 告知运营者。',
    shutdownWords: '网关在回答完成前停机了。',
    revokedWords: '密钥在输出回答的过程中被吊销了。',
    node_lostWords: '网关在处理请求时崩溃了，只对确定已交付的内容扣费。',
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

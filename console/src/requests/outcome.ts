/** The outcomes with which a request can end, and their names in every list, filter and sheet. */
import { every } from '#api/lists.ts';
import type { Outcome } from '#api/outcomes.ts';
import type { Tone } from '#components/status.tsx';
import { defineTexts } from '#i18n/texts.ts';

/**
 * The states into which the console groups the outcomes of receipts. A request that has no receipt
 * has the state `refused`.
 */
export type RequestState =
  | 'completed'
  | 'client_disconnected'
  | 'provider_error'
  | 'timed_out'
  | 'refused'
  | 'gateway_restarted'
  | 'gateway_error';

export const REQUEST_STATES = every<RequestState>({
  completed: true,
  client_disconnected: true,
  provider_error: true,
  timed_out: true,
  refused: true,
  gateway_restarted: true,
  gateway_error: true,
});

/** The state for each outcome of the API. */
export const STATE_OF: Readonly<Record<Outcome, RequestState>> = {
  completed: 'completed',
  caller_left: 'client_disconnected',
  upstream_error: 'provider_error',
  upstream_truncated: 'provider_error',
  upstream_timeout: 'timed_out',
  length: 'refused',
  revoked: 'refused',
  shutdown: 'gateway_restarted',
  node_lost: 'gateway_restarted',
  gateway_error: 'gateway_error',
};

/** Returns the API's outcomes of a state, separated by commas. */
export const outcomesOf = (state: RequestState): string =>
  Object.entries(STATE_OF)
    .flatMap(([outcome, its]) => (its === state ? [outcome] : []))
    .join(',');

export const TONES: Readonly<Record<RequestState, Tone>> = {
  completed: 'good',
  client_disconnected: 'quiet',
  provider_error: 'bad',
  timed_out: 'bad',
  refused: 'attention',
  gateway_restarted: 'attention',
  gateway_error: 'bad',
};

export const stateTexts = defineTexts('request-states', {
  en: {
    completed: 'Completed',
    client_disconnected: 'Client disconnected',
    provider_error: 'Provider error',
    timed_out: 'Timed out',
    refused: 'Refused',
    gateway_restarted: 'Gateway restarted',
    gateway_error: 'Gateway error',
  },
  zh: {
    completed: '已完成',
    client_disconnected: '客户端断开',
    provider_error: '供应商错误',
    timed_out: '超时',
    refused: '已拒绝',
    gateway_restarted: '网关重启',
    gateway_error: '网关错误',
  },
});

/** A sentence for each outcome of the API that says what happened. */
export const outcomeTexts = defineTexts('outcomes', {
  en: {
    completed: 'The request completed normally.',
    length: 'The answer ended because the balance or a spending limit did not cover more output.',
    caller_left:
      'The client closed the connection before the answer finished. The input and the generated output are charged.',
    upstream_error:
      'The provider returned an error. The output delivered before the error is charged.',
    upstream_truncated:
      "The provider's stream ended before the answer was complete. The delivered output is charged.",
    upstream_timeout:
      'The provider stopped responding, or the answer took longer than the gateway allows.',
    gateway_error: 'The gateway itself failed. Report the request ID to the operator.',
    shutdown: 'The gateway shut down before the answer finished.',
    revoked: 'The key was revoked while the answer was streaming.',
    node_lost:
      'The gateway crashed during the request. Only output that was certainly delivered is charged.',
  },
  zh: {
    completed: '请求已正常完成。',
    length: '余额或消费上限不足以支付更多输出，回答提前结束。',
    caller_left: '客户端在回答完成前断开了连接，输入和已生成的内容照常扣费。',
    upstream_error: '供应商返回了错误，只对出错前已交付的内容扣费。',
    upstream_truncated: '回答尚未完成，供应商的输出就中断了，只对已交付的内容扣费。',
    upstream_timeout: '供应商长时间没有响应，或回答超过了网关允许的时长。',
    gateway_error: '网关自身出现故障，请把请求 ID 告知运营者。',
    shutdown: '网关在回答完成前停机了。',
    revoked: '密钥在输出回答的过程中被吊销了。',
    node_lost: '网关在处理请求时崩溃了，只对确定已交付的内容扣费。',
  },
});

/**
 * The marks of a request: short labels that say what is special about the request or its bill, such
 * as a refund.
 */
import type { components } from '#api/schema.gen.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { parseAmount } from '#money/amount.ts';

export type RequestRecord = components['schemas']['RequestRecord'];

const texts = defineTexts('request-marks', {
  en: {
    fallback: 'Fallback',
    fallbackHint:
      'The request asked for the channel {{requested}}. It was served by the channel {{served}}, at the price of that channel.',
    estimated: 'Estimated',
    estimatedHint: 'The provider reported no token counts, so the gateway counted them.',
    estimatedByTimeHint:
      'The request ended before the provider reported token counts. The output tokens are estimated from the duration of the answer.',
    readOn: 'Kept reading after disconnect',
    readOnHint:
      'The client disconnected, but the provider charges for the whole answer. So the gateway kept reading the answer until the token counts arrived.',
    refunded: 'Refunded',
    streamed: 'Streamed',
  },
  zh: {
    fallback: '回退',
    fallbackHint: '请求指定了 {{requested}} 渠道，实际由 {{served}} 渠道提供，并按后者的价格计费。',
    estimated: '估算',
    estimatedHint: '供应商未返回 token 用量，由网关自行统计。',
    estimatedByTimeHint:
      '请求在供应商返回 token 用量之前就结束了，输出的 token 数按回答的时长估算。',
    readOn: '断开后继续读取',
    readOnHint:
      '客户端已断开，但供应商对完整回答收费，因此网关继续读取，直到供应商返回 token 用量。',
    refunded: '已退款',
    streamed: '流式',
  },
});

export type Mark = { readonly name: string; readonly hint?: string };

/** Returns a function that lists the marks of a request, the most important first. */
export function useMarks(): (request: RequestRecord) => readonly Mark[] {
  const t = useTexts(texts);
  return ({ channel: served, channel_requested: requested, ...request }) => {
    const { estimated, measure, refunded, streamed } = request;
    const byTime = measure === 'estimated_by_time';
    return [
      ...(requested === null || requested === served
        ? []
        : [{ name: t('fallback'), hint: t('fallbackHint', { requested, served }) }]),
      ...(estimated
        ? [{ name: t('estimated'), hint: t(byTime ? 'estimatedByTimeHint' : 'estimatedHint') }]
        : []),
      ...(measure === 'read_on' ? [{ name: t('readOn'), hint: t('readOnHint') }] : []),
      ...(parseAmount(refunded) === 0n ? [] : [{ name: t('refunded') }]),
      ...(streamed ? [{ name: t('streamed') }] : []),
    ];
  };
}

/** Words of the usage page. */
import { defineTexts } from '../../../i18n/texts.ts';

export const usageTexts = defineTexts('usage', {
  en: {
    lead: 'What was used and what it cost. Days begin at midnight, UTC.',
    by: 'Group by',
    spendIn: 'Spend, {{currency}}',
    requestsHint: '{{count}} failed',
    noneFailed: 'none failed',
    tokensIn: 'Tokens in',
    tokensInHint: '{{count}} of them from the cache',
    tokensOut: 'Tokens out',
    imagesMade: 'Images',
    spendHint: "In USD; other currencies at each request's own rate",
    requestsChart: 'Requests a day',
    tokensChart: 'Tokens a day, in and out',
    spendChart: 'Spend a day',
    total: 'Total',
    breakdown: 'By {{group}}',
    empty: 'Nothing was used in this time',
    emptyHint:
      'Choose a longer time, or take away a filter. The first request appears here seconds after its answer.',
    quickStart: 'Make a request',
    tooMuch:
      'There is more than this page can show. Shorten the time or add a filter: figures below are of the newest days only.',
  },
  zh: {
    lead: '用量与费用一览，按 UTC 自然日统计。',
    by: '分组',
    spendIn: '消费（{{currency}}）',
    requestsHint: '{{count}} 次失败',
    noneFailed: '没有失败',
    tokensIn: '输入 token',
    tokensInHint: '其中 {{count}} 来自缓存',
    tokensOut: '输出 token',
    imagesMade: '图像',
    spendHint: '以 USD 计；其他币种按每次请求当时的汇率折算',
    requestsChart: '每日请求数',
    tokensChart: '每日 token（输入与输出）',
    spendChart: '每日消费',
    total: '合计',
    breakdown: '按{{group}}',
    empty: '这段时间没有用量',
    emptyHint: '请选择更长的时间或去掉筛选条件。请求完成几秒后就会显示在这里。',
    quickStart: '发起请求',
    tooMuch: '数据超出本页可显示的范围，请缩短时间或添加筛选；以下仅为最近几天的数据。',
  },
});

import { defineTexts } from '#i18n/texts.ts';

export const keyPageTexts = defineTexts('key-page', {
  en: {
    creatorLimit: "Creator's spending limit",
    use: 'Spend by model, last 30 days (USD)',
    limits: 'Limits',
    requests: 'Recent requests',
    allRequests: 'View all',
    noRequests: 'No requests with this key yet',
    spent: 'Spent {{window}}',
    resets: 'Resets {{ago}}',
    revoked: 'This key was revoked. Requests with this key are refused.',
    disabled: 'This key is disabled. Its requests are refused until it is enabled again.',
    expired: 'This key has expired. Requests with this key are refused.',
    overlap: 'The previous secret works until',
    usedUp:
      'This key has reached a spending limit. Its requests are refused until the limit resets or is raised.',
  },
  zh: {
    creatorLimit: '创建者的消费上限',
    use: '近 30 天各模型消费（美元）',
    limits: '限额',
    requests: '最近请求',
    allRequests: '查看全部',
    noRequests: '还没有使用此密钥的请求',
    spent: '{{window}}消费',
    resets: '{{ago}}重置',
    revoked: '此密钥已吊销，使用它的请求会被拒绝',
    disabled: '此密钥已停用，重新启用前，使用它的请求都会被拒绝',
    expired: '此密钥已过期，使用它的请求会被拒绝',
    overlap: '旧密钥值仍然有效，直到',
    usedUp: '此密钥已达到一项消费上限，在上限重置或提高之前，使用它的请求会被拒绝',
  },
});

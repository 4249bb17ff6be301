import { defineTexts } from '#i18n/texts.ts';

export const weightTexts = defineTexts('admin-route-weight', {
  en: {
    change: 'Change priority and weight',
    titleOf: 'Priority and weight of {{route}}',
    priority: 'Priority',
    weight: 'Weight',
    hint: 'Requests for {{model}} on {{channel}} go to the routes of priority 1, shared by weight. If none can be used, the routes of the next priority take over. All nodes apply a change within 5 seconds.',
    share: 'Share: {{before}} → {{after}}',
    standby: 'Standby',
    standbyHint:
      'A standby route gets requests only if no route with a lower priority number can be used.',
    review: 'Review change',
    inFile: 'The configuration is in {{file}}. Change the priority and the weight there.',
    gone: 'The configuration no longer has this route.',
    wrong: 'Enter a whole number from 1 to 1,000,000.',
    wrongPriority: 'Enter a whole number from 1 to 100.',
  },
  zh: {
    change: '更改优先级与权重',
    titleOf: '{{route}} 的优先级与权重',
    priority: '优先级',
    weight: '权重',
    hint: '{{model}} 的 {{channel}} 渠道先使用优先级为 1 的路由，并按权重分配请求；前面的路由都不可用时，由下一级接替。更改会在 5 秒内在所有节点生效。',
    share: '占比：{{before}} → {{after}}',
    standby: '备用',
    standbyHint: '备用路由仅在优先级数字更小的路由都不可用时接收请求。',
    review: '查看更改',
    inFile: '配置保存在 {{file}} 中，请在该文件中更改优先级与权重。',
    gone: '配置中已没有此路由。',
    wrong: '请输入 1 到 1,000,000 的整数。',
    wrongPriority: '请输入 1 到 100 的整数。',
  },
});

import { defineTexts } from '#i18n/texts.ts';

export const weightTexts = defineTexts('admin-route-weight', {
  en: {
    change: 'Change weight',
    titleOf: 'Weight of {{route}}',
    weight: 'Weight',
    hint: 'Requests of {{model}} on {{channel}} are shared by weight. In force on all nodes within 5 seconds.',
    share: 'Share: {{before}} → {{after}}',
    review: 'Review change',
    inFile: 'The configuration is in {{file}}. Change the weight there.',
    gone: 'The configuration no longer has this route.',
    wrong: 'Enter a whole number from 1 to 1,000,000.',
  },
  zh: {
    change: '更改权重',
    titleOf: '{{route}} 的权重',
    weight: '权重',
    hint: '{{model}} 的 {{channel}} 渠道按权重分配请求，5 秒内在所有节点生效。',
    share: '占比：{{before}} → {{after}}',
    review: '查看更改',
    inFile: '配置保存在 {{file}} 中，请在该文件中更改权重。',
    gone: '配置中已没有此路由。',
    wrong: '请输入 1 到 1,000,000 的整数。',
  },
});

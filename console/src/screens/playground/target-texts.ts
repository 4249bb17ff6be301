/** Texts of the target picker. */
import { defineTexts } from '#i18n/texts.ts';

export const targetTexts = defineTexts('playground-target', {
  en: {
    model: 'Model',
    byDefault: 'Default ({{channel}})',
    noModel: 'No results',
    perMillion: '{{input}} in · {{output}} out per 1M tokens',
    fromImage: 'from {{price}} per image',
    unavailable: '{{model}} is no longer available. Choose another model.',
    firstToken: 'first token {{time}}',
  },
  zh: {
    model: '模型',
    byDefault: '默认（{{channel}}）',
    noModel: '无结果',
    perMillion: '每百万 token：输入 {{input}} · 输出 {{output}}',
    fromImage: '每张 {{price}} 起',
    unavailable: '{{model}} 已下架，请选择其他模型。',
    firstToken: '首 token {{time}}',
  },
});

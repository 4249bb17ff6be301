/** Words for whom a request goes to. */
import { defineTexts } from '../../i18n/texts.ts';

export const targetTexts = defineTexts('playground-target', {
  en: {
    model: 'Model',
    byDefault: 'Default ({{channel}})',
    noModel: 'No such model',
    perMillion: '{{input}} in · {{output}} out per 1M',
    fromImage: 'from {{price}} an image',
    gone: '{{model}} is not sold here any more. Choose another.',
    firstToken: 'first token {{time}}',
  },
  zh: {
    model: '模型',
    byDefault: '默认（{{channel}}）',
    noModel: '没有这个模型',
    perMillion: '每百万 token：输入 {{input}} · 输出 {{output}}',
    fromImage: '每张 {{price}} 起',
    gone: '{{model}} 已下架，请选择其他模型。',
    firstToken: '首 token {{time}}',
  },
});

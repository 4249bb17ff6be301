import { defineTexts } from '../../../i18n/texts.ts';

export const quickStartTexts = defineTexts('quick-start', {
  en: {
    lead: 'Every model answers the OpenAI and the Anthropic protocol. Take the library you know, and change its address and key.',
    createKey: 'Create a key',
    playground: 'Try it in the playground',
    openai: 'Base address for OpenAI libraries',
    openaiHint: 'Chat completions and images; /v1 is the same.',
    anthropic: 'Base address for Anthropic libraries',
    anthropicHint: 'Messages; the library adds /v1/messages itself.',
    program: 'A first request',
    model: 'Model',
    channel: 'Channel',
    defaultChannel: 'Default ({{channel}})',
    stream: 'Stream the answer',
    key: 'Your key (optional)',
    keyHint:
      'Fills the program below; it does not leave this page. Without it, programs read {{variable}}.',
    nothingFound: 'Nothing found',
  },
  zh: {
    lead: '每个模型都支持 OpenAI 与 Anthropic 协议。沿用熟悉的库，只需更换地址和密钥。',
    createKey: '创建密钥',
    playground: '在演练场试用',
    openai: 'OpenAI 库的基础地址',
    openaiHint: '对话补全与图像；/v1 与之相同。',
    anthropic: 'Anthropic 库的基础地址',
    anthropicHint: 'Messages 协议；库会自行加上 /v1/messages。',
    program: '第一个请求',
    model: '模型',
    channel: '渠道',
    defaultChannel: '默认（{{channel}}）',
    stream: '流式输出',
    key: '您的密钥（可选）',
    keyHint: '用于填入下面的代码，不会离开此页面。不填时，代码读取 {{variable}}。',
    nothingFound: '未找到',
  },
});

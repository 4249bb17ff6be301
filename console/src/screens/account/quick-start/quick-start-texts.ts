import { defineTexts } from '../../../i18n/texts.ts';

export const quickStartTexts = defineTexts('quick-start', {
  en: {
    lead: 'Every chat model supports the OpenAI and Anthropic protocols. Keep your client library; change its base URL and key.',
    createKey: 'Create key',
    playground: 'Open playground',
    openai: 'Base URL for OpenAI clients',
    openaiHint: 'For chat completions, Responses, images and embeddings. The path /v1 works too.',
    anthropic: 'Base URL for Anthropic clients',
    anthropicHint: 'For the Messages protocol. The client itself adds /v1/messages.',
    program: 'Your first request',
    model: 'Model',
    channel: 'Channel',
    defaultChannel: 'Default ({{channel}})',
    stream: 'Stream the answer',
    key: 'Your key (optional)',
    keyHint:
      'The key is filled into the code below and never leaves this page. Without a key, the code reads the environment variable {{variable}}.',
    nothingFound: 'No results',
  },
  zh: {
    lead: '所有对话模型均支持 OpenAI 与 Anthropic 协议。您可以沿用现有的客户端库，只需更换 Base URL 和密钥。',
    createKey: '创建密钥',
    playground: '打开在线体验',
    openai: 'OpenAI 客户端的 Base URL',
    openaiHint: '用于对话补全、Responses、图像与向量，路径 /v1 同样可用。',
    anthropic: 'Anthropic 客户端的 Base URL',
    anthropicHint: '用于 Messages 协议，客户端会自动加上 /v1/messages。',
    program: '第一个请求',
    model: '模型',
    channel: '渠道',
    defaultChannel: '默认（{{channel}}）',
    stream: '流式输出',
    key: '您的密钥（可选）',
    keyHint: '密钥只会填入下面的代码，不会离开此页面。不填时，代码读取环境变量 {{variable}}。',
    nothingFound: '无结果',
  },
});

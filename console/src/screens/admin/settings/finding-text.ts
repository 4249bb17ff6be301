/** The texts of errors and warnings about a change of the configuration. */
import { defineTexts, hasText, useTexts } from '#i18n/texts.ts';

/** By the code of a warning. The API's message has the numbers, in English. */
const texts = defineTexts('config-warnings', {
  en: {
    announced_kept: '{{path}}: {{message}}',
    below_cost: '{{path}}: {{message}}',
    channel_removed: '{{path}}: {{message}}',
    limited_to_removed: '{{path}}: {{message}}',
    model_removed: '{{path}}: {{message}}',
    output_over_context: '{{path}}: {{message}}',
    plain_secret: '{{path}}: {{message}}',
    price_jump: '{{path}}: {{message}}',
    price_zero: '{{path}}: {{message}}',
    secret_missing: '{{path}}: {{message}}',
    upstream_unreachable: '{{path}}: {{message}}',
  },
  zh: {
    announced_kept: '{{path}}：已预告的价格保持不变，届时将取代此价格（{{message}}）',
    below_cost: '{{path}}：价格低于成本（{{message}}）',
    channel_removed: '{{path}}：渠道不再出售，或不再对所有账户出售（{{message}}）',
    limited_to_removed: '{{path}}：某个密钥或账户将没有可用的模型或渠道（{{message}}）',
    model_removed: '{{path}}：模型不再出售，或不再对所有账户出售（{{message}}）',
    output_over_context: '{{path}}：最大输出超过上下文窗口（{{message}}）',
    plain_secret: '{{path}}：机密以明文保存，请改用已存储的机密（{{message}}）',
    price_jump: '{{path}}：价格变化超过十倍（{{message}}）',
    price_zero: '{{path}}：价格变为 0，即免费（{{message}}）',
    secret_missing: '{{path}}：所引用的机密缺失或无法读取（{{message}}）',
    upstream_unreachable: '{{path}}：上游地址目前无法连接（{{message}}）',
  },
});

export type Finding = { readonly path: string; readonly message: string; readonly code?: string };

/** Returns a function that returns the text of a finding. An error has no code. */
export function useFindingText(): (finding: Finding) => string {
  const t = useTexts(texts);
  return ({ path, message, code = '' }) => {
    if (path === '') return message;
    return hasText(texts, code) ? t(code, { path, message }) : `${path}: ${message}`;
  };
}

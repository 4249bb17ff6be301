/** What is wrong with a tested upstream, by the code of the problem. */
import { defineTexts, type Texts, useLanguage, useTexts } from '#i18n/texts.ts';
import type { UpstreamTest } from './channel-queries.ts';

type Problem = Pick<UpstreamTest['checks'][number], 'problem' | 'problem_code'>;

const problemTexts: Texts<NonNullable<Problem['problem_code']>> = defineTexts(
  'admin-test-problems',
  {
    en: {
      address: 'Nothing is at this address.',
      balance: 'Our account has no balance or quota left.',
      broken_off: 'The connection broke during the answer.',
      certificate: 'The TLS certificate is not valid.',
      content_policy: 'The content filter refused the request.',
      context_length: 'The request exceeds the context window.',
      encrypted_content: 'The encrypted reasoning was refused.',
      failure: 'The server failed.',
      key: 'The key was refused.',
      model: 'The server has no such model.',
      no_end_mark: 'The stream ended without an end mark.',
      no_tls: 'The server does not use TLS at this address.',
      not_an_answer: 'The answer does not follow the protocol.',
      not_streamed: 'The answer was not streamed.',
      over_rate: 'One request exceeds our rate limit.',
      overload: 'The server is overloaded, or our rate limit is used up.',
      private_address: 'The host has a private address.',
      request: 'The server refused the request.',
      rights: 'Our account has no permission.',
      timeout: 'The server timed out.',
      too_large: 'The request is too large.',
      unreachable: 'The server cannot be reached.',
      unresolved: 'The host name cannot be resolved.',
      unusable: 'The stream cannot be passed on to callers.',
    },
    zh: {
      address: '此地址没有该接口。请检查基础 URL 和协议。',
      balance: '我们在供应商处的账户余额或配额已用完。请充值或提高额度。',
      broken_off: '回答途中连接中断。',
      certificate: '该主机的 TLS 证书无效。请检查基础 URL，或修复证书。',
      content_policy: '服务器的内容过滤拒绝了请求。',
      context_length: '请求超出了上下文长度。',
      encrypted_content: '服务器不接受加密的推理内容。',
      failure: '服务器出错。请一分钟后重试；若仍失败，请查看服务器日志。',
      key: '服务器拒绝了密钥。请检查密钥是否正确，且属于此地址。',
      model: '服务器没有该模型。请检查路由中的模型名称。',
      no_end_mark: '流在结束标记之前终止：连接中断，或代理截断了流。',
      no_tls: '此地址不支持 TLS。请在基础 URL 中使用 http://，或改用支持 TLS 的端口。',
      not_an_answer: '返回内容不符合协议。请检查基础 URL 和协议，并确认地址不是网页或代理。',
      not_streamed:
        '请求了流式输出，但服务器返回了非流式回答。请确认服务器支持流式输出，且没有代理缓冲。',
      over_rate: '单个请求超出了我们在供应商处的速率限制。请提高该限制。',
      overload: '服务器过载，或我们在那里的速率限制已用完。请一分钟后重试。',
      private_address: '该主机是内网地址，而此上游不允许内网地址。',
      request: '服务器拒绝了请求。',
      rights: '我们在供应商处的账户没有权限。请检查密钥的权限，以及是否支持该地区。',
      timeout: '服务器超时。模型可能正在加载，请重试。',
      too_large: '请求过大。',
      unreachable: '无法连接服务器。请检查基础 URL 的主机、端口和协议，并确认服务器正在运行。',
      unresolved: '无法解析主机名。请检查基础 URL。',
      unusable: '该流无法转发给调用方。',
    },
  },
);

/**
 * Returns a function that explains a problem. In English, it is the detailed message of the
 * gateway, unless a short text is asked for.
 */
export function useTestProblem(): (check: Problem, isShort?: boolean) => string | null {
  const t = useTexts(problemTexts);
  const [language] = useLanguage();
  return ({ problem, problem_code: code }, isShort = false) =>
    code === null || (language === 'en' && !isShort) ? problem : t(code);
}

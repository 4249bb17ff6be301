/** The frame of sign-in and sign-up: the form, and beside it a description of the product. */
import { Alert, Title } from '@mantine/core';
import { IconArrowsExchange, IconHeartbeat, IconReceipt2 } from '@tabler/icons-react';
import { TextLink } from '#components/button-link.tsx';
import { Page, type PageProps } from '#components/page.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { plainRoute } from '#shell/parents.tsx';
import classes from './entry-page.module.css';

const texts = defineTexts('entry-page', {
  en: {
    insecure:
      'Open {{url}} instead. This page has no HTTPS, so your browser does not keep you signed in.',
    headline: 'One API for AI models',
    text: 'Chat and image models of many providers, with one base URL and one key',
    protocols: 'OpenAI and Anthropic protocols',
    protocolsText: 'Keep your client library. Change its base URL and key.',
    exact: 'Exact prepaid billing',
    exactText: 'Every request has an itemized receipt that matches the ledger.',
    health: 'Live health',
    healthText: 'The gateway measures the health of every model and channel.',
    look: 'Look around',
    models: 'Models and prices',
    status: 'Status',
    reference: 'API reference',
  },
  zh: {
    insecure: '请改用 {{url}} 打开。此页面未使用 HTTPS，浏览器不会保持登录状态。',
    headline: '一个接口，调用各家模型',
    text: '多家供应商的对话与图像模型，共用一个 Base URL 和一个密钥',
    protocols: '兼容 OpenAI 与 Anthropic 协议',
    protocolsText: '沿用现有客户端库，只需更换 Base URL 和密钥。',
    exact: '预付费，精确计费',
    exactText: '每个请求都有账单明细，与账本完全一致。',
    health: '实时健康状态',
    healthText: '网关实时测量各模型与渠道的状态。',
    look: '随便看看',
    models: '模型与价格',
    status: '状态',
    reference: 'API 参考',
  },
});
const POINTS = [
  { name: 'protocols', icon: IconArrowsExchange },
  { name: 'exact', icon: IconReceipt2 },
  { name: 'health', icon: IconHeartbeat },
] as const;
const PAGES = ['models', 'status', 'reference'] as const;

export function EntryPage({ children, ...page }: Omit<PageProps, 'actions'>) {
  const t = useTexts(texts);
  const { public_url: url } = plainRoute.useRouteContext().session;
  // With an `https:` public URL, the session cookie is `Secure`.
  const isCookieLost = url.startsWith('https:') && !globalThis.isSecureContext;
  return (
    <div className={classes['split']}>
      <div className={classes['form']}>
        <Page {...page}>
          {isCookieLost ? <Alert color="yellow">{t('insecure', { url })}</Alert> : null}
          {children}
        </Page>
      </div>
      <About />
    </div>
  );
}

function About() {
  const t = useTexts(texts);
  return (
    <div className={classes['about']}>
      <div>
        <Title order={2} size="h1">
          {t('headline')}
        </Title>
        <p className={classes['text']}>{t('text')}</p>
      </div>
      <ul className={classes['points']}>
        {POINTS.map(({ name, icon: Icon }) => (
          <li key={name}>
            <Icon size={18} aria-hidden />
            <div>
              <strong>{t(name)}</strong>
              <span>{t(`${name}Text`)}</span>
            </div>
          </li>
        ))}
      </ul>
      <nav className={classes['pages']} aria-label={t('look')}>
        {PAGES.map((name) => (
          <TextLink key={name} to={`/${name}`}>
            {t(name)}
          </TextLink>
        ))}
      </nav>
    </div>
  );
}

/** A page that the operator has written: the terms of service, or the privacy policy. */
import { Box, Skeleton } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { defineTexts, useLanguage, useTexts } from '#i18n/texts.ts';
import { LazyMarkdown } from '#markdown/lazy-markdown.tsx';

const texts = defineTexts('brand-page', {
  en: { terms: 'Terms of service', privacy: 'Privacy policy', loading: 'Loading' },
  zh: { terms: '服务条款', privacy: '隐私政策', loading: '正在加载' },
});

type Name = 'terms' | 'privacy';

const pageQuery = (id: Name) =>
  queryOptions({
    queryKey: ['brand-page', id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/console/api/pages/{id}', { params: { path: { id } }, signal })),
  });

/** The maximum width of the text in pixels. Longer lines are hard to read. */
const WIDTH_PX = 760;

function BrandPage({ name }: { readonly name: Name }) {
  const t = useTexts(texts);
  const [language] = useLanguage();
  const { data, error, refetch } = useQuery(pageQuery(name));
  return (
    <Page title={t(name)}>
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      <Box maw={WIDTH_PX}>
        {data === undefined ? (
          <Skeleton height={320} aria-label={t('loading')} />
        ) : (
          <LazyMarkdown
            isPage
            text={language === 'en' ? data.text.en : (data.text.zh ?? data.text.en)}
          />
        )}
      </Box>
    </Page>
  );
}

export const TermsScreen = () => <BrandPage name="terms" />;
export const PrivacyScreen = () => <BrandPage name="privacy" />;

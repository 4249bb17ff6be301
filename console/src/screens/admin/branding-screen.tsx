/** The page with the form for the operator's brand. */
import { Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { CardSkeleton } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { BrandingForm } from './branding/branding-form.tsx';
import { brandingTexts } from './branding/branding-texts.ts';
import { CONFIG, settingsQuery } from './settings/config-queries.ts';

const brandQuery = queryOptions({
  queryKey: [...CONFIG, 'brand'],
  queryFn: async ({ signal }) => {
    const { revision, data } = await answerOf(api.GET('/admin/v1/config/settings', { signal }));
    return { revision, brand: data.find(({ id }) => id === 'brand')?.value };
  },
});

export function BrandingScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(brandingTexts);
  const { data, error, refetch } = useQuery(brandQuery);
  const { file = '' } = useQuery(settingsQuery).data ?? {};
  return (
    <Page title={title('branding')}>
      {data?.revision === null ? (
        <Text variant="note" maw={840} style={{ overflowWrap: 'anywhere' }}>
          {t('inFile', { file })}
        </Text>
      ) : null}
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        <CardSkeleton height={480} />
      ) : (
        <BrandingForm brand={data.brand} revision={data.revision} />
      )}
    </Page>
  );
}

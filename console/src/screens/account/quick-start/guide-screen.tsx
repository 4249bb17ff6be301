/** One guide for clients, with the gateway's own address in its examples. */
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useGatewayAddress } from '#api/gateway-address.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { Markdown } from '#markdown/markdown.tsx';
import { NotFound } from '#shell/not-found.tsx';
import { GUIDES, type GuideName, guideFor, isGuide } from './guides.ts';
import { quickStartTexts } from './quick-start-texts.ts';

const route = getRouteApi('/open/quick-start/$guide');
/** Maps the path of each page to what loads its text. */
const PAGES = import.meta.glob<string>('../../../../../docs/guides/*.md', {
  query: '?raw',
  import: 'default',
});

async function load(name: GuideName): Promise<string> {
  const page = PAGES[`../../../../../docs/guides/${name}.md`];
  if (page === undefined) throw new Error(`The guide ${name} is not part of this build.`);
  return await page();
}

export function GuideScreen() {
  const { guide } = route.useParams();
  return isGuide(guide) ? <Guide name={guide} /> : <NotFound />;
}

function Guide({ name }: { readonly name: GuideName }) {
  const t = useTexts(quickStartTexts);
  const address = useGatewayAddress();
  const { data, error, refetch } = useQuery({
    queryKey: ['guide', name],
    queryFn: () => load(name),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page title={GUIDES[name]} lead={t('guideLead')}>
      <Group component="nav" gap="md" aria-label={t('guides')}>
        {Object.entries(GUIDES).map(([guide, products]) => (
          <TextLink
            key={guide}
            size="sm"
            to="/quick-start/$guide"
            params={{ guide }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {products}
          </TextLink>
        ))}
      </Group>
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? null : (
        <SectionCard title={t('setup')}>
          <Markdown text={guideFor(data, address)} />
        </SectionCard>
      )}
    </Page>
  );
}

/** One guide for clients, with the gateway's own address in its examples. */
import { Group, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useGatewayAddress } from '#api/gateway-address.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Page } from '#components/page.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { Markdown } from '#markdown/markdown.tsx';
import { NotFound } from '#shell/not-found.tsx';
import classes from './guide.module.css';
import {
  GUIDES,
  type GuideName,
  type GuideSection,
  guideFor,
  isGuide,
  sectionsOf,
} from './guides.ts';
import { quickStartTexts } from './quick-start-texts.ts';

const route = getRouteApi('/open/quick-start/$guide');
/**
 * Matches windows that have space for the table of contents beside the guide. `guide.module.css`
 * uses the same width.
 */
const WIDE = '(width >= 1280px)';
/** The anchor of the section before the first heading. */
const SETUP_ID = 'setup';
/** Maps the path of each guide's file to a function that loads its text. */
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
      {data === undefined ? null : <Sections sections={sectionsOf(guideFor(data, address))} />}
    </Page>
  );
}

function Sections({ sections }: { readonly sections: readonly GuideSection[] }) {
  const t = useTexts(quickStartTexts);
  const { hash } = useLocation();
  const known = sections.some(({ id }) => id === hash);
  // Scrolls to the section that the URL names. The browser itself cannot scroll there, because the
  // guide is loaded after the page.
  useEffect(() => {
    if (known) document.getElementById(hash)?.scrollIntoView();
  }, [hash, known]);
  const titled = sections.map((section) =>
    section.title === '' ? { ...section, id: SETUP_ID, title: t('setup') } : section,
  );
  return (
    <div className={classes['guide']}>
      {titled.length < 2 ? null : <Contents sections={titled} />}
      <Stack miw={0}>
        {titled.map(({ id, title, text }) => (
          <SectionCard key={id} title={title} titleId={id}>
            <Markdown text={text} />
          </SectionCard>
        ))}
      </Stack>
    </div>
  );
}

/** The table of contents: beside the guide if there is space, otherwise collapsed above it. */
function Contents({ sections }: { readonly sections: readonly GuideSection[] }) {
  const t = useTexts(quickStartTexts);
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  return (
    <nav className={classes['contents']} aria-label={t('contents')}>
      <details open={isWide}>
        <summary>{t('contents')}</summary>
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <TextLink size="sm" c="inherit" to="." hash={id}>
                {title}
              </TextLink>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

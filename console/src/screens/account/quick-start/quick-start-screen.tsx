/** The quick start: the first request with each client, in steps. The programs run as shown. */
import { Card, SimpleGrid, Text } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useGatewayAddress } from '#api/gateway-address.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { ButtonLink, TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Page } from '#components/page.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { FirstRequest } from './first-request.tsx';
import { GUIDES } from './guides.ts';
import { quickStartTexts } from './quick-start-texts.ts';

export function QuickStartScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(quickStartTexts);
  const playground = (
    <ButtonLink variant="default" leftSection={<IconMessages size={16} />} to="/playground">
      {t('playground')}
    </ButtonLink>
  );
  return (
    <Page
      title={title('quickStart')}
      actions={mayAs(useSignedIn().role, 'member') ? playground : undefined}
    >
      <FirstRequest />
      <Addresses />
      <Guides />
    </Page>
  );
}

function Addresses() {
  const t = useTexts(quickStartTexts);
  const address = useGatewayAddress();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Card>
        <Text size="sm" fw={600}>
          {t('openai')}
        </Text>
        <Copyable value={`${address}/v2`} />
        <Text variant="caption" mt={4}>
          {t('openaiHint')}
        </Text>
      </Card>
      <Card>
        <Text size="sm" fw={600}>
          {t('anthropic')}
        </Text>
        <Copyable value={address} />
        <Text variant="caption" mt={4}>
          {t('anthropicHint')}
        </Text>
      </Card>
    </SimpleGrid>
  );
}

function Guides() {
  const t = useTexts(quickStartTexts);
  return (
    <SectionCard title={t('guides')} lead={t('guidesLead')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        {Object.entries(GUIDES).map(([guide, products]) => (
          <TextLink key={guide} size="sm" to="/quick-start/$guide" params={{ guide }}>
            {products}
          </TextLink>
        ))}
      </SimpleGrid>
    </SectionCard>
  );
}

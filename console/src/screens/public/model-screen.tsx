/**
 * A model's page: description, prices and health of each channel, limits, history, code and a cost
 * calculator.
 */
import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconColumns2, IconMapQuestion, IconMessages, IconRocket } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useGatewayAddress } from '#api/gateway-address.ts';
import { mayAs, usePerson } from '#api/session.ts';
import { TokenCount, useChannelName, useModalityName } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Model } from '#catalogue/models.ts';
import { CHANNELS, useModels } from '#catalogue/models.ts';
import { ModelPriceOrigins } from '#catalogue/price-origin.tsx';
import { PriceTerms } from '#catalogue/price-terms.tsx';
import { UpcomingPrices } from '#catalogue/upcoming-prices.tsx';
import { PRICE_KEYS } from '#catalogue/usage-buckets.ts';
import { ButtonLink, TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Empty } from '#components/empty.tsx';
import { type Fact, FactGrid } from '#components/facts.tsx';
import { Page } from '#components/page.tsx';
import { CardSkeleton, SectionCard } from '#components/section-card.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { ProgramTabs } from '#snippets/program-tabs.tsx';
import { simpleChat, simpleEmbedding } from '#snippets/request.ts';
import { CatalogGate } from './models/catalogue-gate.tsx';
import { ChannelPrices } from './models/channel-prices.tsx';
import { ChannelTrends } from './models/channel-trends.tsx';
import { CostCalculator } from './models/cost-calculator.tsx';
import { Description, Tags } from './models/model-card.tsx';
import { ModelFace } from './models/model-face.tsx';
import { nearestModel } from './models/model-search.ts';

const texts = defineTexts('model-screen', {
  en: {
    title: 'Model',
    facts: 'Capabilities',
    channels: 'Channels and prices',
    channelsHint:
      'Select a channel with "provider": {"channel": "NAME"} in the request. Requests for a channel that this model does not have ({{missing}}) use the default channel, {{default}}, at its price.',
    allEnabled:
      'Select a channel with "provider": {"channel": "NAME"} in the request. The default is {{default}}.',
    terms: '{{channel}}: conditions that change the price',
    playground: 'Open in playground',
    code: 'Code',
    prompt: 'A lighthouse at dawn',
    quickStart: 'Quick start',
    compareWith: 'Compare with {{name}}',
  },
  zh: {
    title: '模型',
    facts: '能力',
    channels: '渠道与价格',
    channelsHint:
      '在请求中用 "provider": {"channel": "名称"} 指定渠道。如果指定了此模型没有的渠道（{{missing}}），请求将使用默认渠道 {{default}}，并按其价格计费。',
    allEnabled: '在请求中用 "provider": {"channel": "名称"} 指定渠道，默认为 {{default}}。',
    terms: '{{channel}}：影响价格的条件',
    playground: '打开在线体验',
    code: '代码示例',
    prompt: '黎明时分的灯塔',
    quickStart: '快速开始',
    compareWith: '与 {{name}} 对比',
  },
});

const route = getRouteApi('/open/models/$id');

export function ModelScreen() {
  const t = useTexts(texts);
  const { id } = route.useParams();
  const { data } = useModels();
  const model = data?.find((each) => each.id === id);
  if (model !== undefined) return <ModelPage key={model.id} model={model} />;
  const placeholder = (
    <Stack aria-busy>
      <CardSkeleton height={120} />
      <CardSkeleton height={220} />
    </Stack>
  );
  return (
    <Page title={data === undefined ? id : t('title')}>
      <CatalogGate placeholder={placeholder}>{() => <Missing id={id} />}</CatalogGate>
    </Page>
  );
}

function ModelPage({ model }: { readonly model: Model }) {
  const t = useTexts(texts);
  return (
    <Page
      title={model.name}
      parent={<AllModels />}
      lead={<Lead model={model} />}
      actions={<Actions model={model} />}
    >
      <Card component="section" aria-labelledby="channels">
        <Stack gap="sm">
          <Title order={2} size="h4" id="channels">
            {t('channels')}
          </Title>
          <ChannelHint model={model} />
          <ChannelPrices model={model} />
          <UpcomingPrices channels={model.channels} />
          <ChannelTerms model={model} />
          <ModelPriceOrigins model={model.id} />
        </Stack>
      </Card>
      <Card component="section" aria-label={t('facts')}>
        <FactGrid facts={useFacts(model)} cols={{ base: 2, sm: 3, lg: 4 }} />
      </Card>
      <ChannelTrends model={model} />
      <Code model={model} />
      <CostCalculator model={model} />
    </Page>
  );
}

function Lead({ model }: { readonly model: Model }) {
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <ModelFace model={model} />
        <Copyable value={model.id} />
        <Tags model={model} />
      </Group>
      <Description model={model} />
    </Stack>
  );
}

function Code({ model: { id, kind } }: { readonly model: Model }) {
  const t = useTexts(texts);
  const baseUrl = useGatewayAddress();
  const requests = {
    chat: simpleChat(id),
    embedding: simpleEmbedding(id, null),
    image: { kind: 'image', model: id, channel: null, prompt: t('prompt'), parameters: {} },
  } as const;
  return (
    <SectionCard title={t('code')} size="h5">
      <ProgramTabs target={{ baseUrl, key: null }} request={requests[kind]} />
    </SectionCard>
  );
}

function ChannelHint({ model: { channels } }: { readonly model: Model }) {
  const t = useTexts(texts);
  const { list } = useFormats();
  const enabled = channels.map(({ channel }) => channel);
  const missing = list(CHANNELS.filter((name) => !enabled.includes(name)));
  const byDefault = channels.find((each) => each.default)?.channel ?? '';
  return (
    <Text variant="note">
      {t(missing === '' ? 'allEnabled' : 'channelsHint', { missing, default: byDefault })}
    </Text>
  );
}

function ChannelTerms({ model: { channels } }: { readonly model: Model }) {
  const t = useTexts(texts);
  const nameOf = useChannelName();
  return channels.map(({ channel, price, price_terms: terms }) =>
    terms === null ? null : (
      <PriceTerms
        key={channel}
        title={t('terms', { channel: nameOf(channel) })}
        terms={terms}
        keys={PRICE_KEYS.filter((key) => price[key] !== null)}
      />
    ),
  );
}

/** The playground of each kind of model. Embeddings have none, since people cannot read them. */
const PLAYGROUNDS = {
  chat: '/playground',
  image: '/playground/images',
  embedding: null,
} as const;

function Actions({ model }: { readonly model: Model }) {
  const { id, kind } = model;
  const t = useTexts(texts);
  const person = usePerson();
  const { data: models = [] } = useModels();
  const other = nearestModel(model, models);
  const comparison =
    other === undefined ? null : (
      <ButtonLink
        variant="default"
        leftSection={<IconColumns2 size={16} aria-hidden />}
        to="/models/compare"
        search={{ ids: `${id},${other.id}` }}
      >
        {t('compareWith', { name: other.name })}
      </ButtonLink>
    );
  if (person === null) return comparison;
  const playground = PLAYGROUNDS[kind];
  return (
    <>
      {comparison}
      <ButtonLink
        variant="default"
        leftSection={<IconRocket size={16} aria-hidden />}
        to="/quick-start"
        search={{ model: id }}
      >
        {t('quickStart')}
      </ButtonLink>
      {playground !== null && mayAs(person.role, 'member') ? (
        <ButtonLink
          leftSection={<IconMessages size={16} aria-hidden />}
          to={playground}
          search={{ model: id }}
        >
          {t('playground')}
        </ButtonLink>
      ) : null}
    </>
  );
}

function AllModels() {
  const t = useTexts(modelTexts);
  return <TextLink to="/models">{t('allModels')}</TextLink>;
}

function useFacts(model: Model): readonly Fact[] {
  const t = useTexts(modelTexts);
  const formats = useFormats();
  const modalityName = useModalityName();
  const rate = model.settlement_rate?.rate;
  const { settlement } = model;
  return [
    { name: t('kind'), value: t(model.kind) },
    { name: t('maker'), value: model.maker },
    ...useLimits(model),
    { name: t('takes'), value: formats.list(model.input_modalities.map(modalityName)) },
    { name: t('gives'), value: formats.list(model.output_modalities.map(modalityName)) },
    { name: t('qualities'), value: model.qualities?.join(', ') },
    { name: t('styles'), value: model.styles?.join(', ') },
    { name: t('fileFormats'), value: model.output_formats?.join(', ') },
    { name: t('inputImages'), value: model.max_input_images || undefined },
    { name: t('partialImages'), value: model.max_partial_images || undefined },
    { name: t('released'), value: model.release_date ?? t('unknown') },
    {
      name: t('settlement'),
      value: rate === undefined ? settlement : t('settlementRate', { rate, currency: settlement }),
    },
  ];
}

/** Returns the details that depend on the kind of model, such as its limits. */
function useLimits(model: Model) {
  const t = useTexts(modelTexts);
  switch (model.kind) {
    case 'chat':
      return [
        { name: t('context'), value: <TokenCount count={model.context_length} /> },
        { name: t('maxOutput'), value: <TokenCount count={model.max_output_tokens} /> },
      ];
    case 'image':
      return [
        { name: t('sizes'), value: model.sizes?.join(', ') },
        { name: t('atOnce'), value: model.max_images },
      ];
    case 'embedding': {
      const { dimensions: most = 0, min_dimensions: least = null } = model;
      return [
        { name: t('perInput'), value: <TokenCount count={model.context_length} /> },
        { name: t('maxInputs'), value: model.max_inputs },
        { name: t('totalTokens'), value: <TokenCount count={model.max_total_tokens ?? null} /> },
        {
          name: t('dimensions'),
          value: least === null ? most : t('dimensionsFrom', { most, least }),
        },
      ];
    }
  }
}

function Missing({ id }: { readonly id: string }) {
  const t = useTexts(modelTexts);
  return (
    <Empty icon={IconMapQuestion} title={t('missingTitle', { id })} action={<AllModels />}>
      {t('missingHint')}
    </Empty>
  );
}

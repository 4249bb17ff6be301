/**
 * The step that shows the models that the gateway sells, which are demo models at first. It also
 * shows how to connect a provider, either with a form or with lines for the configuration file.
 */
import { Group, Select, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { type Channel, type Model, useModels } from '#catalogue/models.ts';
import { answerPrice, headlinePrice } from '#catalogue/price.ts';
import { CodeBlock } from '#code/code-block.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExact } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { CardPage } from '#screens/sign-in/card-page.tsx';
import { linesIn, PROVIDERS, type Provider } from './provider-lines.ts';

const texts = defineTexts('setup-models', {
  en: {
    title: 'Models to sell',
    lead: 'You start with built-in demo models, which need no provider account and make up their answers. You can connect providers at any time.',
    label: 'Models and prices',
    model: 'Model',
    price: 'Price',
    unit: 'Prices per 1M tokens (input / output), or per image',
    from: 'from',
    example: 'Example price',
    own: 'Connect a provider',
    ownNone: 'Later',
    ownLead:
      'Add these lines to {{file}} with your own prices and your {{provider}} key, and save the file. The models go on sale immediately.',
    next: 'Keep demo models',
  },
  zh: {
    title: '您出售的模型',
    lead: '网关自带演示模型：无需供应商账号，回答是虚构的。您可以随时接入供应商。',
    label: '模型与价格',
    model: '模型',
    price: '价格',
    unit: '每百万 token（输入 / 输出）或每张图片的价格',
    from: '起价',
    example: '示例价格',
    own: '接入供应商',
    ownNone: '以后再说',
    ownLead: '把以下内容加入 {{file}}，填入您的售价和 {{provider}} 密钥，保存后模型立即可用。',
    next: '继续使用演示模型',
  },
});

export function ModelsStep() {
  const t = useTexts(texts);
  const { data, error, refetch } = useModels();
  const mode = useQuery(modeQuery).data?.mode;
  const columns = useColumns();
  return (
    <CardPage title={t('title')} lead={t('lead')} width={760}>
      <Stack>
        {error === null ? (
          <DataTable
            label={t('label')}
            columns={columns}
            rows={data}
            keyOf={({ id }) => id}
            expected={8}
            summary={<Text variant="note">{t('unit')}</Text>}
          />
        ) : (
          <ApiProblem error={error} onRetry={() => void refetch()} />
        )}
        {mode === 'file' ? <OwnModel /> : null}
        <Group justify="flex-end">
          {mode === 'database' ? (
            <ButtonLink variant="default" to="/admin/providers/new" search={{ setup: true }}>
              {t('own')}
            </ButtonLink>
          ) : null}
          <ButtonLink to="/setup" search={{ step: 'key' }}>
            {t('next')}
          </ButtonLink>
        </Group>
      </Stack>
    </CardPage>
  );
}

function useColumns(): readonly Column<Model>[] {
  const t = useTexts(texts);
  return [
    { name: 'model', heading: t('model'), cell: (model) => <Name model={model} /> },
    {
      ...{ name: 'price', heading: t('price'), end: true, phone: 'amount' },
      cell: (model) => <Price model={model} />,
    },
  ];
}

function Name({ model }: { readonly model: Model }) {
  const t = useTexts(texts);
  return (
    <Group gap="xs">
      <Text size="sm" fw={500}>
        {model.name}
      </Text>
      {defaultChannel(model)?.example === true ? (
        <Text span variant="caption">
          {t('example')}
        </Text>
      ) : null}
    </Group>
  );
}

/** The price per 1M input and output tokens, or the lowest price per image. */
function Price({ model }: { readonly model: Model }) {
  const t = useTexts(texts);
  const channel = defaultChannel(model);
  if (channel === undefined) return null;
  const { input, currency } = channel.price;
  const output = answerPrice(model.kind, channel.price);
  const image = lowestImagePrice(channel);
  if (image !== null) {
    return (
      <>
        {t('from')} <Money amount={image} currency={currency} />
      </>
    );
  }
  return (
    <>
      <Money amount={input ?? '0'} currency={currency} />
      {output === null ? null : (
        <>
          {' / '}
          <Money amount={output} currency={currency} />
        </>
      )}
    </>
  );
}

/** Shows the configuration lines that connect a provider, if the configuration is in a file. */
function OwnModel() {
  const t = useTexts(texts);
  const [provider, setProvider] = useState<Provider | null>(null);
  const { data: settings } = useQuery({ ...settingsQuery, enabled: provider !== null });
  const { data: lines } = useQuery({
    queryKey: ['provider-lines', provider],
    queryFn: () => (provider === null ? '' : providerLines(provider)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Stack gap="sm" component="section" aria-label={t('own')}>
      <Select
        label={t('own')}
        placeholder={t('ownNone')}
        clearable
        maw={320}
        data={Object.entries(PROVIDERS).map(([value, label]) => ({ value, label }))}
        value={provider}
        onChange={(value) => setProvider(isProvider(value) ? value : null)}
      />
      {provider === null || !lines ? null : (
        <>
          <Text size="sm">
            {t('ownLead', { provider: PROVIDERS[provider], file: settings?.file ?? FILE })}
          </Text>
          <CodeBlock code={lines} language="yaml" label={FILE} title={FILE} />
        </>
      )}
    </Stack>
  );
}

async function providerLines(provider: Provider): Promise<string> {
  // Only Vite can resolve this call. The script that builds the text files runs without Vite and
  // replaces the call.
  const guides = import.meta.glob<string>(
    '../../../../../docs/guides/{anthropic,openai,deepseek,ollama,vllm}.md',
    { query: '?raw', import: 'default' },
  );
  const load = guides[`../../../../../docs/guides/${provider}.md`];
  if (load === undefined) throw new Error(`The guide of ${provider} is not part of this build.`);
  return linesIn(await load());
}

const FILE = 'modelgate.yaml';
const isProvider = (value: string | null): value is Provider =>
  value !== null && Object.hasOwn(PROVIDERS, value);

/** The query that finds out whether the configuration is in a file or in the database. */
const modeQuery = queryOptions({
  queryKey: ['admin', 'config'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/config', { signal })),
});

/** The query of the current settings, which include the name of the configuration file. */
const settingsQuery = queryOptions({
  queryKey: ['settings-file'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/settings', { signal })),
});

const defaultChannel = ({ channels }: Pick<Model, 'channels'>): Channel | undefined =>
  channels.find((channel) => channel.default) ?? channels[0];

/** Returns the lowest price of an image as a decimal string; null for channels that sell tokens. */
const lowestImagePrice = (channel: Pick<Channel, 'price'>): string | null =>
  channel.price.per_image === null ? null : formatExact(headlinePrice(channel));

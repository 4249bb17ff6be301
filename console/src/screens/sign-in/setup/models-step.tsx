/**
 * The step that shows the gateway's models with prices, and the configuration that adds an
 * upstream.
 */

import { Accordion, Badge, Group, Stack, Text } from '@mantine/core';
import { type Model, useModels } from '#catalogue/models.ts';
import { answerPrice } from '#catalogue/price.ts';
import { CodeBlock } from '#code/code-block.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { CardPage } from '#screens/sign-in/card-page.tsx';
import { EXAMPLE_UPSTREAM } from './example-upstream.ts';
import { defaultChannel, lowestImagePrice } from './model-prices.ts';

const texts = defineTexts('setup-models', {
  en: {
    title: 'Models and prices',
    lead: 'The gateway starts with built-in demo models. They need no provider account, and their answers are made up.',
    label: 'Models and prices',
    model: 'Model',
    price: 'Per 1M tokens (input / output), or per image',
    from: 'from',
    example: 'Example price',
    own: 'Connect a provider',
    ownLead:
      'Upstreams, models and prices are set in modelgate.yaml. Add the upstream, give a model a price and a route to that upstream, and save. The change takes effect immediately, without a restart.',
    file: 'modelgate.yaml',
    next: 'Continue',
  },
  zh: {
    title: '模型与价格',
    lead: '网关自带演示模型，无需供应商账号，但回答是虚构的。',
    label: '模型与价格',
    model: '模型',
    price: '每百万 token（输入 / 输出）或每张图片',
    from: '起价',
    example: '示例价格',
    own: '接入供应商',
    ownLead:
      '上游、模型和价格都在 modelgate.yaml 中配置。添加上游，再为模型添加指向该上游的路由和售价，保存后立即生效，无需重启。',
    file: 'modelgate.yaml',
    next: '继续',
  },
});
const MIN_WIDTH_PX = 280;

export function ModelsStep() {
  const t = useTexts(texts);
  const { data, error, refetch } = useModels();
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
            minWidth={MIN_WIDTH_PX}
            expected={8}
          />
        ) : (
          <ApiProblem error={error} onRetry={() => void refetch()} />
        )}
        <OwnModel />
        <Group justify="flex-end">
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
    { name: 'price', heading: t('price'), end: true, cell: (model) => <Price model={model} /> },
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
        <Badge color="yellow">{t('example')}</Badge>
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

function OwnModel() {
  const t = useTexts(texts);
  return (
    <Accordion variant="contained">
      <Accordion.Item value="own">
        <Accordion.Control>{t('own')}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <Text size="sm">{t('ownLead')}</Text>
            <CodeBlock
              code={EXAMPLE_UPSTREAM}
              language="yaml"
              label={t('file')}
              title={t('file')}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

/** What the prices of a model depend on: conditions, multiples and fees of each channel. */
import { Stack, Table, Text } from '@mantine/core';
import { FEE_NAMES } from '../../../catalogue/fee-names.ts';
import { ListedPrice, useChannelName } from '../../../catalogue/model-facts.tsx';
import { modelTexts } from '../../../catalogue/model-texts.ts';
import type { Channel, Model } from '../../../catalogue/models.ts';
import { PRICE_KEYS } from '../../../catalogue/usage-buckets.ts';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';

const texts = defineTexts('price-terms', {
  en: {
    title: 'Prices by condition on {{channel}}',
    hint: 'If several conditions apply, the last one sets the price. All other prices are in the table above.',
    condition: 'Condition',
    price: 'Price',
    notSold: 'Not sold',
    always: 'always',
    tokens: 'All token prices × {{multiple}}',
    fees: 'All fees × {{multiple}}',
    each: '{{name}}, per use',
    ...FEE_NAMES.en,
  },
  zh: {
    title: '{{channel}} 的条件价格',
    hint: '多个条件同时成立时，以最后一个为准；其余价格见上方的表格。',
    condition: '条件',
    price: '价格',
    notSold: '不出售',
    always: '始终',
    tokens: '所有 token 价格 × {{multiple}}',
    fees: '所有费用 × {{multiple}}',
    each: '{{name}}，每次',
    ...FEE_NAMES.zh,
  },
});

export function PriceTerms({ model }: { readonly model: Model }) {
  return model.channels.map((channel) =>
    channel.price_terms === null ? null : (
      <Terms key={channel.channel} channel={channel} terms={channel.price_terms} />
    ),
  );
}

type PriceTermsOf = NonNullable<Channel['price_terms']>;
type TermsProps = { readonly channel: Channel; readonly terms: PriceTermsOf };

function Terms({ channel, terms }: TermsProps) {
  const t = useTexts(texts);
  const nameOf = useChannelName();
  const title = t('title', { channel: nameOf(channel.channel) });
  const { rows, times, fees } = terms;
  return (
    <Stack gap="xs">
      <Text fw={600} fz="sm">
        {title}
      </Text>
      <Table.ScrollContainer
        minWidth={460}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={title}
      >
        <Table aria-label={title} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('condition')}</Table.Th>
              <Table.Th scope="col">{t('price')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.when}>
                <Table.Td>{row.when}</Table.Td>
                <Table.Td>
                  <RowPrices channel={channel} row={row} />
                </Table.Td>
              </Table.Tr>
            ))}
            {times.map(({ when, of, multiple }) => (
              <Table.Tr key={`${of} ${multiple} ${when}`}>
                <Table.Td>{when === '' ? t('always') : when}</Table.Td>
                <Table.Td>{t(of, { multiple })}</Table.Td>
              </Table.Tr>
            ))}
            {fees.map(({ unit, fee }) => (
              <Table.Tr key={unit}>
                <Table.Td>{t('each', { name: t(`fee_${unit}`) })}</Table.Td>
                <Table.Td>
                  <ListedPrice of={fee} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed">
        {t('hint')}
      </Text>
    </Stack>
  );
}

type RowProps = { readonly channel: Channel; readonly row: PriceTermsOf['rows'][number] };

/** The prices that the channel lists, under the conditions of a row. */
function RowPrices({ channel: { price }, row }: RowProps) {
  const t = useTexts(modelTexts);
  const terms = useTexts(texts);
  if (!row.sold) return terms('notSold');
  return PRICE_KEYS.filter((key) => price[key] !== null).map((key, at) => (
    <span key={key}>
      {at === 0 ? '' : ' · '}
      {t(key)} <ListedPrice of={row[key]} />
    </span>
  ));
}

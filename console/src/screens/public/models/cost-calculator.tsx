/** A cost calculator, which shows the exact charge of a request of given size on each channel. */
import {
  Card,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChannelName } from '../../../catalogue/model-facts.tsx';
import { modelTexts } from '../../../catalogue/model-texts.ts';
import type { Channel, Model } from '../../../catalogue/models.ts';
import {
  type CostLine,
  charged,
  imageLines,
  TOKEN_KINDS,
  type TokenCounts,
  tokenLines,
} from '../../../catalogue/price.ts';
import { useFormats } from '../../../i18n/formats.ts';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { formatExact } from '../../../money/amount.ts';
import { Money } from '../../../money/money.tsx';

const texts = defineTexts('cost-calculator', {
  en: {
    title: 'Cost calculator',
    hint: 'The cost is calculated as in billing: quantity × price, converted to the billing currency if needed, and rounded once (half to even) to nine decimal places.',
    requests: 'Requests',
    images: 'Images',
    size: 'Size and quality',
    one: 'One request',
    many: '{{count}} requests',
  },
  zh: {
    title: '费用估算',
    hint: '费用按实际计费规则计算：数量 × 单价，必要时折算为结算币种，最后一次性舍入到九位小数（银行家舍入）。',
    requests: '请求数',
    images: '图片张数',
    size: '尺寸与画质',
    one: '单次请求',
    many: '{{count}} 次请求',
  },
});

/** The initial values: a long prompt, most of it cached, and a one-page answer. */
const EXAMPLE: TokenCounts = { input: 2_000, cache_read: 8_000, cache_write: 0, output: 800 };
/** The maximum value of an input field, which exceeds the tokens of any request. */
const MAX_COUNT = 1_000_000_000;

/** Returns the cost lines of a request on a channel. */
type LinesOf = (channel: Channel) => readonly CostLine[];

export function CostCalculator({ model }: { readonly model: Model }) {
  return model.kind === 'chat' ? (
    <TokenCalculator model={model} />
  ) : (
    <ImageCalculator model={model} />
  );
}

function TokenCalculator({ model }: { readonly model: Model }) {
  const t = useTexts(modelTexts);
  const [counts, setCounts] = useState<TokenCounts>(EXAMPLE);
  return (
    <Calculator model={model} linesOf={({ price }) => tokenLines(price, counts)}>
      {TOKEN_KINDS.map((kind) => (
        <CountField
          key={kind}
          label={t(kind)}
          value={counts[kind]}
          step={1_000}
          onChange={(count) => setCounts({ ...counts, [kind]: count })}
        />
      ))}
    </Calculator>
  );
}

function ImageCalculator({ model }: { readonly model: Model }) {
  const t = useTexts(texts);
  const sizes = [
    ...new Set(model.channels.flatMap(({ price }) => Object.keys(price.per_image ?? {}))),
  ];
  const [size, setSize] = useState(sizes[0] ?? '');
  const [count, setCount] = useState(1);
  return (
    <Calculator model={model} linesOf={({ price }) => imageLines(price, size, count)}>
      <Select
        label={t('size')}
        data={sizes.map((each) => ({
          value: each,
          label: each.replace('x', '×').replace('/', ' · '),
        }))}
        value={size}
        allowDeselect={false}
        onChange={(chosen) => setSize(chosen ?? size)}
      />
      <CountField label={t('images')} value={count} step={1} onChange={setCount} />
    </Calculator>
  );
}

type CalculatorProps = {
  readonly model: Model;
  readonly linesOf: LinesOf;
  readonly children: ReactNode;
};

function Calculator({ model, linesOf, children }: CalculatorProps) {
  const t = useTexts(texts);
  const [requests, setRequests] = useState(1_000);
  return (
    <Card>
      <Stack gap="md">
        <Stack gap={4}>
          <Title order={2} size="h4" id="calculator">
            {t('title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('hint')}
          </Text>
        </Stack>
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
          {children}
          <CountField label={t('requests')} value={requests} step={100} onChange={setRequests} />
        </SimpleGrid>
        <Prices model={model} linesOf={linesOf} requests={requests} />
      </Stack>
    </Card>
  );
}

type CountFieldProps = {
  readonly label: string;
  readonly value: number;
  readonly step: number;
  readonly onChange: (count: number) => void;
};

function CountField({ label, value, step, onChange }: CountFieldProps) {
  return (
    <NumberInput
      label={label}
      value={value}
      min={0}
      max={MAX_COUNT}
      step={step}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      clampBehavior="strict"
      onChange={(entered) => onChange(Number(entered))}
    />
  );
}

type PricesProps = Pick<CalculatorProps, 'model' | 'linesOf'> & { readonly requests: number };

function Prices({ model, linesOf, requests }: PricesProps) {
  const t = useTexts(texts);
  const words = useTexts(modelTexts);
  const nameOf = useChannelName();
  const { count } = useFormats();
  const { settlement, settlement_rate: rate } = model;
  return (
    <Table.ScrollContainer
      minWidth={480}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={t('title')}
    >
      <Table aria-label={t('title')} aria-live="polite">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words('channel')}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t('one')}
            </Table.Th>
            <Table.Th scope="col" ta="end">
              {t('many', { count: count(requests) })}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {model.channels.map((channel) => {
            const one = charged(linesOf(channel), rate?.rate ?? null);
            return (
              <Table.Tr key={channel.channel}>
                <Table.Th scope="row">
                  <Group gap={6}>{nameOf(channel.channel)}</Group>
                </Table.Th>
                <Table.Td ta="end">
                  <Money amount={formatExact(one)} currency={settlement} exact />
                </Table.Td>
                <Table.Td ta="end">
                  <Money amount={formatExact(one * BigInt(requests))} currency={settlement} exact />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

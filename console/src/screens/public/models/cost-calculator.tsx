/**
 * A calculator that shows the exact charge of a request with given token counts on each channel.
 */
import { MultiSelect, NumberInput, Select, SimpleGrid, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FEE_NAMES } from '#catalogue/fee-names.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Channel, Model } from '#catalogue/models.ts';
import { charged, TOKEN_KINDS, type TokenCounts, type TokenKind } from '#catalogue/price.ts';
import {
  choicesOf,
  imagesCost,
  type Situation,
  type SituationCost,
  situationCost,
} from '#catalogue/price-situation.ts';
import { SectionCard } from '#components/section-card.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { formatExact, type Pico } from '#money/amount.ts';
import { Money } from '#money/money.tsx';

const texts = defineTexts('cost-calculator', {
  en: {
    title: 'Cost calculator',
    hint: 'The cost is calculated as in billing: quantity × price, converted to the billing currency if needed, and rounded once (half to even) to nine decimal places.',
    requests: 'Requests',
    images: 'Images',
    mostTokens: 'For images priced per token, this is the highest possible cost.',
    size: 'Size and quality',
    one: 'One request',
    many: '{{count}} requests',
    base: 'Base price, no condition applies',
    notSold: 'Not sold',
    tier: 'Service tier',
    speed: 'Speed',
    geo: 'Inference region',
    time: 'Time of the request',
    ...FEE_NAMES.en,
  },
  zh: {
    title: '费用估算',
    hint: '费用按实际计费规则计算：数量 × 单价，必要时折算为结算币种，最后一次性舍入到九位小数（银行家舍入）。',
    requests: '请求数',
    images: '图片张数',
    mostTokens: '对于按 token 计价的图片，此处显示可能的最高费用。',
    size: '尺寸与画质',
    one: '单次请求',
    many: '{{count}} 次请求',
    base: '基础价格，未满足任何条件',
    notSold: '不出售',
    tier: '服务等级',
    speed: '速度',
    geo: '推理区域',
    time: '请求时间',
    ...FEE_NAMES.zh,
  },
});

/** The initial values: a long prompt, most of it cached, and a one-page answer. */
const EXAMPLE: TokenCounts = { input: 2_000, cache_read: 8_000, cache_write: 0, output: 800 };
/** The initial values of embeddings: a dozen passages of a document. */
const PASSAGES: TokenCounts = { input: 5_000, cache_read: 0, cache_write: 0, output: 0 };
/** The number of prompt tokens that is assumed for an image request. */
const PROMPT_TOKENS = 50;
/** The maximum value of an input field, which exceeds the tokens of any request. */
const MAX_COUNT = 1_000_000_000;

/**
 * Returns the cost that the entered request has on a channel; null if the channel would refuse such
 * a request.
 */
type CostOf = (channel: Channel) => SituationCost | null;
const NO_SITUATION: Situation = { facts: {}, times: [], uses: new Map() };

export function CostCalculator({ model }: { readonly model: Model }) {
  switch (model.kind) {
    case 'chat':
      return <TokenCalculator model={model} kinds={TOKEN_KINDS} example={EXAMPLE} />;
    case 'image':
      return <ImageCalculator model={model} />;
    case 'embedding':
      return <TokenCalculator model={model} kinds={['input']} example={PASSAGES} />;
  }
}

type TokenCalculatorProps = {
  readonly model: Model;
  /** The kinds of tokens that are counted in requests to the model. */
  readonly kinds: readonly TokenKind[];
  readonly example: TokenCounts;
};

function TokenCalculator({ model, kinds, example }: TokenCalculatorProps) {
  const t = useTexts(modelTexts);
  const [counts, setCounts] = useState(example);
  const [situation, setSituation] = useState<Situation>(NO_SITUATION);
  return (
    <Calculator model={model} costOf={(channel) => situationCost(channel, counts, situation)}>
      {kinds.map((kind) => (
        <CountField
          key={kind}
          label={t(kind)}
          value={counts[kind]}
          step={1_000}
          onChange={(count) => setCounts({ ...counts, [kind]: count })}
        />
      ))}
      <SituationFields model={model} situation={situation} onChange={setSituation} />
    </Calculator>
  );
}

function ImageCalculator({ model }: { readonly model: Model }) {
  const t = useTexts(texts);
  const words = useTexts(modelTexts);
  const { sizes: offered = [], qualities = [] } = model;
  const isByToken = model.channels.some(({ price }) => price.per_image === null);
  const drawn = offered.flatMap((size) =>
    qualities.length === 0 ? [size] : qualities.map((quality) => `${size}/${quality}`),
  );
  const listed = model.channels.flatMap(({ price }) => Object.keys(price.per_image ?? {}));
  const sizes = isByToken ? drawn : [...new Set(listed)];
  const [size, setSize] = useState(sizes[0] ?? '');
  const [count, setCount] = useState(1);
  const [promptTokens, setPromptTokens] = useState(isByToken ? PROMPT_TOKENS : 0);
  const [pixels = '', quality = null] = size.split('/');
  return (
    <Calculator
      model={model}
      costOf={(channel) =>
        imagesCost(model, channel, { size: pixels, quality, count, promptTokens })
      }
      hint={isByToken ? t('mostTokens') : null}
    >
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
      {isByToken ? (
        <CountField
          label={words('input')}
          value={promptTokens}
          step={10}
          onChange={setPromptTokens}
        />
      ) : null}
    </Calculator>
  );
}

type CalculatorProps = {
  readonly model: Model;
  readonly costOf: CostOf;
  readonly hint?: string | null;
  readonly children: ReactNode;
};

function Calculator({ model, costOf, hint = null, children }: CalculatorProps) {
  const t = useTexts(texts);
  const [requests, setRequests] = useState(1_000);
  return (
    <SectionCard
      title={t('title')}
      lead={hint === null ? t('hint') : `${t('hint')} ${hint}`}
      titleId="calculator"
    >
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
        {children}
        <CountField label={t('requests')} value={requests} step={100} onChange={setRequests} />
      </SimpleGrid>
      <Prices model={model} costOf={costOf} requests={requests} />
    </SectionCard>
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

type PricesProps = Pick<CalculatorProps, 'model' | 'costOf'> & { readonly requests: number };

function Prices({ model, costOf, requests }: PricesProps) {
  const t = useTexts(texts);
  const words = useTexts(modelTexts);
  const nameOf = useChannelName();
  const { count } = useFormats();
  const { settlement, settlement_rate: rate } = model;
  const charge = (name: string, heading: string, times: number): Column<Channel> => ({
    ...{ name, heading, end: true, phone: 'detail' },
    cell: (channel) => {
      const cost = costOf(channel);
      const one = cost === null ? null : charged(cost.lines, rate?.rate ?? null);
      return <Charge amount={one === null ? null : one * BigInt(times)} currency={settlement} />;
    },
  });
  const columns: readonly Column<Channel>[] = [
    {
      name: 'channel',
      heading: words('channel'),
      cell: (channel) => {
        const cost = costOf(channel);
        return (
          <>
            {nameOf(channel.channel)}
            {cost === null || channel.price_terms === null ? null : (
              <Text variant="caption">
                {cost.applied.length === 0 ? t('base') : cost.applied.join('; ')}
              </Text>
            )}
          </>
        );
      },
    },
    charge('one', t('one'), 1),
    charge('many', t('many', { count: count(requests) }), requests),
  ];
  return (
    <div aria-live="polite">
      <DataTable
        label={t('title')}
        columns={columns}
        rows={model.channels}
        keyOf={({ channel }) => channel}
      />
    </div>
  );
}

function Charge({ amount, currency }: { readonly amount: Pico | null; readonly currency: string }) {
  const t = useTexts(texts);
  if (amount === null) return t('notSold');
  return <Money amount={formatExact(amount)} currency={currency} exact />;
}

type SituationProps = {
  readonly model: Model;
  readonly situation: Situation;
  readonly onChange: (situation: Situation) => void;
};

/**
 * The form fields for the circumstances that change a price, such as the time of day and the use of
 * tools. The prompt length needs no field, because it follows from the token counts.
 */
function SituationFields({ model, situation, onChange }: SituationProps) {
  const t = useTexts(texts);
  const { facts, times, tools } = choicesOf(model.channels);
  const { uses } = situation;
  return (
    <>
      {facts.map(({ name, values }) => (
        <Select
          key={name}
          label={t(name)}
          data={[...values]}
          value={situation.facts[name] ?? values[0] ?? null}
          allowDeselect={false}
          onChange={(chosen) =>
            onChange({ ...situation, facts: { ...situation.facts, [name]: chosen ?? values[0] } })
          }
        />
      ))}
      {tools.map((unit) => (
        <CountField
          key={unit}
          label={t(`fee_${unit}`)}
          value={uses.get(unit) ?? 0}
          step={1}
          onChange={(count) => onChange({ ...situation, uses: new Map(uses).set(unit, count) })}
        />
      ))}
      {times.length === 0 ? null : (
        <MultiSelect
          label={t('time')}
          data={[...times]}
          value={[...situation.times]}
          onChange={(chosen) => onChange({ ...situation, times: chosen })}
        />
      )}
    </>
  );
}

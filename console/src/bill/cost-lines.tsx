/**
 * The receipt of a request: the cost line by line, and the hold, charge and release in the wallet.
 */
import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import type { Column } from '#components/tables/column.ts';
import { DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { type TextKey, type Translate, useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount, withCurrency } from '#money/amount.ts';
import classes from './bill.module.css';
import { billTexts } from './bill-texts.ts';
import { type CostProof, lineAmount, proofOf, releasedOf } from './cost-proof.ts';
import type { CostDetails } from './request-details.ts';

export type CostLinesProps = {
  readonly cost: CostDetails;
  readonly held: string | null;
  /** The ID of the request's model, for a link to the page with the model's prices. */
  readonly model: string;
};

export function CostLines({ cost, held, model }: CostLinesProps) {
  const t = useTexts(billTexts);
  const proof = proofOf(cost);
  return (
    <Stack gap="sm">
      <div>
        <DataTable
          label={t('costTitle')}
          columns={useColumns(cost)}
          rows={cost.lines}
          keyOf={(line) => JSON.stringify(line)}
          canSort={false}
        />
        <Sums cost={cost} proof={proof} />
      </div>
      <CheckResult proof={proof} />
      <Notes cost={cost} />
      <Flow cost={cost} held={held} />
      <Group gap="xs" fz="sm">
        <Text span inherit c="dimmed">
          {t('card')}
        </Text>
        <Copyable value={cost.card} />
        {cost.price_list === null ? null : (
          <Text span inherit>
            {t('priceList', { name: cost.price_list })}
          </Text>
        )}
        <TextLink to="/models/$id" params={{ id: model }}>
          {t('prices')}
        </TextLink>
      </Group>
    </Stack>
  );
}

type BillTexts = Translate<TextKey<typeof billTexts>>;
type CostLine = CostDetails['lines'][number];

function useColumns({ card_currency: currency }: CostDetails): readonly Column<CostLine>[] {
  const t = useTexts(billTexts);
  const { count } = useFormats();
  return [
    { name: 'line', heading: t('line'), cell: (line) => <LineName {...partsOf(line, t)} /> },
    { name: 'count', heading: t('count'), end: true, cell: (line) => count(line.count) },
    {
      name: 'rate',
      heading: t('rate'),
      end: true,
      cell: (line) => <Rate currency={currency} {...partsOf(line, t)} />,
    },
    {
      name: 'amount',
      heading: t('amount'),
      end: true,
      phone: 'amount',
      cell: (line) => <Amount of={lineAmount(line)} currency={currency} />,
    },
  ];
}

type Parts = ReturnType<typeof partsOf>;

function LineName({ name, why }: Parts) {
  return (
    <>
      {name}
      {why === '' ? null : <Text variant="caption">{why}</Text>}
    </>
  );
}

function Rate({ rate, unit, currency }: Parts & { readonly currency: string }) {
  return (
    <span>
      <Amount of={parseAmount(rate)} currency={currency} />{' '}
      <Text span variant="caption">
        {unit}
      </Text>
    </span>
  );
}

/**
 * Returns the table cells of a cost line. `why` lists the configured conditions that were met, so
 * that the line's price applies.
 */
function partsOf(line: CostLine, t: BillTexts) {
  switch (line.kind) {
    case 'tokens':
      return { name: t(line.bucket), rate: line.rate_per_1m, unit: t('per1m'), why: line.why };
    case 'fee':
      return { name: t(`fee_${line.unit}`), rate: line.fee, unit: t('perUse'), why: line.why };
    case 'images':
      return {
        name: t('imageOf', { size: line.price_key }),
        rate: line.price_per_image,
        unit: t('each'),
        why: '',
      };
  }
}

/** Lists usage that was charged at the highest possible price, and usage that has no price. */
function Notes({ cost: { assumed, unpriced } }: { readonly cost: CostDetails }) {
  const t = useTexts(billTexts);
  const { list } = useFormats();
  const notes = [
    ...(assumed.length === 0 ? [] : [t('assumed', { list: list(assumed) })]),
    ...(unpriced.length === 0 ? [] : [t('unpriced', { list: list(unpriced) })]),
  ];
  return notes.map((note) => (
    <Text key={note} variant="note">
      {note}
    </Text>
  ));
}

/** Shows an amount with all digits, without rounding. */
function Amount({ of: amount, currency }: { readonly of: bigint; readonly currency: string }) {
  return <span className={classes['amount']}>{withCurrency(formatExact(amount), currency)}</span>;
}

function Sums({ cost, proof }: { readonly cost: CostDetails; readonly proof: CostProof }) {
  const t = useTexts(billTexts);
  const { currency, card_currency: cardCurrency, conversion } = cost;
  const amount = (value: string) => <Amount of={parseAmount(value)} currency={currency} />;
  const isZero = (value: string): boolean => parseAmount(value) === 0n;
  return (
    <dl className={classes['sums']}>
      <SumLine name={t('sum')} value={<Amount of={proof.sum} currency={cardCurrency} />} />
      {conversion === null ? null : <SumLine name={t('converted', conversion)} value={null} />}
      {proof.isRounded ? (
        <SumLine name={t('rounding')} value={<Amount of={proof.price} currency={currency} />} />
      ) : null}
      {isZero(cost.waived) ? null : (
        <SumLine name={t('waived')} value={amount(`-${cost.waived}`)} />
      )}
      {isZero(cost.loss) ? null : <SumLine name={t('loss')} value={amount(`-${cost.loss}`)} />}
      <SumLine name={t('charged')} value={amount(cost.charge)} isStrong />
      {isZero(cost.refunded) ? null : (
        <SumLine name={t('refunded')} value={amount(`-${cost.refunded}`)} />
      )}
    </dl>
  );
}

type SumLineProps = {
  readonly name: string;
  readonly value: ReactNode;
  readonly isStrong?: boolean;
};

function SumLine({ name, value, isStrong = false }: SumLineProps) {
  return (
    <div className={classes['sum']} data-strong={isStrong}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function CheckResult({ proof: { broken } }: { readonly proof: CostProof }) {
  const t = useTexts(billTexts);
  if (broken !== null) {
    return (
      <Alert color="red" icon={<IconX aria-hidden />}>
        {t('notProven', { step: broken })}
      </Alert>
    );
  }
  return (
    <Group gap={6} wrap="nowrap" fz="sm" c="dimmed">
      <IconCheck size={16} aria-hidden />
      <span>{t('proven')}</span>
    </Group>
  );
}

/** Shows how the request changed the wallet: hold, charge, release. */
function Flow({ cost, held }: Omit<CostLinesProps, 'model'>) {
  const t = useTexts(billTexts);
  const released = releasedOf(held, cost.charge);
  if (held === null || released === null) return null;
  const { currency } = cost;
  const steps = [
    { name: t('held'), amount: parseAmount(held) },
    { name: t('charged'), amount: parseAmount(cost.charge) },
    { name: t('released'), amount: released < 0n ? 0n : released },
  ];
  return (
    <Group component="section" aria-label={t('flow')} gap="xl">
      {steps.map(({ name, amount }) => (
        <Stack key={name} gap={0}>
          <Text variant="caption">{name}</Text>
          <Text size="sm" fw={500}>
            <Amount of={amount} currency={currency} />
          </Text>
        </Stack>
      ))}
    </Group>
  );
}

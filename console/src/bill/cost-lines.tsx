/**
 * The receipt of a request: the cost line by line, and the hold, charge and release in the wallet.
 */
import { Alert, Group, Stack, Table, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Copyable } from '#components/copyable.tsx';
import { useFormats } from '#i18n/formats.ts';
import { type Translate, useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount, withCurrency } from '#money/amount.ts';
import classes from './bill.module.css';
import { billTexts } from './bill-texts.ts';
import { type CostProof, lineAmount, proofOf, releasedOf } from './cost-proof.ts';
import type { CostDetails } from './request-details.ts';

export type CostLinesProps = { readonly cost: CostDetails; readonly held: string | null };

export function CostLines({ cost, held }: CostLinesProps) {
  const t = useTexts(billTexts);
  const proof = proofOf(cost);
  return (
    <Stack gap="sm">
      <Table.ScrollContainer
        minWidth={460}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={t('costTitle')}
      >
        <Table aria-label={t('costTitle')} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('line')}</Table.Th>
              <Table.Th scope="col" ta="end">
                {t('count')}
              </Table.Th>
              <Table.Th scope="col" ta="end">
                {t('rate')}
              </Table.Th>
              <Table.Th scope="col" ta="end">
                {t('amount')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cost.lines.map((line) => (
              <Line key={JSON.stringify(line)} line={line} cost={cost} />
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Sums cost={cost} proof={proof} />
          </Table.Tfoot>
        </Table>
      </Table.ScrollContainer>
      <CheckResult proof={proof} />
      <Notes cost={cost} />
      <Flow cost={cost} held={held} />
      <Group gap="xs" fz="sm">
        <Text span inherit c="dimmed">
          {t('card')}
        </Text>
        <Copyable value={cost.card} />
      </Group>
    </Stack>
  );
}

type BillTexts = Translate<keyof typeof billTexts.en>;
type LineProps = { readonly line: CostDetails['lines'][number]; readonly cost: CostDetails };

function Line({ line, cost }: LineProps) {
  const t = useTexts(billTexts);
  const { count } = useFormats();
  const currency = cost.card_currency;
  const { name, rate, unit, why } = partsOf(line, t);
  return (
    <Table.Tr>
      <Table.Td>
        {name}
        {why === '' ? null : (
          <Text size="xs" c="dimmed">
            {why}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="end">{count(line.count)}</Table.Td>
      <Table.Td ta="end">
        <Amount of={parseAmount(rate)} currency={currency} />{' '}
        <Text span size="xs" c="dimmed">
          {unit}
        </Text>
      </Table.Td>
      <Table.Td ta="end">
        <Amount of={lineAmount(line)} currency={currency} />
      </Table.Td>
    </Table.Tr>
  );
}

/** The cells of a cost line. `why` has the conditions of the line's price, as configured. */
function partsOf(line: CostDetails['lines'][number], t: BillTexts) {
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

/** Notes on usage for which the gateway assumed the highest price, and on usage without a price. */
function Notes({ cost: { assumed, unpriced } }: { readonly cost: CostDetails }) {
  const t = useTexts(billTexts);
  const notes = [
    ...(assumed.length === 0 ? [] : [t('assumed', { list: assumed.join(', ') })]),
    ...(unpriced.length === 0 ? [] : [t('unpriced', { list: unpriced.join(', ') })]),
  ];
  return notes.map((note) => (
    <Text key={note} size="sm" c="dimmed">
      {note}
    </Text>
  ));
}

/** An amount with all digits, without rounding. */
function Amount({ of: amount, currency }: { readonly of: bigint; readonly currency: string }) {
  return <span className={classes['amount']}>{withCurrency(formatExact(amount), currency)}</span>;
}

function Sums({ cost, proof }: { readonly cost: CostDetails; readonly proof: CostProof }) {
  const t = useTexts(billTexts);
  const { currency, card_currency: cardCurrency, conversion } = cost;
  const amount = (value: string) => <Amount of={parseAmount(value)} currency={currency} />;
  const isZero = (value: string): boolean => parseAmount(value) === 0n;
  return (
    <>
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
    </>
  );
}

type SumLineProps = {
  readonly name: string;
  readonly value: ReactNode;
  readonly isStrong?: boolean;
};

function SumLine({ name, value, isStrong = false }: SumLineProps) {
  return (
    <Table.Tr>
      <Table.Th scope="row" colSpan={value === null ? 4 : 3} fw={isStrong ? 700 : 400}>
        {name}
      </Table.Th>
      {value === null ? null : (
        <Table.Td ta="end" fw={isStrong ? 700 : 400}>
          {value}
        </Table.Td>
      )}
    </Table.Tr>
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

/** The changes of the wallet: hold, charge, release. */
function Flow({ cost, held }: CostLinesProps) {
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
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          <Text size="sm" fw={500}>
            <Amount of={amount} currency={currency} />
          </Text>
        </Stack>
      ))}
    </Group>
  );
}

/** Columns of the common kinds of values. An absent value is shown as a dash. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copyable, shortId } from '#components/copyable.tsx';
import { ShortTime } from '#components/moment.tsx';
import { Status, type Tone } from '#components/status.tsx';
import { placesOf } from '#money/amount.ts';
import type { Currency } from '#money/currencies.ts';
import { AlignedMoney } from '#money/money.tsx';
import { type Column, NOTHING } from './column.ts';
import type { CsvCell } from './csv.ts';

type Rest<Row> = Omit<Column<Row>, 'name' | 'heading' | 'cell' | 'value'>;

/** A column whose displayed value is also the sorted and exported value. */
export const textColumn = <Row,>(
  name: string,
  heading: string,
  value: (row: Row) => CsvCell,
  rest?: Rest<Row>,
): Column<Row> => ({ name, heading, cell: (row) => String(value(row) ?? NOTHING), value, ...rest });

/** Shows the value of a cell, or a dash if the value is null. */
const orNothing =
  <Row,>(value: (row: Row) => string | null, show: (value: string) => ReactNode) =>
  (row: Row): ReactNode => {
    const found = value(row);
    return found === null ? NOTHING : show(found);
  };

/** A column of times in ISO 8601. */
export const timeColumn = <Row,>(
  name: string,
  heading: string,
  value: (row: Row) => string | null,
  rest?: Rest<Row>,
): Column<Row> => ({
  ...{ name, heading, value, cell: orNothing(value, (at) => <ShortTime at={at} />) },
  ...rest,
});

type Sum = { readonly amount: string; readonly currency: Currency };

/** A column of amounts, aligned at the decimal point, exact or rounded. */
export const moneyColumn = <Row,>(
  name: string,
  heading: string,
  of: (row: Row) => Sum | null,
  {
    exact = false,
    sum,
    ...rest
  }: Rest<Row> & { readonly exact?: boolean; readonly sum?: Sum } = {},
): Column<Row> => {
  const show = (amount: Sum | null, places = 0): ReactNode =>
    amount === null ? NOTHING : <AlignedMoney {...amount} {...{ exact, places }} />;
  return {
    ...{ name, heading, end: true, value: (row) => of(row)?.amount ?? null },
    places: (row) => placesOf(of(row)?.amount ?? '0', exact),
    cell: (row, places) => show(of(row), places),
    ...(sum === undefined ? {} : { total: (places) => show(sum, places) }),
    ...rest,
  };
};

/** A column of IDs. Each shows its last characters, and a click copies it. */
export const idColumn = <Row,>(
  name: string,
  heading: string,
  value: (row: Row) => string | null,
  rest?: Rest<Row>,
): Column<Row> => ({
  ...{ name, heading, value },
  cell: orNothing(value, (id) => <Copyable value={id} shown={shortId(id)} />),
  ...rest,
});

/**
 * A column of states. On a phone, where each row is a card, the state is on the second line of the
 * card.
 */
export const statusColumn = <Row,>(
  name: string,
  heading: string,
  state: (row: Row) => readonly [tone: Tone, word: string],
  rest?: Rest<Row>,
): Column<Row> => ({
  ...{ name, heading, phone: 'state', value: (row) => state(row)[1] },
  cell: (row) => {
    const [tone, word] = state(row);
    return <Status tone={tone}>{word}</Status>;
  },
  ...rest,
});

/** The last column, with the actions on a row. */
export const actionColumn = <Row,>(
  heading: string,
  cell: (row: Row) => ReactNode,
): Column<Row> => ({ name: 'actions', heading, cell, end: true, phone: 'action' });

type RowActionProps = {
  readonly label: string;
  /** The name of the row, for screen readers. */
  readonly of: string;
  readonly isRunning?: boolean;
  readonly onClick: () => void;
};

/** A button in the last column. */
export const RowAction = ({ label, of, isRunning = false, onClick }: RowActionProps) => (
  <Button
    size="compact-xs"
    variant="subtle"
    color="gray"
    aria-label={`${label} ${of}`}
    loading={isRunning}
    onClick={onClick}
  >
    {label}
  </Button>
);

/** Defines a kind of report row once, for its JSON, its schema and the columns of its CSV. */
import * as z from 'zod';
import type { CsvColumn, CsvColumns } from './csv.ts';

type Field<Row, Schema extends z.ZodType> = {
  readonly schema: Schema;
  readonly of: (row: Row) => z.output<Schema>;
  readonly column: CsvColumn;
};
type Fields<Row> = Readonly<Record<string, Field<Row, z.ZodType>>>;
type Shape<F> = { -readonly [Name in keyof F]: F[Name] extends Field<never, infer S> ? S : never };

export type View<Row, F extends Fields<Row>> = {
  /**
   * The fields of one kind of row. Other kinds of rows can include these fields and add their own.
   */
  readonly fields: F;
  readonly schema: z.ZodObject<Shape<F>, z.core.$strict>;
  readonly columns: CsvColumns;
  readonly body: (row: Row) => { readonly [Name in keyof F]: z.output<F[Name]['schema']> };
};

/** The columns of a CSV file for rows of one kind, and the function that makes a row's JSON. */
export type Rows<Row> = {
  readonly columns: CsvColumns;
  readonly body: (row: Row) => Readonly<Record<string, unknown>>;
};

/**
 * Returns the functions that define one kind of report row. `text`, `figure` and `summed` make the
 * fields that `view` takes. A `text` may contain user input. A `figure` is a number or a time. A
 * `summed` field is an amount or a count, for which CSV files for people end with a total.
 */
export function viewsOf<Row>() {
  type Maker = <Schema extends z.ZodType>(
    schema: Schema,
    of: (row: Row) => z.output<Schema>,
  ) => Field<Row, Schema>;
  const text: Maker = (schema, of) => ({ schema, of, column: 'text' });
  const figure: Maker = (schema, of) => ({ schema, of, column: 'figure' });
  const summed: Maker = (schema, of) => ({
    schema,
    of,
    column: schema.type === 'number' ? 'count' : 'amount',
  });
  /**
   * Defines the JSON, the schema and the CSV columns of a row. `meta.id` names the schema in
   * `/openapi.json`.
   */
  function view<F extends Fields<Row>>(
    meta: { readonly id: string; readonly description?: string },
    fields: F,
  ): View<Row, F> {
    const each = Object.entries(fields);
    const shape = Object.fromEntries(each.map(([name, { schema }]) => [name, schema]));
    return {
      fields,
      schema: z.strictObject(shape as Shape<F>).meta(meta),
      columns: Object.fromEntries(each.map(([name, { column }]) => [name, column])),
      body: (row) => {
        const body: Record<string, unknown> = {};
        for (const [name, { of }] of each) body[name] = of(row);
        return body as ReturnType<View<Row, F>['body']>;
      },
    };
  }
  return { text, figure, summed, view };
}

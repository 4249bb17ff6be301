/** Fields that several forms for booking money share. */
import { Select, TextInput, type TextInputProps } from '@mantine/core';
import { CURRENCIES } from '#money/currencies.ts';

type FieldOf<Name extends string> = {
  readonly form: { readonly getInputProps: (name: Name) => object };
  readonly label: string;
};

export const CurrencyField = ({ form, label }: FieldOf<'currency'>) => (
  <Select
    label={label}
    data={[...CURRENCIES]}
    allowDeselect={false}
    {...form.getInputProps('currency')}
  />
);

/** The field for the reason, which the ledger records. */
export const ReasonField = ({
  form,
  ...field
}: FieldOf<'reason'> & Omit<TextInputProps, 'form'>) => (
  <TextInput {...field} maxLength={500} {...form.getInputProps('reason')} />
);

/** A field that selects an account by part of its name. The search runs on the server. */
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '#i18n/texts.ts';
import { accountQuery, accountsQuery } from '#screens/admin/accounts/account-queries.ts';
import { allPeopleTexts } from './all-people-texts.ts';

/** The delay between the last keystroke and the search. */
const TYPING_MS = 250;

/** The maximum number of accounts shown at a time. */
const MAX_OPTIONS = 50;

export type AccountSelectProps = Pick<
  SelectProps,
  'value' | 'onChange' | 'error' | 'label' | 'description' | 'clearable' | 'allowDeselect'
> & {
  /** The name of the selected account, which may be missing from the search results. */
  readonly valueName?: string;
};

export function AccountSelect({ valueName, ...props }: AccountSelectProps) {
  const t = useTexts(allPeopleTexts);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { data } = useInfiniteQuery(accountsQuery(search));
  const found = data?.pages[0]?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const { value } = props;
  const isMissing = value != null && !found.some((account) => account.value === value);
  return (
    <Select
      label={t('chooseAccount')}
      placeholder={t('chooseHint')}
      searchable
      limit={MAX_OPTIONS}
      // Shows all options: the server has already filtered them, partly by fields that are not
      // shown.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      nothingFoundMessage={t('noAccountFound')}
      data={isMissing ? [{ value, label: valueName ?? value }, ...found] : found}
      {...props}
    />
  );
}

/** The name of a selected account; its id until the name is loaded. */
export function AccountName({ id }: { readonly id: string }) {
  const { data } = useQuery(accountQuery(id));
  return data?.name ?? id;
}

/** Selects an account by part of its name, searched on the server. */
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { accountsQuery } from '../accounts/account-queries.ts';
import { allPeopleTexts } from './all-people-texts.ts';

/** The delay after a keystroke before searching. */
const TYPING_MS = 250;

export type AccountSelectProps = Pick<SelectProps, 'value' | 'onChange' | 'error'>;

export function AccountSelect(props: AccountSelectProps) {
  const t = useTexts(allPeopleTexts);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { data } = useInfiniteQuery(accountsQuery(search));
  const found = data?.pages[0]?.data ?? [];
  return (
    <Select
      label={t('chooseAccount')}
      placeholder={t('chooseHint')}
      searchable
      // The server has already filtered, also by hidden fields.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      nothingFoundMessage={t('noAccountFound')}
      data={found.map(({ id, name }) => ({ value: id, label: name }))}
      {...props}
    />
  );
}

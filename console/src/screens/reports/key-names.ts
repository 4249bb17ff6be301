/** What the account's keys are called, for reports that know their ids. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keysQuery } from '../../keys/key-queries.ts';

export type KeyNames = ReadonlyMap<string, string>;

/** Empty until they are there. */
export function useKeyNames(): KeyNames {
  const { data } = useQuery(keysQuery);
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data]);
}

/** The names of the account's keys, for reports that contain ids. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keysQuery } from './key-queries.ts';

export type KeyNames = ReadonlyMap<string, string>;

/** Returns the names of the keys by id; empty until loaded. */
export function useKeyNames(): KeyNames {
  const { data } = useQuery(keysQuery);
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data]);
}

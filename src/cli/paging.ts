/** Long lists come in pages: how a command asks for one, and what it says when more follows. */
import type { CommandOption, Input } from './command.ts';

export const PAGE_OPTIONS: readonly CommandOption[] = [
  { name: 'limit', value: 'N', summary: 'at most so many rows (100)' },
  { name: 'after', value: 'ID', summary: 'rows after this one' },
];

/** The page's part of a query string. */
export function pageQuery(input: Input): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name } of PAGE_OPTIONS) {
    const value = input.text(name);
    if (value !== null) query.set(name, value);
  }
  return query;
}

export const pageNote = (next: string | null): string =>
  next === null ? '' : `\n\nThere are more: add --after ${next}`;

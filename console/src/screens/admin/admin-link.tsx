/**
 * An ID in an administrator's table, or the name of what it stands for. An account is a link to its
 * page; any other ID without a name is copied by a click.
 */

import { Text } from '@mantine/core';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';

const ACCOUNT = /^acc_/;
/**
 * The number of shown characters, enough to distinguish two IDs. The tooltip shows the whole ID.
 */
const SHOWN_CHARS = 14;

export const shortId = (id: string): string =>
  id.length <= SHOWN_CHARS + 5 ? id : `${id.slice(0, 8)}…${id.slice(-6)}`;

export type AdminLinkProps = {
  readonly id: string;
  /** The text shown instead of the ID, such as the account's name. */
  readonly name?: string | undefined;
};

export function AdminLink({ id, name }: AdminLinkProps) {
  if (!ACCOUNT.test(id)) {
    return name === undefined ? (
      <Copyable value={id} shown={shortId(id)} />
    ) : (
      <span title={id} style={{ whiteSpace: 'nowrap' }}>
        {name}
      </span>
    );
  }
  return (
    <TextLink inherit title={id} to="/admin/accounts/$id" params={{ id }}>
      {name ?? (
        <Text span inherit ff="monospace" fz="sm">
          {shortId(id)}
        </Text>
      )}
    </TextLink>
  );
}

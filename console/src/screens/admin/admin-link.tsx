/**
 * Shows an ID in an administrator's table, by its name if it has one. The ID of an account links to
 * the account's page. A click on any other ID without a name copies the ID.
 */
import { Text } from '@mantine/core';
import { TextLink } from '#components/button-link.tsx';
import { Copyable, shortId } from '#components/copyable.tsx';

const ACCOUNT = /^acc_/;

/** The maximum width of a name, in pixels. A longer name is truncated. */
const MAX_PX = 170;

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
      <Text inherit truncate maw={MAX_PX} title={`${name} · ${id}`}>
        {name}
      </Text>
    );
  }
  return (
    <TextLink
      inherit
      truncate
      display="block"
      maw={MAX_PX}
      title={name === undefined ? id : `${name} · ${id}`}
      to="/admin/accounts/$id"
      params={{ id }}
    >
      {name ?? (
        <Text span inherit ff="monospace" fz="sm">
          {shortId(id)}
        </Text>
      )}
    </TextLink>
  );
}

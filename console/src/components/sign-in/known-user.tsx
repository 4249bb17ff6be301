/** A hidden user name beside a password field, so that password managers choose the right entry. */
import { usePerson } from '#api/session.ts';

export type KnownUserProps = {
  /** The user name; by default, the signed-in person's. */
  readonly email?: string | null;
};

export function KnownUser({ email }: KnownUserProps) {
  const person = usePerson();
  return (
    <input
      type="text"
      name="username"
      autoComplete="username"
      value={email ?? person?.email ?? ''}
      readOnly
      hidden
    />
  );
}

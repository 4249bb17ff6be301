/** Unseen, beside a password: for whom it is, so that a password manager fills in and keeps the right one. */
import { usePerson } from '../../api/session.ts';

export type KnownUserProps = {
  /** Left out: who is signed in. */
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
